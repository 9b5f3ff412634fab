# `make play` and `make test` do all their own set-up; `make help` lists the rest.
PYTHON  ?= python3
VENV    := .venv
BIN     := $(VENV)/bin
PROGRAM := $(VENV)/.program
DEV     := $(VENV)/.dev
PYTEST  := $(BIN)/python -m pytest $(PYTEST_ARGS)

# Bytecode is kept, also where the environment (of many container images) says not to: without it every interpreter that a
# test starts compiles the package again, and every test worker rewrites the suite's assertions (16.6 s of CPU each; 5.4 with it).
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help python first-setup page-early setup setup-all web core types limits resources docs settings specifications ports seeds play cluster test test-python test-bytecode test-slow test-cluster test-proxy test-web test-browser test-install shots coverage check check-python check-web format bench train tune fuzz soak soak-cluster clean

help: ## list what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(DEV) ## make the virtual environment for tests and checks (done by the others when needed)

# Quick when nothing changed: a stamp is as old as the last change of pyproject.toml that was installed.
# Playing needs fewer packages than testing, and must not wait for the others.
$(PROGRAM): pyproject.toml
	@$(MAKE) --no-print-directory python
	@$(PYTHON) scripts/environment.py

$(DEV): pyproject.toml
	@$(MAKE) --no-print-directory python
	@$(PYTHON) scripts/environment.py dev

python:
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "boardwire needs Python 3.11 or newer; set PYTHON=")'

# All groups of packages with one run of pip, which takes some seconds to see what is installed.
setup-all: python
	@$(PYTHON) scripts/environment.py dev docs package

$(VENV)/.package: $(DEV)
	@$(PYTHON) scripts/environment.py package

# Where there is no Node, this installs one into the virtual environment.
PAGE := $(BIN)/python hatch_build.py

web: setup ## build the web page (nothing to do if nothing changed)
	@$(PAGE)

# Where there is no C compiler, the same sources are interpreted.
CORE := $(BIN)/python hatch_build.py core

core: setup ## compile the search cores of the bots, the rules of Santorini and Eriantys and the writer of Java streams (nothing to do if nothing changed)
	@$(CORE)

types: setup ## write the page's types, examples of the rules and facts of the gods again, from the Python types and rules
	@$(BIN)/python -m scripts.typescript
	@$(BIN)/python -m scripts.rule_examples
	@$(BIN)/python web/src/games/santorini/fixtures/write.py

limits: setup ## write the table of limits in SECURITY.md again, from the code
	@$(BIN)/python -m scripts.limits

resources: setup ## write the table of queues, pools and threads in SECURITY.md again, from the code
	@$(BIN)/python -m scripts.resources

$(VENV)/.docs: $(DEV)
	@$(PYTHON) scripts/environment.py docs

docs: web $(VENV)/.docs ## build the documentation site, served at /docs (warnings are errors)
	@$(BIN)/python -m scripts.site

settings: setup ## write the table of settings in docs/operate.md again, from the code
	@$(BIN)/python -m scripts.settings

specifications: setup ## write the tables of messages and the diagrams in docs/dialects again, from the code
	@$(BIN)/python -m scripts.specifications

ports: setup ## write the lists of default ports in documents and in deploy/ again, from the code
	@$(BIN)/python -m scripts.default_ports

seeds: setup ## write the first inputs of fuzz targets that have none, from recorded matches
	@$(BIN)/python -m fuzz.seeds

# The first start builds the page, which needs only a Node, while it installs the packages.
first-setup:
	@$(MAKE) --no-print-directory --jobs=2 $(PROGRAM) page-early

page-early: python
	@$(PYTHON) hatch_build.py early || true

play: $(if $(wildcard $(PROGRAM)),$(PROGRAM),first-setup) ## start a server on the default ports, with the web page (ARGS="--http 8080")
	@exec $(BIN)/python -m scripts.play $(ARGS)

cluster: setup ## start three nodes with PostgreSQL and NATS here, for a trial (ARGS="--nodes 5")
	@$(PAGE) || echo "the page could not be built; the nodes start without it"
	@$(CORE)
	@$(BIN)/python -m scripts.cluster $(ARGS)

test: test-python test-web ## run the tests (about five minutes on two cores)

