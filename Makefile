# The common jobs. `make demo` and `make test` do all the set-up they need.

# What scripts/setup.sh installed comes first, for every recipe: cmake, and with --peers Python packages.
CARGO_BIN := $(if $(CARGO_HOME),$(CARGO_HOME),$(HOME)/.cargo)/bin
export PATH := $(CURDIR)/.tools/venv/bin:$(CURDIR)/.tools/bin:$(CARGO_BIN):$(PATH)

# Where scripts/build_dev.sh puts what it builds.
DEV := $(if $(CARGO_TARGET_DIR),$(CARGO_TARGET_DIR),target)/debug

.DEFAULT_GOAL := help
.PHONY: help setup build demo test python check-python fuzz check-files check-training check-engines check-all evidence cross-check \
	torture bench bench-memory bench-growth bench-engines lint fmt clean

help: ## List these targets
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/  make \1|\2/p' Makefile | awk -F'|' '{ printf "%-22s%s\n", $$1, $$2 }'

setup: ## Install what is missing: a C++ compiler, cmake 3, Rust
	@scripts/setup.sh

build: setup ## Build racgen, optimised, as target/release/racgen
	cargo build --release --locked

demo: build ## Make a small data set in data/demo and show a few items
	cargo run --quiet --release --locked -- --domain dwr --depth 5 --out data/demo --force
	cargo run --quiet --release --locked -- show data/demo/data/train-00000-of-00001.parquet --row 0 --rows 2

test: setup check-files ## Run all tests
	scripts/python.sh dev wheel
	scripts/test.sh

python: setup ## Build the Python package as an optimised wheel in target/wheels, and test it in an environment of its own
	scripts/python.sh release

# The same, built to be ready soon. Skipped, with a word about it, where there is no Python for it.
check-python: setup
	scripts/python.sh dev

torture: build ## Kill, crowd and fuzz racgen for some minutes; see scripts/torture.sh
	scripts/torture.sh

PAIRS ?= 1000000
ITEMS ?= 2000
cross-check: setup ## Compare lanes, circuits and clingo on a million steps, the naive oracles on 2,000 items each, and check all packages; PAIRS=N ITEMS=N
	RACGEN_PAIRS=$(PAIRS) cargo test --release --locked --test domains --test games -- --nocapture \
		lanes_and_clingo_agree_on_random_steps circuit_network_and_clingo_agree
	RACGEN_ITEMS=$(ITEMS) cargo test --release --locked --test domains -- --nocapture naive built_in_packages every_imported_package

FUZZ_SECONDS ?= 60
# Without --nocapture nobody would see how many documents each parser was given.
fuzz: setup ## Fuzz each parser for a minute; FUZZ_SECONDS=N for another time
	FUZZ_SECONDS=$(FUZZ_SECONDS) cargo test --locked --test fuzz -- --nocapture

# Do other tools read the files? Skipped, with a word about it, for those that are not installed.
check-files: setup
	scripts/build_dev.sh --quiet
	$(DEV)/racgen --domain dwr,blocks --level 1-2 --depth 2 --items 400 --format parquet,jsonl,csv \
		--style qa,prompt_completion,messages,text,boolq --rationale --out data/check --force --quiet
	@if command -v python3 >/dev/null; then python3 scripts/check_files.py data/check; \
	else echo "check_files: skipped, there is no python3"; fi

check-training: setup ## Train tiny models on what racgen writes; skipped where torch, transformers or trl is missing
	scripts/build_dev.sh --quiet
	scripts/python_peers.sh training
	@python=.tools/training/bin/python; [ -x $$python ] || python=python3; \
	if ! command -v $$python >/dev/null; then echo "check_training: skipped, there is no python3"; exit 0; fi; \
	$(DEV)/racgen --domain blocks --items 100 --style prompt_completion,messages --out data/check-training \
		--force --quiet && \
	$$python scripts/check_training.py data/check-training && \
	$$python examples/finetune.py --check $(DEV)/racgen

# What a small model learns, two to three hours on two cores; EVIDENCE="--size medium" for an accelerator.
evidence: setup ## Train small models on racgen's data and write docs/evidence.md; skipped where torch is missing
	scripts/python_peers.sh evidence $(EVIDENCE)

check-engines: setup ## Have Ray, Spark and Daft make and write rows; skipped where they cannot be had
	scripts/python_peers.sh engines

# Everything that can be installed; reference data that are not part of racgen cannot, and only tests of them are skipped.
EVERYTHING := python,pyarrow,polars,duckdb,pandas,datasets,tqdm,clingo,gymnasium,reasoning_gym,ray,daft,pyspark,torch,$\
	transformers,trl,verifiers,swipl,chromium,python3
check-all: ## All checks, requiring all programs and packages that any of them can use; gigabytes are fetched
	scripts/setup.sh --peers
	$(MAKE) lint
	RACGEN_REQUIRE=$(EVERYTHING) $(MAKE) check-training check-engines test

bench: setup ## Measure speed: whole runs, one large world, the parts, games, rule sets, mazes, pictures and sampled games
	cargo bench --locked --bench factory
	cargo bench --locked --bench parts
	cargo bench --locked --bench games
	cargo bench --locked --bench rules
	cargo bench --locked --bench halma
	cargo bench --locked --bench pictures
	cargo bench --locked --bench iq

bench-memory: setup ## Measure the peak memory of a run of a million rows
	cargo bench --locked --bench factory -- memory

bench-growth: build ## Measure how time and memory grow with items, actions and objects; writes docs/growth.csv and docs/growth.svg
	python3 benches/growth.py target/release/racgen $(GROWTH)

bench-engines: ## Measure Ray beside the command, in one run: items a second of each, taking turns
	scripts/python_peers.sh bench

lint: ## Check format, lints and the links of the documentation
	@scripts/setup.sh --lint
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	cargo check --quiet --locked --no-default-features --lib
	RUSTDOCFLAGS="-D warnings" cargo doc --quiet --no-deps --workspace --locked

fmt: ## Format the code
	@scripts/setup.sh --lint
	cargo fmt --all

clean: ## Remove what was built and made
	rm -rf data/demo data/check data/check-training
	cargo clean
