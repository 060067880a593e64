# make demo, make test: both create what they need first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export HF_HUB_OFFLINE := 1

.DEFAULT_GOAL := help
.PHONY: help install demo test slow pace check lint types contracts docs docs-check coverage format serve clean

help: ## what can be made
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-12s %s\n", $$1, $$2}'

$(VENV)/.installed: pyproject.toml constraints.txt scripts/install
	PYTHON="$(PYTHON)" VENV="$(VENV)" scripts/install
	@touch $@

install: $(VENV)/.installed ## a virtual environment with everything, at the versions of constraints.txt

demo: install ## the main job on examples/
	$(BIN)/flagbook demo

test: install ## the fast tests
	$(BIN)/python -m pytest -q -m "not slow"

slow: install ## the tests with a browser, LibreOffice and killed servers
	$(BIN)/python -m pytest -q -m "slow and not pace" --durations=12

pace: install ## the tests that compare times; only on a machine that does nothing else
	$(BIN)/python -m pytest -q -m pace

lint: install ## format and lint
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/hadolint Dockerfile

types: install ## mypy, strict
	$(BIN)/mypy

contracts: install ## which room may import which
	$(BIN)/lint-imports

docs: install ## write the generated parts of the documentation
	$(BIN)/python -m cogapp -r docs/*.md README.md

docs-check: install
	$(BIN)/python -m cogapp --check docs/*.md README.md

coverage: install ## the fast tests with branch coverage
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -q -m "not slow"
	$(BIN)/coverage report --include="flags/*" --fail-under=100 --skip-covered -m
	$(BIN)/coverage report --include="service/*" --fail-under=90 --skip-covered -m

check: lint types contracts docs-check coverage ## everything a reviewer would ask for

format: install ## format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

serve: install ## the service on this machine
	$(BIN)/flagbook serve

clean: ## remove what was made
	rm -rf $(VENV) .coverage htmlcov .mypy_cache .ruff_cache .pytest_cache flagbook-demo
