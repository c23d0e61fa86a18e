#!/usr/bin/env bash
# Tests the Python package while the tests of Rust are built, and then runs these. `make test` calls it, once there is a wheel.
#
#   scripts/test.sh
set -euo pipefail
cd "$(dirname "$0")/.."

target=${CARGO_TARGET_DIR:-target}
skipped=$target/tmp/skipped.txt
rm -f "$skipped"

# Most of these tests take one processor only, and the compiler hardly ever takes all. What they say is shown in one piece.
mkdir -p "$target/tmp"
said=$target/tmp/python.txt
scripts/python.sh dev test >"$said" 2>&1 &
python=$!
trap 'kill "$python" 2>/dev/null || true' EXIT

built=0
cargo test --locked --workspace --no-run || built=$?
tested=0
wait "$python" || tested=$?
trap - EXIT
cat "$said"
[ "$built" = 0 ] || exit "$built"
[ "$tested" = 0 ] || exit "$tested"

cargo test --locked --workspace

if [ -s "$skipped" ]; then
    sort -u "$skipped"
    echo "skipped for want of something: $(sort -u "$skipped" | wc -l) of the above"
fi
