#!/usr/bin/env bash
# Tests the Python package with heavy packages: those that train and test models (`training`: torch, TRL, verifiers,
# lm-evaluation-harness), or those that share work among machines (`engines`: Ray, Spark, Daft).
#
#   scripts/python_peers.sh training|engines [pytest's arguments]
#   scripts/python_peers.sh bench [arguments of benches/engines.py]        Ray beside the command, with an optimised wheel
#   scripts/python_peers.sh evidence [arguments of examples/learning/run.py]    small models that learn, with an optimised wheel
#
# The packages go to .tools/training and .tools/engines. The former are some gigabytes and are fetched with RACGEN_FETCH=yes, or
# where RACGEN_REQUIRE names one of them. What cannot be had is skipped, unless RACGEN_REQUIRE names it.
set -euo pipefail
cd "$(dirname "$0")/.."

kind=$1
shift
profile=dev
environment=.tools/$kind
case $kind in
training) packages=(torch torchvision transformers trl verifiers datasets lm_eval) ;;
engines) packages=('ray[data]' daft pyspark pyarrow pandas) ;;
bench)
    packages=('ray[data]' daft pyspark pyarrow pandas)
    profile=release
    environment=.tools/engines
    ;;
evidence)
    packages=(torch)
    profile=release
    environment=.tools/training
    ;;
*)
    echo "python_peers: \`$kind\` is neither training, engines, bench nor evidence" >&2
    exit 2
    ;;
esac
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
    if [ "$environment" = .tools/training ] && [ "${RACGEN_FETCH:-no}" = no ] && ! [[ ",${RACGEN_REQUIRE:-}," =~ ,(torch|trl|verifiers), ]]; then
        lack "$environment is not there; RACGEN_FETCH=yes fetches some gigabytes into it"
    fi
    python3 -m venv "$environment" || lack "there is no Python that makes virtual environments"
    # What trains shares an environment.
    wanted=("${packages[@]}")
    if [ "$kind" = evidence ]; then wanted=(torch transformers trl verifiers datasets); fi
    say "installing ${wanted[*]} into $environment"
    "$inside" -m pip install --quiet --disable-pip-version-check pytest "${wanted[@]}" || {
        rm -rf "$environment"
        lack "the packages cannot be fetched"
    }
fi
wheels="${CARGO_TARGET_DIR:-target}/wheels/$profile"
say "building the wheel ($profile)"
rm -rf "$wheels"
RACGEN_BUILD_PROFILE=$profile "$inside" -m pip wheel --quiet --disable-pip-version-check . --no-deps --wheel-dir "$wheels"
"$inside" -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps "$wheels"/racgen-*.whl
if [ "$kind" = bench ]; then
    exec "$inside" benches/engines.py "$@"
fi
if [ "$kind" = evidence ]; then
    exec "$inside" examples/learning/run.py "$@"
fi
say "testing with $("$inside" --version)"
# The snippets of the papers meet packages of other environments as well, which are required there.
named=
for package in "${packages[@]}"; do
    [[ ",${RACGEN_REQUIRE:-}," == *,"${package%%[*}",* ]] && named+="${package%%[*},"
done
RACGEN_REQUIRE=$named "$inside" -m pytest -q "crates/python/tests_$kind" crates/python/tests/test_docs.py "$@"
