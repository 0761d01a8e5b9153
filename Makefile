# Everything lives in .venv; `make` without a target says what there is.
VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= $(firstword $(foreach p,python3 python3.13 python3.12 python3.11,$(shell $(p) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && command -v $(p))))

.PHONY: help demo play test whole check format lint types imports steps docs bench facilitation weights live provider-peers peers examples screenshots chaos slow package lowest coverage mutants size conformance conformance-live clean

help: ## what there is
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 18

$(VENV)/.ready: pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "Roundtable needs Python 3.11 or newer on the PATH."; exit 2; }
	@echo "Setting up $(VENV) with $(PYTHON): a minute or two, once." >&2
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

$(VENV)/.demo: $(VENV)/.ready
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[demo]'
	@touch $@

$(VENV)/.dev: $(VENV)/.ready
	@echo "Adding what the tests and checks need." >&2
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

demo: $(VENV)/.demo ## try it in the browser, on this machine alone; Ctrl-C ends it
	@$(BIN)/roundtable demo

play: $(VENV)/.demo ## play the large example to its end through the real bot, without a browser
	$(BIN)/roundtable demo --play docs/examples/export-dashboard-as-pdf.yaml

# The workers take one file after another, in the order of tests/conftest.py. Files that
# wait for a browser, a process or a connection leave the cores idle: four keep two at work,
# six starve what must answer within Slack's three seconds. What `whole` runs keeps three busy.
FILES := --dist loadfile --no-loadscope-reorder
# Every worker collects all the files it is given: these hold the tests that `whole` runs.
WHOLE = $(sort $(shell grep -rlE 'mark\.whole|@given' tests --include='test_*.py'))

test: $(VENV)/.dev ## run the tests
	$(BIN)/python -m pytest -q -n 4 $(FILES) -m "not slow and not whole"

whole: $(VENV)/.dev ## the package, the demo, the commands of the docs, plays, pictures and benchmarks, each as a whole
	$(BIN)/python -m pytest -q -n 3 $(FILES) -m "(whole or hypothesis) and not slow" --hypothesis-profile=thorough $(WHOLE)

check: format lint types imports steps docs ## everything CI runs but the tests

format: $(VENV)/.dev
	$(BIN)/ruff format --check .

lint: $(VENV)/.dev
	$(BIN)/ruff check .

types: $(VENV)/.dev
	$(BIN)/mypy

imports: $(VENV)/.dev
	$(BIN)/lint-imports --no-cache

steps: $(VENV)/.ready
	$(BIN)/roundtable steps check steps --strict

docs: $(VENV)/.dev
	$(BIN)/python -m pytest -q tests/test_docs.py

bench: $(VENV)/.dev ## measure the figures of docs/reference/benchmarks.md (QUICK=1, FORMAT=json)
	@$(BIN)/python -m tests.bench $(if $(QUICK),--quick) $(if $(FORMAT),--format $(FORMAT))

facilitation: $(VENV)/.dev ## play untidy items and say how much was understood (DIR=…, ONLY=…, MISSES=1, FORMAT=json, BRAIN=thoughtful|lazy|malicious, PROVIDER_URL=…, MODEL=…, REPLIES=…)
	@$(BIN)/python -m tests.facilitation $(DIR) $(if $(FORMAT),--format $(FORMAT)) $(if $(MISSES),--misses) $(if $(ONLY),--only $(ONLY)) $(if $(BRAIN),--brain $(BRAIN)) $(if $(PROVIDER_URL),--provider-url $(PROVIDER_URL)) $(if $(MODEL),--model $(MODEL)) $(if $(REPLIES),--replies $(REPLIES))

weights: $(VENV)/.dev ## fit the weights of words (steps/brains/weights.yaml) anew to the lines of the items
	@$(BIN)/python -m tests.facilitation.weights

live: $(VENV)/.dev ## ask each task once of the real models that are set, and keep it in build/live; it costs a few cents
	@$(BIN)/python -m tests.live

AIMOCK := $(VENV)/aimock/node_modules/@copilotkit/aimock/dist/cli.js
provider-peers: $(VENV)/.dev ## try the wire to language models against a provider that others wrote; needs Node
	@command -v npm >/dev/null || { echo "make provider-peers needs Node and npm."; exit 2; }
	@npm install --prefix $(VENV)/aimock --silent --no-audit --no-fund --ignore-scripts @copilotkit/aimock@1.43.0
	@AIMOCK=$(abspath $(AIMOCK)) $(BIN)/python -m pytest -q tests/core/model/test_wire_peers.py

