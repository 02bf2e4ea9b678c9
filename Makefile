# Each target makes the virtual environment it needs; all that has to be there is Python 3.11+.
# Another interpreter:  make test PYTHON=python3.12 VENV=.venv-3.12

PYTHON ?= python3
VENV ?= .venv
JOBS ?= 2
PYTEST_ARGS ?=

BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
PYTEST := $(BIN)/pytest -n $(JOBS)

# pip prints little, and pyright does not ask for newer versions of itself.
export PIP_PROGRESS_BAR ?= off
export PYRIGHT_PYTHON_IGNORE_WARNINGS := 1

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help venv demo test test-slow test-iree lint format typecheck docs links generate wheel clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

venv: $(VENV)/.dxir ## make $(VENV) with dxir in it, editable
	@echo "activate it with: . $(BIN)/activate"

demo: $(VENV)/.dxir ## compile, run and check a Llama decoder layer
	$(BIN)/python examples/llama_decoder.py

test: $(VENV)/.dxir-test ## run the tests
	$(PYTEST) -m "not slow" $(PYTEST_ARGS)

test-slow: $(VENV)/.dxir-test ## run the tests that `make test` leaves out
	$(PYTEST) -m slow $(PYTEST_ARGS)

test-iree: $(VENV)/.dxir-iree ## run the tests that need IREE, after installing it
	$(PYTEST) tests/runtime/test_iree.py tests/examples_iree tests/targets $(PYTEST_ARGS)

lint: links ## check style and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(VENV)/.dxir-dev ## format, and fix what can be fixed by itself
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

typecheck: links ## check types with mypy and pyright
	$(BIN)/mypy
	$(BIN)/pyright --pythonpath $(BIN)/python

docs: $(VENV)/.dxir-docs ## build the pages of docs/ into build/docs/; warnings are errors
	$(BIN)/sphinx-build -b html -W --keep-going -n -q -d build/docs-trees docs build/docs

# The view of the checkout that type checkers follow; laid anew since files come and go.
links: $(VENV)/.dxir-dev
	@PATH="$(abspath $(BIN)):$$PATH" cmake -P CMakeLists.txt

generate: $(VENV)/.dxir-test ## write the generated docs, stubs and golden files anew
	$(BIN)/python -m dxir.tools.main generate
	$(BIN)/python tests/golden/regenerate.py
	$(BIN)/python tests/recognition/corpus.py --write

wheel: $(VENV)/.dxir-dev ## build the sdist, and from it the wheel, into dist/
	rm -rf dist
	$(BIN)/python -m build --outdir dist .

clean: ## remove what was built, environments included
	rm -rf build dist out .venv .venv-* .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.dxir: pyproject.toml CMakeLists.txt | $(BIN)/python
	$(PIP) install -q -e .
	@touch $@

$(VENV)/.dxir-test: pyproject.toml CMakeLists.txt | $(BIN)/python
	$(PIP) install -q -e ".[test]"
	@touch $@ $(VENV)/.dxir

$(VENV)/.dxir-iree: pyproject.toml CMakeLists.txt | $(BIN)/python
	$(PIP) install -q -e ".[test,iree]"
	@touch $@ $(VENV)/.dxir-test $(VENV)/.dxir

$(VENV)/.dxir-dev: pyproject.toml CMakeLists.txt | $(BIN)/python
	$(PIP) install -q -e ".[test,dev]"
	@touch $@ $(VENV)/.dxir-test $(VENV)/.dxir

$(VENV)/.dxir-docs: pyproject.toml CMakeLists.txt | $(BIN)/python
	$(PIP) install -q -e ".[docs]"
	@touch $@ $(VENV)/.dxir
