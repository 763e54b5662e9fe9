# The commands of a contributor; `make` alone lists them.
# PYTHON=/path/to/python chooses the interpreter; ARGS='...' passes flags on to run, test and bench. Tests run in several
# processes (tests/support/processes.py); ARGS='-n 0' runs them in one, for a debugger.

SHELL := /bin/sh
ARGS ?=
BIN := .venv/bin
PROCESSES := -n auto
COMPILE = "$$uv" pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header

# A process that may not keep compiled modules compiles all of ours again, and pytest rewrites the assertions of 700 modules in each worker.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup run test messages check format-check lint types imports bench siege sbom audit lock assets format clean
.DEFAULT_GOAL := help

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: ## make .venv from the lock, or do nothing when it is up to date
	@sh scripts/setup.sh

run: setup ## start the whole stack on this machine (ARGS='--port 8001')
	@exec $(BIN)/spatial run $(ARGS)

test: setup ## run the whole test suite
	@$(BIN)/python -m pytest $(PROCESSES) --durations=25 $(ARGS)

messages: setup ## list every message that can reach a user, on one page
	@$(BIN)/python scripts/messages.py

check: setup ## format, lint, types, import contracts, tests: what must pass before a change lands
	@$(MAKE) --no-print-directory format-check lint types imports
	@$(BIN)/python -m pytest $(PROCESSES) --durations=25 $(ARGS)

format-check:
	@$(BIN)/ruff format --check .

lint:
	@$(BIN)/ruff check .

types:
	@$(BIN)/mypy
	@$(BIN)/mypy --config-file clients/python/pyproject.toml clients/python/src clients/python/examples

imports:
	@$(BIN)/lint-imports --no-logo

bench: setup ## measure converter, HTTP, memory and corpus, and print the ratios
	@$(BIN)/python -m benchmarks $(ARGS)

siege: setup ## attack a stack of its own, bounded in time, and print what it took (ARGS='kills --seconds 300')
	@$(BIN)/python -m siege $(ARGS)

train: setup ## train the classifier of drawn lettering again (spatial/understanding/sheet/outlined/model.md)
	@PYTHONPATH=. $(BIN)/python scripts/train_lettering.py $(ARGS)

train-lines: setup ## train the head that reads lines of drawn lettering again (spatial/understanding/sheet/outlined/line_head.md)
	@PYTHONPATH=. $(BIN)/python scripts/train_line_head.py $(ARGS)

lock: ## renew requirements/*.lock (ARGS='--upgrade' for newer versions)
	@uv=$$(sh scripts/setup.sh --uv) && set -e && \
	$(COMPILE) $(ARGS) pyproject.toml -o requirements/main.lock && \
	$(COMPILE) $(ARGS) pyproject.toml --group dev -c requirements/main.lock -o requirements/dev.lock && \
	$(COMPILE) $(ARGS) --group tools -o requirements/tools.lock
	@$(MAKE) --no-print-directory sbom

sbom: setup ## write the bill of materials of the lock (requirements/sbom.json)
	@$(BIN)/python scripts/sbom.py

audit: setup ## ask a list of known vulnerabilities about the locked packages (ARGS='--service osv', ARGS=--check for the last audit)
	@uv=$$(sh scripts/setup.sh --uv) && $(BIN)/python scripts/audit.py --uv "$$uv" $(ARGS)

assets: ## bundle the scripts of the viewer, with Node.js; the bundle is committed
	@cd api/console/viewer && npm ci --silent && npm run --silent build

format: setup ## format the code and fix what ruff can fix
	@$(BIN)/ruff format .
	@$(BIN)/ruff check --fix .

clean: ## remove .venv, .tools and caches; data in .spatial stays
	@rm -rf .venv .tools .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