# Others' engines, which Roundtable does not depend on.
PEERS := $(VENV)/peers
PEERS_PINS := tests/bench/peers/requirements.txt
$(PEERS)/.ready: pyproject.toml constraints.txt $(PEERS_PINS)
	@test -n "$(PYTHON)" || { echo "Roundtable needs Python 3.11 or newer on the PATH."; exit 2; }
	test -x $(PEERS)/bin/python || $(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt \
		-r $(PEERS_PINS) -e '.[demo]'
	@touch $@

peers: $(PEERS)/.ready ## measure a durable step beside LangGraph and DBOS (FORMAT=json)
	@$(PEERS)/bin/python -m tests.bench.peers $(if $(FORMAT),--format $(FORMAT))

examples: $(VENV)/.dev ## make docs/examples/artifacts again
	$(BIN)/python -m tests.examples

screenshots: $(VENV)/.dev ## make docs/pictures again; needs Chromium
	$(BIN)/python -m tests.screenshots

chaos: $(VENV)/.dev ## a thousand simulated sessions, and a kill at every commit and send point
	$(BIN)/python -m pytest -q -n 3 $(if $(ROUNDTABLE_SEED),tests/chaos/test_simulation.py,tests/chaos)

slow: $(VENV)/.dev ## everything that both `make test` and `make whole` leave out: all plays at all depths, all kills
	$(BIN)/python -m pytest -q -m slow

package: $(VENV)/.dev ## build wheel and sdist, and try them in clean environments
	$(BIN)/python -m pytest -q tests/test_package.py
	$(BIN)/python -m build --no-isolation --outdir dist .

# Old libraries warn of what newer Pythons took away; what counts is that everything works.
# What a browser shows is another matter: those tests are left out.
LOWEST := $(VENV)/lowest
BROWSED = $(shell grep -rlE 'playwright|support.browsing|support.page\b' tests --include='test_*.py')
lowest: $(VENV)/.dev ## run the tests on the lowest version of every dependency
	test -x $(LOWEST)/bin/python || $(PYTHON) -m venv $(LOWEST)
	$(BIN)/python -m tests.lowest > $(LOWEST)/constraints.txt
	$(LOWEST)/bin/python -m pip install --quiet --disable-pip-version-check -c $(LOWEST)/constraints.txt \
		-e '.[demo]' build hatchling httpx hypothesis import-linter pytest pytest-mock pytest-xdist
	$(LOWEST)/bin/python -m pytest -q -n 2 -m "not slow" -o filterwarnings=default \
		$(addprefix --ignore=,$(BROWSED))

coverage: $(VENV)/.dev ## which branches of core its tests take; fails under 95 %
	$(BIN)/python -m pytest -q -n 4 $(FILES) tests/core tests/content tests/repositories --cov=core --cov-branch \
		--cov-report=term-missing:skip-covered --cov-fail-under=95

size: $(VENV)/.dev ## how large the product is, and how it is named, beside when the rebuilding began
	@$(BIN)/python -m tests.support.size

# `pure`, or one file of core/engine by its name: `make mutants WHAT=routing`. What is changed, and
# which tests look at it: tests/mutants. mutmut writes its copies into the folder it is run from,
# so it has one of its own.
WHAT ?= pure

$(VENV)/.mutants: $(VENV)/.ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[mutants]'
	@touch $@

mutants: $(VENV)/.mutants ## change the code in small places and see whether a test notices
	@mkdir -p .mutants/$(WHAT)
	@cd .mutants/$(WHAT) && ln -sfn $(addprefix ../../,bot core docs steps tests pyproject.toml) .
	@rm -f .mutants/$(WHAT)/setup.cfg
	@if [ -f tests/mutants/$(WHAT).cfg ]; then cat tests/mutants/$(WHAT).cfg; else \
		$(BIN)/python -m tests.mutants.engine $(WHAT); fi > .mutants/$(WHAT)/setup.cfg
	cd .mutants/$(WHAT) && ../../$(BIN)/mutmut run --max-children 2
	cd .mutants/$(WHAT) && ../../$(BIN)/mutmut results

conformance: $(VENV)/.dev ## write the table of docs/reference/conformance.md again
	$(BIN)/python -m tests.conformance.page

conformance-live: $(VENV)/.dev ## try the local workspace's cases against a real one; says what it needs
	@$(BIN)/python -m tests.conformance.live $(ONLY)

clean: ## remove what was made here
	rm -rf $(VENV) .mutants build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
