PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test lint clean

# Each stamp is made anew when what it installs changes.
.venv/installed: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -e .
	@touch $@

.venv/installed-tests: .venv/installed constraints.txt
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[test,train]"
	@touch $@

demo: .venv/installed
	$(BIN)/azulejar demo -o demo --overwrite

test: .venv/installed-tests
	$(BIN)/pytest -n 2

lint: .venv/installed-tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

clean:
	rm -rf .venv demo
