# Everything a developer types. A line with two number signs behind a target is what bare `make` prints for it.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
LOCKING := build/lock

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test check crash bench mutants weaken model sweep coverage lock clean

help: ## print these lines
	@awk -F ':.*## ' '/^[a-z][a-z-]*:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(READY) ## the main job on a transcript, in a minute; its vault stays in .demo/
	@fixtures/demo/run.sh

test: $(READY) ## run the test suite on every core (four minutes on two)
	$(BIN)/python -m pytest -q -n auto

check: $(READY) ## lint, format, types, architecture
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -q tests/test_architecture.py

crash: $(READY) ## processes killed, power cut, disks full, many writers: nothing is lost; writes tests/crash/CRASH.md
	$(BIN)/python -m tests.crash

bench: $(READY) ## measure speed and what search finds; writes tests/bench/SPEED.md and LOCOMO.md (CONVERSATIONS=FILE)
	$(BIN)/python -m tests.bench.speed
	$(BIN)/python -m tests.bench.locomo $(CONVERSATIONS)

mutants: $(READY) ## damage good runs in a hundred thousand ways; no gate may let one pass (ten minutes)
	$(BIN)/python -m tests.mutants

weaken: $(READY) ## weaken the code of the gates and of durability, one place at a time: each is noticed (half an hour)
	$(BIN)/python -m tests.mutants.weaken
	$(BIN)/python -m tests.crash.mutants

model: $(READY) ## ask a small real model, XYSQ_TEST_MODEL=FILE, and print what code drops of it (five minutes)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-model.lock
	$(BIN)/python -m pytest -q tests/drafters/test_model.py
	$(BIN)/python -m tests.bench.model

sweep: $(READY) ## every public transcript through the whole write path, where they are there
	$(BIN)/python tests/bench/sweep.py

coverage: $(READY) ## run the test suite once, with lines and branches counted
	$(BIN)/coverage run -m pytest -q
	$(BIN)/coverage report

lock: ## resolve the locks anew from pyproject.toml (needs the network)
	$(PYTHON) -m venv $(LOCKING)
	$(LOCKING)/bin/python -m pip install --quiet uv
	$(LOCKING)/bin/uv pip compile pyproject.toml --no-config --upgrade --all-extras --universal --python-version 3.11 \
		--generate-hashes --no-annotate --no-header --no-emit-index-url --output-file requirements.lock --quiet
	$(LOCKING)/bin/uv pip compile --group model --no-config --upgrade --universal --python-version 3.11 \
		--generate-hashes --no-annotate --no-header --no-emit-index-url --output-file requirements-model.lock --quiet
	@if grep -n '://' requirements.lock requirements-model.lock; then echo 'a lock names an address'; exit 1; fi

clean: ## remove everything that was made here
	rm -rf $(VENV) .demo build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage .coverage.*
	find xysq tests -name __pycache__ -prune -exec rm -rf {} +

# The environment, exactly as locked; made again when the lock or the project's metadata changes.
$(READY): requirements.lock pyproject.toml
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@
