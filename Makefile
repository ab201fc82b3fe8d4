# The two commands: `make app` serves the workbench, `make test` proves it. Both need Python 3.11 and make, and make
# their own .venv; a second run reuses it.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --disable-pip-version-check --quiet

.PHONY: app test lint format chromium pictures clean

app: .venv/app
	$(BIN)/python app.py

test: lint chromium
	$(BIN)/python -m pytest

lint: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: .venv/dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

.venv/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' \
	  || { echo "Expected Python 3.11; got $$($(PYTHON) --version). Set PYTHON=/path/to/python3.11." >&2; exit 1; }
	$(PYTHON) -m venv .venv
	touch $@

# torch comes first and by itself: a range in another package would pull a newer one with gigabytes of CUDA.
.venv/app: requirements.txt | .venv/python
	$(PIP) $$(grep '^torch==' requirements.txt)
	$(PIP) -r requirements.txt
	touch $@

.venv/dev: requirements-dev.txt .venv/app
	$(PIP) -r requirements-dev.txt
	touch $@

# The browser tests drive Debian's Chromium; where it is missing, root may install it.
chromium:
	@command -v chromium > /dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null \
	  && apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium fonts-noto-core; } \
	  || { echo "Expected Chromium for the browser tests: install Debian's packages chromium and fonts-noto-core." >&2; exit 1; }

# The README's pictures of the page, taken anew.
pictures: .venv/dev chromium
	$(BIN)/python -m tests.browser.pictures

clean:
	rm -rf .venv .mypy_cache .ruff_cache .hypothesis
