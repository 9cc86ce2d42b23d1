# make = make check. `make help` lists the rest.
.DEFAULT_GOAL := check
BIN := .venv/bin
PYTEST := $(BIN)/pytest
UV := $(shell command -v uv || echo $(BIN)/uv)
unexport PYTHONDONTWRITEBYTECODE

.PHONY: check help setup format lint imports types test slow fuzz demo golden bench live lock

check: setup ## everything that must hold: format, lint, floors, types, every test (the slow proofs too)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(BIN)/mypy
	$(PYTEST) -n auto --dist worksteal

help: ## this list
	@sed -n 's/^\([a-z][a-z]*\):[^#]*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16

setup: ## the development environment in .venv, from requirements-dev.lock
	@.ci/venv requirements-dev.lock

format: setup ## write the files as ruff formats them, and mend what it can
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

lint: setup ## ruff alone
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

imports: setup ## the floors alone
	$(BIN)/lint-imports

types: setup ## mypy alone
	$(BIN)/mypy

test: setup ## the suite without the slow proofs (under 90 s)
	$(PYTEST) -n auto --dist worksteal -m "not slow"

slow: setup ## the slow proofs alone: kill, sandbox
	$(PYTEST) -n auto --dist worksteal -m slow

fuzz: setup ## the property tests with new random cases, and more of them
	MOOT_PROPERTIES=fuzz $(PYTEST) -n auto --dist worksteal $$(grep -rl --include='test_*.py' 'from hypothesis import' tests)

demo: ## a question answered from Python's own language reference, with no key and no network
	./moot research "What does the with statement do?" --docs python --yes

golden: setup ## write the goldens anew; the diff is reviewed like code
	MOOT_GOLDEN=write $(PYTEST) $$(grep -rl --include='test_*.py' 'import assert_golden' tests)

bench: setup ## the measured figures
	for one in $$(grep -l __main__ bench/*.py); do $(BIN)/python -m bench.$$(basename $$one .py) || exit 1; done

live: setup ## the research team with a tiny real model (fetches 125 MB into .live/; minutes)
	$(BIN)/python -m bench.live

lock: setup ## both lock files, from pyproject.toml; make lock UPGRADE=--upgrade takes newer versions
	$(UV) pip compile $(LOCKED) pyproject.toml --group dev -o requirements-dev.lock
	$(UV) pip compile $(LOCKED) pyproject.toml -c requirements-dev.lock -o requirements.lock

LOCKED = --quiet --no-config --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header $(UPGRADE)
