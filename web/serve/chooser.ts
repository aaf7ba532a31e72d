import type { Choice, Choices } from "./protocol";

const WORD = "word:";

/** What can be clicked next, and what has been decided. */
export interface Options {
  /** The actions that have all targets clicked so far. */
  candidates: Choice[];
  /** Parts of the drawing. */
  keys: Set<string>;
  /** Texts of buttons. */
  words: string[];
  /** The action whose targets have all been clicked, although others have more. */
  whole: Choice | null;
  /** The only action left. */
  decided: Choice | null;
}

/** An action chosen by clicking its targets in any order; see fa_cli/serve/targets.py. */
export class Chooser {
  readonly clicked: string[] = [];

  constructor(private readonly choices: Choices) {}

  /** Click a part or a button; false if it is none of those that can be clicked. */
  click(target: string): boolean {
    const key = this.choices.same[target] ?? target;
    const { keys, words } = this.options();
    if (!keys.has(key) && !words.includes(key.replace(WORD, ""))) return false;
    this.clicked.push(key);
    return true;
  }

  clickWord(word: string): void {
    this.click(WORD + word);
  }

  /** Click all targets of an action. */
  take(choice: Choice): void {
    this.clicked.splice(0, this.clicked.length, ...choice[2]);
  }

  options(): Options {
    const candidates: Choice[] = [];
    const left = new Set<string>();
    let whole: Choice | null = null;
    for (const choice of this.choices.legal) {
      const rest = without(choice[2], this.clicked);
      if (!rest) continue;
      candidates.push(choice);
      rest.forEach((key) => left.add(key));
      if (!rest.length) whole = choice;
    }
    const words = [...left].filter((key) => key.startsWith(WORD)).map((key) => key.slice(WORD.length));
    const keys = new Set([...left].filter((key) => !key.startsWith(WORD)));
    for (const [key, other] of Object.entries(this.choices.same)) if (keys.has(other)) keys.add(key);
    const decided = candidates.length === 1 && this.clicked.length ? candidates[0]! : null;
    return { candidates, keys, words, whole, decided };
  }
}

/** The targets without those clicked; null if one of these is not among them. */
function without(targets: string[], clicked: string[]): string[] | null {
  const rest = [...targets];
  for (const key of clicked) {
    const at = rest.indexOf(key);
    if (at < 0) return null;
    rest.splice(at, 1);
  }
  return rest;
}
