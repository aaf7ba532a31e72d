# make tournament   a tournament of the bots in bots/, from nothing but Python and make
# make bench        how fast all is, compiled if possible: writes docs/notes/bench.md and tests/bench/bench.json; ARGS="engine start" for parts
# make docs         the documentation site in site/, to be opened in a browser: site/index.html
# make reference    the generated parts of docs/reference, from the code
# make test         everything that must hold: lint, types, tests
# make test-slow    long proofs by simulation, more of the same, and the bots to start from in every language
#                   (make test MARKED= runs both in one session)
# make student      the networks of bots/student, learned again from seeds: about an hour; goes on where it was stopped
# make pages        the scripts and styles of the HTML pages, bundled from web/ into fa_cli/viewer/assets (needs node and npm)
# make wheels       compiled wheels in dist/ for every Python and Linux that fa supports, tested (needs Docker, and QEMU for
#                   the other processor; ARGS="--archs native" leaves that out)
# make wheel-compiled   one for this Python and machine (needs a C compiler)
# make dist         the source distribution and from it the wheel for everything else, of Python alone; checked for PyPI
# make release VERSION=0.2.0   sets the version, moves changes/ to CHANGELOG.md, commits and tags
# PYTHON=python3.12 takes another Python, VENV=folder another place, JOBS=N tests at a time, ARGS="..." goes to the command.

PYTHON ?= python3
VENV ?= .venv
ARGS ?=
JOBS ?= 6
BIN := $(VENV)/bin
# uv takes a tenth of the time that pip takes; any machine has pip
INSTALL = $(if $(shell command -v uv),uv pip install -q --compile-bytecode --python $(BIN)/python,$(BIN)/python -m pip install -q --disable-pip-version-check)
# keep bytecode, so that the many processes of the tests do not compile everything again
export PYTHONDONTWRITEBYTECODE :=
# a worker that has nothing left takes tests from another; neighbours, which share fixtures, stay together until then
MARKED := -m "not slow"
PYTEST := $(BIN)/python -m pytest -q -n $(JOBS) --dist worksteal

.PHONY: tournament test test-slow lint format types tests bench bench-short playthroughs transcript docs pictures reference statistics-page student pages wheels wheel-compiled dist release test-compiled clean
.DELETE_ON_ERROR:

tournament: $(VENV)/.ready
	$(BIN)/fa tournament run bots/* --games 144 $(ARGS)
	@$(BIN)/python tools/compile_copy.py

test: lint
	$(MAKE) --no-print-directory -j2 types tests # mypy has one process: it runs while the tests start

lint: $(VENV)/.ready-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(VENV)/.ready-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(VENV)/.ready-dev
	$(BIN)/mypy

tests: $(VENV)/.ready-dev
	@# once, or in a new clone each worker would compile all tests
	-@[ -d tests/__pycache__ ] || $(BIN)/python -m pytest -q --collect-only > /dev/null
	$(PYTEST) $(MARKED) $(ARGS)

test-slow: MARKED := -m slow
test-slow: tests

bench: $(VENV)/.ready-dev
	@$(BIN)/python tools/compile_copy.py --wait
	$(BIN)/python -m tests.bench --write $(ARGS)

# two minutes of it; fails if a ratio is less than half as good as in the table kept
bench-short: $(VENV)/.ready-dev
	@$(BIN)/python tools/compile_copy.py --wait
	$(BIN)/python -m tests.bench --short --against tests/bench/bench.json

playthroughs: $(VENV)/.ready-dev
	$(BIN)/python -m tests.playthroughs.regenerate $(ARGS)

# the transcripts of README and tutorial, by running their commands
transcript: $(VENV)/.ready-dev
	$(BIN)/python -m tests.transcript
	$(BIN)/python -m tests.tutorial

# fails on a link that leads nowhere
docs: $(VENV)/.ready-dev
	$(BIN)/zensical build --clean --strict

# the pictures of the games in README.md and docs/, from the games in docs/assets/boards/games.log
pictures: $(VENV)/.ready-dev
	$(BIN)/python -m tests.pictures

# the pages' tables of commands, options and fields, from their declarations
reference: $(VENV)/.ready-dev
	$(BIN)/python -m tests.options_table
	$(BIN)/python -m tests.test_output_page
	$(BIN)/python -m tests.command_pages
	$(BIN)/python -m tests.message_pages

# docs/explanation/statistics.md and statistics-details.md: output and figures from games played for them, tables from
# simulated leagues; within an hour on two cores
statistics-page: $(VENV)/.ready-dev
	$(BIN)/python -m tests.statistics_page
	$(BIN)/python -m tests.bench.coverage --write

student: $(VENV)/.ready
	$(BIN)/python -m tools.student $(ARGS)

pages:
	cd web && npm ci --no-fund --no-audit && npm run -s check && npm run -s build

WHEEL := -m pip wheel -q --disable-pip-version-check --no-deps -w dist .

wheels: $(VENV)/.ready
	@docker info >/dev/null 2>&1 || { \
	  echo "make wheels needs a running Docker: make wheel-compiled builds a wheel for this Python and machine" >&2; exit 1; }
	@$(INSTALL) 'cibuildwheel>=3'
	rm -rf build # it is copied into the containers, with what the tests compiled
	$(BIN)/cibuildwheel --platform linux --output-dir dist $(ARGS)

wheel-compiled: $(VENV)/.ready
	rm -rf build # what the tests compiled is not optimized, and would be taken as it is
	FA_COMPILE=1 $(BIN)/python $(WHEEL)

dist: $(VENV)/.ready
	rm -rf build # a wheel takes all that it finds there
	@$(INSTALL) 'build>=1.2' 'twine>=6.1'
	FA_COMPILE=0 $(BIN)/python -m build --quiet --outdir dist .
	$(BIN)/twine check --strict dist/*

release: $(VENV)/.ready
	@test -z "$$(git status --porcelain)" || { echo "commit your changes first: a release is a commit of its own" >&2; exit 1; }
	@expr '$(VERSION)' : '[0-9]*\.[0-9]*\.[0-9]*$$' >/dev/null || { echo "which version? say make release VERSION=0.2.0" >&2; exit 1; }
	@$(INSTALL) 'towncrier>=24.8'
	$(BIN)/towncrier build --yes --version $(VERSION)
	sed -i.bak 's/^__version__ = .*/__version__ = "$(VERSION)"/' fa_cli/__init__.py && rm fa_cli/__init__.py.bak
	git commit -qam "release $(VERSION)"
	git tag -a v$(VERSION) -m "fa $(VERSION)"