test-python: setup
	@$(PAGE) || echo "the page could not be built; its own tests are left out"
	@$(CORE)
	@scripts/programs bwrap >/dev/null || echo "tests of cages are left out"
	@$(PYTEST) -n 3 --dist worksteal

# Writes the bytecode of the tests, with their assertions rewritten: 14 s of CPU. Workers that start without it do so at the
# same time, each for all modules.
test-bytecode: setup
	@$(PYTEST) --collect-only -qq >$(VENV)/collected || { cat $(VENV)/collected; exit 1; }

test-web: setup ## run the page's own tests
	@if test -d web/node_modules; then $(PAGE) run test; \
	else echo "the page's tools are not installed; its own tests are left out"; fi

test-slow: setup ## run the long tests too
	@$(PYTEST) -n 3 --dist worksteal -m 'not browser and not install and not proxy'

test-cluster: setup ## run the tests that start a PostgreSQL, a NATS or several nodes
	@$(PYTEST) -n 3 --dist worksteal -m 'cluster and not slow'

test-proxy: setup ## run the proxy examples of docs/operate.md (installs nginx and Caddy where they are missing and that is permitted)
	@scripts/programs nginx caddy >/dev/null
	@$(PYTEST) tests/process/test_reverse_proxy.py -m proxy

test-browser: setup $(VENV)/.package ## play in a real browser (installs Chromium where it is missing and that is permitted)
	@scripts/programs chromium >/dev/null
	@$(PAGE)
	@$(PYTEST) tests/browser -m browser -n 2 --dist worksteal

test-install: setup $(VENV)/.package ## build the wheels and try them in clean environments; make play in a fresh clone
	@$(PAGE)
	@$(PYTEST) tests/install -m install -n 2 --dist loadfile

shots: setup ## take pictures of every page, to be looked at (in shots/)
	@scripts/programs chromium >/dev/null
	@$(PAGE)
	@$(BIN)/python -m tests.browser.shots

coverage: setup ## run the tests and show which branches they miss
	@BOARDWIRE_INTERPRETED=1 $(PYTEST) -n 3 --dist worksteal --cov --cov-report=term-missing

check: check-web check-python ## lint, format, types, layers (with --jobs=2 the page's beside ours)

check-python: setup ## lint, format, types and layers of the Python code
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache

check-web: setup ## the page's types: up to date, and right
	@$(BIN)/python -m scripts.typescript --check
	@$(BIN)/python -m scripts.rule_examples --check
	@$(BIN)/python web/src/games/santorini/fixtures/write.py --check
	@$(PAGE) run check

format: setup ## mend what can be mended by itself
	@$(BIN)/ruff check --fix
	@$(BIN)/ruff format

bench: setup core ## measure, side by side in one run (ARGS="tris --rivals")
	@$(BIN)/python -m bench $(ARGS)

train: setup core ## train the net that evaluates Santorini (continues in data/training; ARGS="--rounds 3")
	@$(BIN)/python -m training.santorini $(ARGS)

tune: setup core ## tune the weights that judge Eriantys (goes on in data/training; ARGS="--seats 3 --mode expert")
	@$(BIN)/python -m training.eriantys $(ARGS)

SECONDS ?= 60

fuzz: setup ## fuzz every decoder for SECONDS=60 each (ARGS="tris-lines-requests http")
	@$(BIN)/python -c 'import atheris' 2>/dev/null || $(PYTHON) scripts/environment.py fuzz
	@$(BIN)/python -m fuzz --seconds $(SECONDS) $(ARGS)

MINUTES ?= 60
SEED    ?= 1

soak-cluster: setup ## kill, halt and cut off nodes while guests play (ARGS="--seconds 180 --times 4")
	@$(BIN)/python -m soak.cluster $(ARGS)

soak: setup ## let everything go wrong at once, for MINUTES=60 with SEED=1
	@$(BIN)/python -m soak --minutes $(MINUTES) --seed $(SEED)

clean: ## remove what was made
	@rm -rf $(VENV) dist build web/node_modules src/boardwire/api/page src/boardwire/api/docs src/boardwire/bots/*/core/_built src/boardwire/games/*/_built src/boardwire/wire/*/_built .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage*
