# Every command of the project. `make help` lists them.
PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.DEFAULT_GOAL := help
.PHONY: help setup conform crash test lint format faults laws mutants bench lock docs clean

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(READY) ## install everything into .venv, from the lock file

$(READY): requirements.lock pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@# A kill costs a process start, and a start without compiled modules costs twice as much.
	@$(BIN)/python -m compileall -q spec reference crash_harness model_tests
	@touch $(READY)

conform: $(READY) ## the main job: the conformance suite against the reference, a verdict per clause and crash point
	$(BIN)/effectspec conform

crash: $(READY) ## only the crash matrix
	$(BIN)/effectspec crash

test: $(READY) ## every test
	$(BIN)/python -m pytest -n auto

lint: $(READY) ## ruff and mypy --strict
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(READY) ## let ruff lay out the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

faults: $(READY) ## the whole fault catalogue: fault x method (slow)
	$(BIN)/effectspec faults

laws: $(READY) ## CrossHair over the laws of the contract
	$(BIN)/effectspec laws

mutants: $(READY) ## every small change of the rules and their laws, and who notices it (two minutes)
	$(BIN)/effectspec mutants

bench: $(READY) ## the figures, as ratios in one run
	$(BIN)/python benchmarks/digest.py
	$(BIN)/python benchmarks/pairs.py
	$(BIN)/python benchmarks/growth.py
	$(BIN)/python benchmarks/kills.py

docs: $(READY) ## fill the tables of the documentation from the data that decides
	$(BIN)/python -m effectspec.tables docs/contract.md

lock: ## renew requirements.lock (needs pip-tools)
	pip-compile --quiet --extra dev --generate-hashes --allow-unsafe --no-emit-index-url --no-emit-find-links \
		--no-emit-trusted-host --strip-extras --no-header --annotation-style=line -o requirements.lock pyproject.toml

clean: ## remove what the commands made
	rm -rf $(VENV) build out .mypy_cache .ruff_cache .pytest_cache .hypothesis
