PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo chromium test lint docs clean

# Each stamp is made anew when what it installs changes.
.venv/installed: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -e .
	@touch $@

.venv/installed-tests: .venv/installed constraints.txt
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[test,train,large,cluster]"
	@touch $@

.venv/installed-docs: .venv/installed
	$(BIN)/pip install --quiet --disable-pip-version-check -e ".[docs]"
	@touch $@

demo: .venv/installed
	$(BIN)/azulejar demo -o demo --overwrite

# The tests drive the page in the system's Chromium.
chromium:
	@command -v chromium || command -v chromium-browser || command -v google-chrome \
	|| (apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium) \
	|| (sudo -n apt-get update -qq && sudo -n apt-get install -y -qq chromium) \
	|| $(BIN)/playwright install chromium

# Workers take whole files, the longest first (tests/conftest.py).
test: .venv/installed-tests chromium
	$(BIN)/python tests/compile_solvers.py
	$(BIN)/pytest -n 2 --dist loadfile --no-loadscope-reorder --durations=60

lint: .venv/installed-tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: .venv/installed-docs
	$(BIN)/mkdocs build --strict

clean:
	rm -rf .venv demo site
