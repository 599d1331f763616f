# make demo   sets up, runs the demonstration, prints the scoreboard and where the report lies
# make test   sets up, runs all fast tests
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.PHONY: demo test test-slow test-scale dev lint lock clean

demo: $(VENV)/.installed
	$(BIN)/answertrail demo --folder build/demo

dev: demo
	$(BIN)/answertrail --config build/demo/answertrail.toml dev

test: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -n logical --dist worksteal

test-slow: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -m slow

test-scale: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -m scale

lint: $(VENV)/.installed-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; v = sys.version_info[:2]; (3, 11) <= v < (3, 14) or sys.exit("Python 3.11, 3.12 or 3.13 is needed; this is %d.%d. Name one: make demo PYTHON=python3.12" % v)'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: requirements.lock pyproject.toml | $(VENV)/bin/python
	$(PIP) install --require-hashes -r requirements.lock
	$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.installed-dev: requirements-dev.lock $(VENV)/.installed
	$(PIP) install --require-hashes -r requirements-dev.lock
	@touch $@

# Both locks hold for Python 3.11 to 3.13 on every platform. pip wants extras pinned by name (--no-strip-extras).
COMPILE := $(BIN)/uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-strip-extras --no-header --quiet pyproject.toml
lock: $(VENV)/.installed-dev
	$(COMPILE) --extra build --extra celery -o requirements.lock
	$(COMPILE) --extra build --extra dev --extra celery --extra youtube -c requirements.lock -o requirements-dev.lock

clean:
	rm -rf $(VENV) build .answertrail
