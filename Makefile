# Needs Python >= 3.11 and make. Everything else is fetched into .venv and web/node_modules, pinned by the lock files.

PORT ?= 8000
DATA ?= cairn-data

# Relative paths throughout, so that the folder may have a blank in its name.
PY := .venv/bin/python
NPM := PATH="$(CURDIR)/.venv/bin:$$PATH" npm
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export npm_config_update_notifier := false

PYTHON_READY := .venv/.ready
NODE_READY := web/node_modules/.ready
WEB_READY := cairn/web_build/.ready

.DEFAULT_GOAL := help
.PHONY: help setup run dev web test test-fast lint format types acceptance pictures bench dist lock clean FORCE

help: ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile

run: setup $(WEB_READY) ## The whole product on http://127.0.0.1:8000; PORT=8123 DATA=some/folder choose others
	@exec .venv/bin/cairn serve --port $(PORT) --data "$(DATA)"

dev: setup $(NODE_READY) ## The same with hot reload: Python on PORT, the browser side on the address Vite prints
	@exec $(PY) -m tools.dev --port $(PORT) --data "$(DATA)"

setup: $(PYTHON_READY)

web: $(WEB_READY) ## Build the browser side into cairn/web_build

test: setup $(WEB_READY) ## Every check there is: lint, format, types, floors, Python, TypeScript, contract, browser
	@$(PY) -m tools.check

test-fast: setup ## The Python tests without the slow ones
	@$(PY) -m tools.check fast

lint: setup $(NODE_READY) ## Linters, format checks and import floors
	@$(PY) -m tools.check lint format floors web-lint web-format

format: setup $(NODE_READY) ## Reformat Python and TypeScript
	@$(PY) -m ruff check --quiet --fix . ; $(PY) -m ruff format --quiet .
	@cd web && $(NPM) run --silent format

types: setup $(NODE_READY) ## Strict types on both sides
	@$(PY) -m tools.check types web-types

acceptance: setup ## Write docs/acceptance.md anew from the ids the tests carry
	@$(PY) -m tools.acceptance

pictures: setup $(WEB_READY) ## Take the pictures of the papers anew from the running product
	@$(PY) -m tools.pictures

bench: setup $(WEB_READY) ## Measured ratios with their goals, appended to bench/results.md
	@$(PY) -m bench

dist: setup $(WEB_READY) ## A wheel in dist/ with the browser side inside: installing it needs no Node
	@echo "Building the wheel"
	@$(PY) -m build --wheel --no-isolation --outdir dist . > dist.log || { cat dist.log; exit 1; }
	@rm -f dist.log; ls dist/*.whl

lock: setup ## Resolve the Python requirements anew (npm's lock: npm install in web/)
	@tools/lock

clean: ## Remove everything that was built or installed; data folders stay
	rm -rf .venv web/node_modules web/build web/dist web/.react-router cairn/web_build dist test-results
	rm -rf .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .cache

FORCE:

# Each stamp is newer than what it was made from; a second run finds it so and does nothing.

$(PYTHON_READY): requirements/dev.txt pyproject.toml
	@$(PY) -m pip --version > /dev/null 2>&1 || { \
		python=$$(tools/find-python) || exit 1; \
		echo "Making the virtual environment .venv"; "$$python" -m venv --clear .venv; }
	@echo "Installing the locked Python packages"
	@$(PY) -m pip install -qq --require-hashes -r requirements/dev.txt
	@$(PY) -m pip install -qq --no-deps --no-build-isolation -e .
	@touch $@

$(NODE_READY): web/package-lock.json | $(PYTHON_READY)
	@echo "Installing the locked browser packages"
	@cd web && $(NPM) ci --silent --no-audit --no-fund
	@touch $@

# Asked with find, because make would take brackets in a route's file name for a pattern. A folder is newer once a file in it went.
WEB_CHANGED := $(shell find web -mindepth 1 \
	\( -path web/node_modules -o -path web/build -o -path web/dist -o -path web/.react-router -o -name '*.test.ts*' \) -prune -o \
	-newer $(WEB_READY) -print 2>/dev/null | head -n 1)

$(WEB_READY): $(NODE_READY) $(if $(WEB_CHANGED),FORCE)
	@echo "Building the browser side"
	@cd web && $(NPM) run --silent build > build.log 2>&1 && $(NPM) run --silent build:sign >> build.log 2>&1 || { cat build.log; exit 1; }
	@rm -rf web/build.log cairn/web_build && mkdir -p cairn/web_build
	@cp -R web/build/client cairn/web_build/app && cp -R web/dist/sign cairn/web_build/sign
	@touch $@
