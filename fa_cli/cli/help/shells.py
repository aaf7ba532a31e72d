"""`fa completion`: scripts that let a shell complete the words of `fa`."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

import typer

from . import COMPLETING, explained


class Shell(Enum):
    """The shells that have a script."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


@explained(
    "shell-completion",
    ("Complete in bash, from the next shell on", "echo 'eval \"$(fa completion bash)\"' >> ~/.bashrc"),
    ("Complete in zsh", "echo 'eval \"$(fa completion zsh)\"' >> ~/.zshrc"),
    ("Complete in fish", "fa completion fish > ~/.config/fish/completions/fa.fish"),
)
def completion(shell: Annotated[Shell, typer.Argument(metavar="SHELL", help="Your shell: bash, zsh or fish.")]) -> None:
    """Print a script with which your shell completes commands, options, games, languages, tournaments and bots."""
    print(_SCRIPTS[shell].replace("COMPLETING", COMPLETING), end="")


_BASH = r"""# completion of fa in bash
_fa() {
    local line="${COMP_LINE:0:COMP_POINT}" prefix="" text
    local -a words
    read -ra words <<< "$line"
    [[ $line == *[[:space:]] ]] && words+=("")
    local last="${words[${#words[@]} - 1]}"
    # readline replaces only what follows = if that breaks words
    [[ $COMP_WORDBREAKS == *=* && $last == *=* ]] && prefix="${last%"${last##*=}"}"
    COMPREPLY=()
    while IFS=$'\t' read -r text _; do
        text="${text#"$prefix"}"
        [[ $text == *[[:space:]\'\"\\\$\&\;\(\)\<\>\|\`]* ]] && text=$(printf %q "$text")
        COMPREPLY+=("$text")
    done < <(COMPLETING=1 "${words[@]}" 2> /dev/null)
    if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *[=/] ]]; then
        compopt -o nospace 2> /dev/null # bash 3 has no compopt
    fi
}
complete -F _fa fa
"""
_ZSH = r"""#compdef fa
# completion of fa in zsh
_fa() {
    local -a whole open
    local text meaning
    while IFS=$'\t' read -r text meaning; do
        if [[ $text == *[=/] ]]; then
            open+=("$text")
        else
            whole+=("${text//:/\\:}:$meaning")
        fi
    done < <(COMPLETING=1 "${(@Q)words[1,CURRENT-1]}" "${(Q)PREFIX}" 2> /dev/null)
    (( $#whole )) && _describe -V fa whole
    (( $#open )) && compadd -S '' -- $open
}
if [[ $funcstack[1] == _fa ]]; then
    _fa "$@"
else
    (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
    compdef _fa fa
fi
"""
_FISH = r"""# completion of fa in fish
function __fa_candidates
    set -lx COMPLETING 1
    set -l words (commandline -opc)
    $words (commandline -ct) 2> /dev/null
end
complete -c fa -f -a '(__fa_candidates)'
"""
_SCRIPTS = {Shell.BASH: _BASH, Shell.ZSH: _ZSH, Shell.FISH: _FISH}
