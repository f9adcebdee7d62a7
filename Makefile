# lasthop: two commands on a fresh machine: `make demo` and `make test`.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Images of containers often set it. The tests start Python hundreds of times: each start would compile numpy and lasthop anew.
unexport PYTHONDONTWRITEBYTECODE
RUST := Cargo.toml Cargo.lock $(shell find crates -name '*.rs' -o -name '*.toml')

.PHONY: help demo docs papers playground test lint lint-rust lint-python snapshots bench bench-peers wheel count count-profiled count-renew sizes licences validate clean check-tools

help:
	@echo "make demo   build, then reproduce four papers, briefly: out/*/report.html"
	@echo "make test   build, then run every check"
	@echo "make snapshots  build, then write what commands print today: tests/snapshots/, to be read before it is committed"
	@echo "make papers  build, then reproduce four papers whole with their audits, which takes an hour, and write what was found into README and docs/reference/papers.md"
	@echo "make docs   build, then the documentation site: out/site/index.html"
	@echo "make playground  build, then lasthop in a web page: out/playground/lasthop.html, and for lasthop playground (needs Rust's target wasm32-unknown-unknown)"
	@echo "make bench  build, then measure the speed"
	@echo "make wheel  build a wheel with a profile of what it runs, and the playground: out/wheel (needs rustup's llvm-tools, and the target of make playground)"
	@echo "make bench-peers  build, then measure the speed beside that of ns-2 and ns-3: docs/reference/performance.md"
	@echo "make count  build, then count the instructions of the same work (needs valgrind); count-renew writes down what fell; count-profiled counts the build with a profile"
	@echo "make sizes  measure size and start-up times of the base installation: docs/reference/performance.md"
	@echo "make licences  write the licences of the Rust crates in the wheel: THIRD-PARTY-LICENSES.txt, after a change of Cargo.lock"
	@echo "make validate  build, then compare with theory, a Monte Carlo and (where their numbers are there) ns-2 and ns-3; write down what was measured"
	@echo "make clean  remove what was built"

# Without the audits, which tell what each verdict rests on and take as long again: `lasthop reproduce NAME --quick` has them.
demo: $(VENV)/.built
	$(BIN)/lasthop reproduce petrovic2003 --quick --no-audit
	$(BIN)/lasthop reproduce wimax2012 --quick --no-audit
	$(BIN)/lasthop reproduce qaddoura2006 --quick --no-audit
	$(BIN)/lasthop reproduce janevski2011 --quick --no-audit
	@echo
	@echo "Reports, to open in a browser:"
	@echo "  $(CURDIR)/out/petrovic2003/report.html"
	@echo "  $(CURDIR)/out/janevski2011/report.html"
	@echo "  $(CURDIR)/out/wimax2012/report.html"
	@echo "  $(CURDIR)/out/qaddoura2006/report.html"

docs: $(VENV)/.built
	$(BIN)/python tools/make_site.py --strict

playground: $(VENV)/.built
	$(BIN)/python tools/playground.py --package

bench: $(VENV)/.built
	$(BIN)/lasthop bench

# ns-2 and ns-3 come from Debian where they may be installed; what is not there is left out. Debian's ns-3 is linked
# with GSL and SQLite, which its package only recommends.
bench-peers: $(VENV)/.built
	@command -v ns >/dev/null && pkg-config --exists ns3-wifi gsl sqlite3 || \
	  { [ "$$(id -u)" = 0 ] && apt-get update -q && \
	    DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends ns2 libns3-dev libgsl-dev libsqlite3-dev g++ pkg-config; } || \
	  echo "ns-2 or ns-3 is not here and could not be installed"
	$(BIN)/python tools/profiled_build.py run
	PYTHONPATH=validation $(BIN)/python -m lasthop_peers

wheel: playground
	$(BIN)/python tools/profiled_build.py wheel

# Beside lasthop-py, the features of dependencies are those of the module: what was compiled for it is used again.
count: $(VENV)/.built
	cargo build --release --quiet -p lasthop-py -p lasthop-scenario --bin run
	$(BIN)/python tools/count_instructions.py

count-profiled: $(VENV)/.built
	$(BIN)/python tools/profiled_build.py run
	$(BIN)/python tools/count_instructions.py --profiled

# DEARER names workloads that may cost more than is written down; the commit says what that buys.
count-renew: $(VENV)/.built
	cargo build --release --quiet -p lasthop-py -p lasthop-scenario --bin run
	$(BIN)/python tools/count_instructions.py --renew --dearer $(DEARER)

sizes: playground
	$(BIN)/python tools/measure_install.py
	$(BIN)/python tools/weigh_pages.py --write

licences: $(VENV)/.made
	$(BIN)/python tools/third_party.py

validate: $(VENV)/.built
	$(BIN)/lasthop validate --write

test: $(VENV)/.built lint
	cargo test --workspace --quiet
	$(BIN)/pytest -n logical --maxprocesses 8 --dist worksteal

papers: $(VENV)/.built
	$(BIN)/lasthop reproduce all
	$(BIN)/python tools/renew_papers.py

snapshots: $(VENV)/.built
	$(BIN)/pytest tests/python/test_snapshots.py --renew
	git diff --stat tests/snapshots

# The checker of types has one thread; it runs beside the compiler.
lint: $(VENV)/.built
	$(MAKE) --no-print-directory --jobs 2 --output-sync lint-rust lint-python

lint-rust:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --quiet -- -D warnings

lint-python:
	$(BIN)/python tools/check_arrows.py
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/mypy --platform darwin python/lasthop
	$(BIN)/mypy --platform win32 python/lasthop

# The environment is made again when the dependencies change, the compiled module when the Rust sources do.
$(VENV)/.made: pyproject.toml | check-tools
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python tools/install.py
	@touch $@

$(VENV)/.built: $(VENV)/.made $(RUST)
	$(BIN)/maturin develop --release --quiet
	@touch $@

check-tools:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "lasthop needs Python 3.11 or newer as '$(PYTHON)'. Debian: apt install python3 python3-venv," \
	       "or name another: make PYTHON=python3.12 ..."; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "lasthop needs Python's venv module. Debian: apt install python3-venv"; exit 1; }
	@command -v cargo >/dev/null || { \
	  echo "lasthop needs cargo 1.85 or newer. Without root: curl -sSf https://sh.rustup.rs | sh"; exit 1; }
	@command -v cc >/dev/null || { \
	  echo "lasthop needs a C compiler to link with. Debian: apt install gcc libc6-dev"; exit 1; }

clean:
	rm -rf $(VENV) target out python/lasthop/_core*.so
