#!/usr/bin/env bash
# Tests the Python package with heavy packages: those that train (`training`: torch, TRL, verifiers), or those that share work
# among machines (`engines`: Ray, Spark, Daft).
#
#   scripts/python_peers.sh training|engines [pytest's arguments]
#
# The packages go to .tools/training and .tools/engines. The former are some gigabytes and are fetched with RACGEN_FETCH=yes, or
# where RACGEN_REQUIRE names one of them. What cannot be had is skipped, unless RACGEN_REQUIRE names it.
set -euo pipefail
cd "$(dirname "$0")/.."

kind=$1
shift
case $kind in
training) packages=(torch transformers trl verifiers datasets) ;;
engines) packages=('ray[data]' daft pyspark pyarrow pandas) ;;
*)
    echo "python_peers: \`$kind\` is neither training nor engines" >&2
    exit 2
    ;;
esac
environment=.tools/$kind
inside=$environment/bin/python

say() { printf 'python_peers: %s\n' "$*"; }
lack() {
    for package in "${packages[@]}"; do
        if [[ ",${RACGEN_REQUIRE:-}," == *,"${package%%[*}",* ]]; then
            say "RACGEN_REQUIRE names ${package%%[*}, and $*" >&2
            exit 1
        fi
    done
    say "skipped, $*"
    exit 0
}

if ! [ -x "$inside" ]; then
    if [ "$kind" = training ] && [ "${RACGEN_FETCH:-no}" = no ] && ! [[ ",${RACGEN_REQUIRE:-}," =~ ,(torch|trl|verifiers), ]]; then
        lack "$environment is not there; RACGEN_FETCH=yes fetches some gigabytes into it"
    fi
    python3 -m venv "$environment" || lack "there is no Python that makes virtual environments"
    say "installing ${packages[*]} into $environment"
    "$inside" -m pip install --quiet --disable-pip-version-check pytest "${packages[@]}" || {
        rm -rf "$environment"
        lack "the packages cannot be fetched"
    }
fi
wheels="${CARGO_TARGET_DIR:-target}/wheels/dev"
say "building the wheel"
rm -rf "$wheels"
RACGEN_BUILD_PROFILE=dev "$inside" -m pip wheel --quiet --disable-pip-version-check . --no-deps --wheel-dir "$wheels"
"$inside" -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps "$wheels"/racgen-*.whl
say "testing with $("$inside" --version)"
"$inside" -m pytest -q "crates/python/tests_$kind" crates/python/tests/test_docs.py "$@"
