#!/usr/bin/env bash
# Builds the library, the command and the Python module for development, with what `cargo test --workspace` compiles: cargo
# chooses features of dependencies by what is built together, and so would compile everything once more for each of them alone.
#
#   scripts/build_dev.sh [options of cargo build]
#
# The command is then target/debug/racgen.
set -euo pipefail
cd "$(dirname "$0")/.."

# As maturin has it: PyO3 then links no libpython.
export PYO3_BUILD_EXTENSION_MODULE=1
# A test among the targets has cargo choose the features that it chooses for tests.
exec cargo build --locked --workspace --lib --bin racgen --test layers "$@"
