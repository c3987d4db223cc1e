# You need Python >= 3.11 and make. Everything else is installed into .venv and web/node_modules, in the versions of the lock files.

PORT ?= 8000
DATA ?= cairn-data

# All paths are relative, so the folder name may contain spaces.
PY := .venv/bin/python
NPM := PATH="$(CURDIR)/.venv/bin:$$PATH" npm
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export npm_config_update_notifier := false

PYTHON_READY := .venv/.ready
NODE_READY := web/node_modules/.ready
WEB_READY := cairn/web_build/.ready

.DEFAULT_GOAL := help
.PHONY: help setup run dev web test test-fast test-faults mutants lint format types docs acceptance claims texts database-types pictures videos bench dist lock audit clean FORCE

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

run: setup $(WEB_READY) ## Run the whole product on http://127.0.0.1:8000 (PORT=8123 and DATA=some/folder change it)
	@exec .venv/bin/cairn serve --port $(PORT) --data "$(DATA)"

dev: setup $(NODE_READY) ## Run with hot reload: Python on PORT, the web app at the URL that Vite prints
	@exec $(PY) -m tools.dev --port $(PORT) --data "$(DATA)"

setup: $(PYTHON_READY)

web: $(WEB_READY) ## Build the web app into cairn/web_build

test: setup $(WEB_READY) ## Run every check: lint, format, types, layers, Python, TypeScript, contract and browser tests, acceptance rows
	@$(PY) -m tools.check

test-fast: setup ## Run the Python tests except the slow ones
	@$(PY) -m tools.check fast

test-faults: setup ## Run the long fault tests: outages of fifteen seconds, a full disk, a clock that jumps, a rolling restart behind nginx
	@$(PY) -m tools.check faults

mutants: setup $(WEB_READY) ## Plant faults in a copy of the code and report which tests catch them (ARGS="--package waivers" tries some)
	@$(PY) -m tools.mutants $(ARGS)

lint: setup $(NODE_READY) ## Run linters, format checks and import layers
	@$(PY) -m tools.check lint format layers web-lint web-format

format: setup $(NODE_READY) ## Reformat Python and TypeScript
	@$(PY) -m ruff check --quiet --fix . ; $(PY) -m ruff format --quiet .
	@cd web && $(NPM) run --silent format

types: setup $(NODE_READY) ## Check the types of Python and TypeScript
	@$(PY) -m tools.check types web-types

docs: setup ## Regenerate the lists in docs/architecture.md
	@$(PY) -m tools.architecture

acceptance: setup ## Regenerate docs/acceptance.md from the reports of the last make test
	@$(PY) -m tools.acceptance

claims: setup $(WEB_READY) ## Update docs/claims.md after a change of the public pages, the README or the emails
	@$(PY) -m tools.claims

texts: setup ## Collect the texts of emails, text messages and server-rendered pages in cairn/translations, and check translations
	@$(PY) -m tools.texts

database-types: setup ## Regenerate web/app/lib/database.ts from the database catalog
	@$(PY) -m tools.database_types

pictures: setup $(WEB_READY) ## Regenerate the screenshots in docs and on the public pages
	@$(PY) -m tools.pictures

videos: setup $(WEB_READY) ## Record the tutorial videos from the running product (ARGS="send proof" records some; needs FFmpeg)
	@$(PY) -m tools.videos $(ARGS)

bench: setup $(WEB_READY) ## Measure speed and memory, compare them with the goals, and append the results to bench/results.md
	@$(PY) -m bench

dist: setup $(WEB_READY) ## Build a wheel in dist/ that contains the built web app, and a list of the package versions that it was tested with
	@echo "Building the wheel"
	@tools/step "building the wheel" "The message above says why." $(PY) -m build --wheel --no-isolation --outdir dist .
	@cp requirements/run.txt dist/requirements.txt
	@ls dist/*.whl dist/requirements.txt

lock: setup ## Update the locked Python requirements (for the web app, run npm install in web/)
	@tools/lock

audit: setup ## Compare the locked packages with published security advisories
	@$(PY) -m tools.audit

clean: ## Remove everything that was built or installed, but no data folder
	rm -rf .venv web/node_modules web/build web/dist web/.react-router cairn/web_build dist test-results
	rm -rf .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .cache

FORCE:

# A step touches its .ready file when it succeeds. The next run skips the step unless a source is newer than that file.

$(PYTHON_READY): requirements/dev.txt pyproject.toml
	@$(PY) -m pip --version > /dev/null 2>&1 || { \
		python=$$(tools/find-python) || exit 1; \
		echo "Creating the virtual environment .venv"; \
		tools/step "creating .venv" "Is the venv module installed? On Debian and Ubuntu: apt-get install python3-venv" \
			"$$python" -m venv --clear .venv; }
	@echo "Installing the locked Python packages"
	@# The file lists all packages. Without --no-deps, pip 23 refuses it as soon as a package with extras has a newer version.
	@tools/step "installing the Python packages" "Is the package index reachable, and is there space on the disk?" \
		$(PY) -m pip install -q --no-deps --require-hashes -r requirements/dev.txt
	@tools/step "installing cairn into .venv" "Did pyproject.toml change?" \
		$(PY) -m pip install -q --no-deps --no-build-isolation -e .
	@touch $@

$(NODE_READY): web/package-lock.json | $(PYTHON_READY)
	@echo "Installing the locked browser packages"
	@cd web && PATH="$(CURDIR)/.venv/bin:$$PATH" ../tools/step "installing the browser packages" \
		"Is the package index reachable, and does web/package-lock.json match web/package.json?" \
		npm ci --no-audit --no-fund --loglevel=error
	@touch $@

# The first file or folder in web/ that changed after the last build. A removed file makes its folder newer. The list comes from
# find, because make would read brackets in the file name of a route as a pattern.
WEB_CHANGED := $(shell find web -mindepth 1 \
	\( -path web/node_modules -o -path web/build -o -path web/dist -o -path web/.react-router -o -name '*.test.ts*' \) -prune -o \
	-newer $(WEB_READY) -print 2>/dev/null | head -n 1)

$(WEB_READY): $(NODE_READY) $(if $(WEB_CHANGED),FORCE)
	@echo "Building the web app"
	@cd web && PATH="$(CURDIR)/.venv/bin:$$PATH" ../tools/step "building the web app" "The message above names the file." \
		sh -c 'npm run --silent build && npm run --silent build:sign'
	@rm -rf cairn/web_build && mkdir -p cairn/web_build
	@cp -R web/build/client cairn/web_build/app && cp -R web/dist/sign cairn/web_build/sign
	@touch $@
