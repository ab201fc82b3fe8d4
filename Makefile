# The two commands: `make app` serves the workbench, `make test` proves it. Both need Python 3.11 and make, and make
# their own .venv; a second run reuses it.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --disable-pip-version-check --quiet
LOCK := $(BIN)/uv pip compile --quiet --no-deps --generate-hashes --python-version 3.11 --no-annotate \
  --custom-compile-command "make lock"

.PHONY: app test test-fast lint format lock licences chromium pictures clean

app: .venv/app
	$(BIN)/python app.py

# Two workers, one a core; a file's tests stay together, since they share what its fixtures made.
test: lint chromium
	$(BIN)/python -m pytest --numprocesses 2 --dist loadfile

# What needs no browser, no server, no training and no searches with whole models.
test-fast: .venv/dev
	$(BIN)/python -m pytest --numprocesses 2 --dist loadfile -m "not browser and not training and not server and not slow"

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

# The locks name everything with hashes, so no package's range pulls anything. Only torch comes by itself and without
# a hash: its builds differ by machine (with CUDA, for a CPU, from one's own folder) and share nothing but the version.
# `pip check` says whether something is missing.
.venv/app: requirements.lock requirements.txt | .venv/python
	$(PIP) --no-deps --require-hashes -r requirements.lock
	$(PIP) $$(grep '^torch==' requirements.txt)
	$(BIN)/python -m pip check
	touch $@

.venv/dev: requirements-dev.lock .venv/app
	$(PIP) --no-deps --require-hashes -r requirements-dev.lock
	$(BIN)/python -m pip check
	touch $@

# After a change to the pinned versions: the hashes of every file that the package index has of them, for any machine.
lock:
	$(LOCK) requirements.txt --no-emit-package torch --output-file requirements.lock
	$(LOCK) requirements-dev.txt --output-file requirements-dev.lock

# The licence of everything that is installed; fails where a new copyleft one came in.
licences: .venv/app
	$(BIN)/python -m tests.packaging.licences

# The browser tests drive Debian's Chromium; where it is missing, root may install it.
chromium:
	@command -v chromium > /dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null \
	  && apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium fonts-noto-core; } \
	  || { echo "Expected Chromium for the browser tests: install Debian's packages chromium and fonts-noto-core." >&2; exit 1; }

# The README's pictures of the page, taken anew; `make pictures TO=FOLDER` takes all tabs, three widths, light and dark.
pictures: .venv/dev chromium
	$(BIN)/python -m tests.browser.pictures $(TO)

clean:
	rm -rf .venv .mypy_cache .ruff_cache .hypothesis