# of leaderboards and runs those whose modules are compiled: setup.py lists them
COMPILED_TESTS := tests/games tests/playthroughs tests/match tests/protocol tests/replay \
  $(addprefix tests/leaderboard/test_, played_games.py ratings.py standings.py trueskill_step.py) \
  $(addprefix tests/tournament/running/test_, bot_integrity.py faults.py kill.py run.py session_pool.py suspension.py watchdog.py) \
  tests/isolation/test_bot_process.py tests/isolation/test_line_exchange.py

# the same tests, with the engines compiled: the wheel is taken apart, and what it has found before what is here
COMPILED := $(VENV)-compiled

test-compiled: $(COMPILED)/.built
	rm -rf $(addprefix $(COMPILED)/, tests bots docs)
	cp -r tests bots docs pyproject.toml $(COMPILED)
	cd $(COMPILED) && PYTHONPATH="$$PWD" "$(abspath $(BIN))/python" -m pytest -q -n $(JOBS) --dist worksteal -m "not slow" $(COMPILED_TESTS) $(ARGS)
	FA_COMPILED="$(abspath $(COMPILED))" $(PYTEST) tests/test_compiled.py

$(COMPILED)/.built: setup.py pyproject.toml $(shell find fa_cli -name '*.py' -o -name '*.c') | $(VENV)/.ready-dev
	@rm -rf $(COMPILED)
	@mkdir $(COMPILED)
	@$(BIN)/python tools/compile_copy.py --wheel $(COMPILED)
	@$(BIN)/python -m zipfile -e $(COMPILED)/*.whl $(COMPILED)
	@touch $@

# the environment, with what running needs
$(VENV)/.ready: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "fa needs Python 3.11 or later and $(PYTHON) is not that: say make PYTHON=python3.12, for example" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
	  echo "$(PYTHON) can't make virtual environments: install its venv package (Debian: apt-get install python3-venv)" >&2; exit 1; }
	@echo "installing fa into $(VENV)"
	@$(PYTHON) -m venv $(VENV)
	@$(INSTALL) -e .
	@touch $@

# and what the tests need
$(VENV)/.ready-dev: $(VENV)/.ready
	@echo "installing the tools for tests into $(VENV)"
	@$(INSTALL) -e '.[dev]'
	@touch $@

clean:
	rm -rf .venv .venv-* build dist site .cache *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
