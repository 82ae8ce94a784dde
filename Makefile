PYTHON ?= python3
BIN := .venv/bin

UNTRIED := 3.15  # the first Python for which constraints.txt does not hold
# Versions and hashes for all systems, not only for this one.
LOCK = .venv/lock/bin/uv pip compile pyproject.toml --quiet --universal --generate-hashes \
  --python-version 3.11.5 --constraint constraints.txt --strip-extras \
  --no-emit-index-url --no-emit-find-links --no-header --no-annotate

.PHONY: demo chromium test lint docs lock results-check clean

# Each stamp is made anew when what it installs changes.
.venv/installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

.venv/installed-tests: .venv/installed
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[test,train,large,cluster]"
	@touch $@

.venv/installed-docs: .venv/installed
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[docs]"
	@touch $@

demo: .venv/installed
	$(BIN)/azulejar demo -o demo --overwrite

# Modules are compiled once, not by each of the many processes of the tests.
unexport PYTHONDONTWRITEBYTECODE

# The tests drive the page in the system's Chromium.
chromium:
	@command -v chromium || command -v chromium-browser || command -v google-chrome \
	|| (apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium) \
	|| (sudo -n apt-get update -qq && sudo -n apt-get install -y -qq chromium) \
	|| $(BIN)/playwright install chromium

# Workers take whole files or folders, the longest first (tests/conftest.py). There are two for each
# core, as tests of servers, browsers and processes wait now and then.
test: .venv/installed-tests chromium
	$(BIN)/python tests/compile_loops.py
	$(BIN)/pytest -n 4 --no-loadscope-reorder --durations=60

lint: .venv/installed-tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: .venv/installed-docs
	$(BIN)/mkdocs build --strict

# Take the newest versions, run the tests with them, and keep them if all is well: make clean,
# empty constraints.txt, make test docs lock. It takes some minutes.
lock: .venv/installed-tests .venv/installed-docs
	sed -n '/^#/p' constraints.txt > constraints.new
	$(BIN)/pip freeze --all --exclude pip --exclude-editable | sed 's/+.*//; s/$$/ ; python_version < "$(strip $(UNTRIED))"/' >> constraints.new
	mv constraints.new constraints.txt
	$(PYTHON) -m venv .venv/lock
	.venv/lock/bin/pip install --quiet uv
	$(LOCK) --extra large --output-file .venv/lock/requirements.txt
	$(LOCK) --all-extras --output-file .venv/lock/requirements-all.txt
	for name in requirements requirements-all; do \
	  sed -n '/^#/p' $$name.lock > $$name.new; \
	  cat .venv/lock/$$name.txt >> $$name.new; \
	  mv $$name.new $$name.lock; \
	done

# Pages of results whose version or weights are not the present ones.
results-check: .venv/installed
	$(BIN)/python benchmarks/results_check.py

clean:
	rm -rf .venv demo site
