#!/usr/bin/env bash
# Builds the Python package and tests the wheel in a virtual environment of its own, with the packages that its tests meet.
#
#   scripts/python.sh [release|dev] [environment|wheel|test] [pytest's arguments]
#
# With `environment` there is only that at the end, with `wheel` the wheel in it as well, with `test` the last wheel is
# tested, unless the environment had to be made anew.
# The wheel goes to target/wheels. The environment is fresh for a release; dev takes that of the last time, if it has the same
# packages. Without a Python 3.10 that can make environments, or without a registry to fetch from, a
# release fails, and dev is skipped, unless RACGEN_REQUIRE names `python`. Where that names `ray`, Ray is tested, too.
set -euo pipefail
cd "$(dirname "$0")/.."

profile=${1:-release}
shift || true
part=all
case "${1-}" in environment | wheel | test)
    part=$1
    shift
    ;;
esac
wheels="${CARGO_TARGET_DIR:-target}/wheels/$profile"
environment=.tools/python-test

say() { printf 'python: %s\n' "$*"; }
lack() {
    if [ "$profile" = release ] || [[ ",${RACGEN_REQUIRE:-}," == *,python,* ]]; then
        say "$*" >&2
        exit 1
    fi
    say "skipped, $*"
    exit 0
}

python=
for candidate in "${PYTHON:-python3}" python3.13 python3.12 python3.11 python3.10; do
    if "$candidate" -c 'import sys, venv; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
        python=$candidate
        break
    fi
done
[ -n "$python" ] || lack "there is no Python 3.10 or later with the module venv; install one (Debian: python3-venv)"

inside=$environment/bin/python
pip() { "$inside" -m pip --quiet --disable-pip-version-check "$@"; }
packages=$(sed -n 's/^test = \[\(.*\)\]$/\1/p' pyproject.toml | tr -d '",' )
tests=(crates/python/tests)
if [[ ",${RACGEN_REQUIRE:-}," == *,ray,* ]]; then
    packages+=" ray[data]"
    tests+=(crates/python/tests_engines)
fi
# What is required of this environment: packages that are fetched into it. The snippets of the papers meet others as well.
named=
for package in $packages; do
    module=$(sed 's/[[>].*//; s/-/_/g' <<<"$package")
    [[ ",${RACGEN_REQUIRE:-}," == *,"$module",* ]] && named+="$module,"
done
made="$("$python" --version) $packages"
if [ "$profile" = release ] || ! [ -x "$inside" ] || [ "$(cat "$environment/made" 2>/dev/null)" != "$made" ]; then
    say "making the environment $environment"
    [ "$part" != test ] || part=all
    rm -rf "$environment"
    "$python" -m venv "$environment" || lack "no virtual environment can be made"
    # shellcheck disable=SC2086
    pip install $packages || lack "the packages that the tests meet cannot be fetched"
    echo "$made" >"$environment/made"
fi

[ "$part" != environment ] || exit 0
if [ "$part" != test ]; then
    say "building the wheel ($profile)"
    rm -rf "$wheels"
    RACGEN_BUILD_PROFILE=$profile pip wheel . --no-deps --wheel-dir "$wheels"
    pip install --force-reinstall --no-deps "$wheels"/racgen-*.whl
fi
[ "$part" != wheel ] || exit 0
say "testing $(cd "$wheels" && echo racgen-*.whl) with $("$inside" --version)"
# What stops this script stops the tests.
exec env RACGEN_REQUIRE="$named" "$inside" -m pytest -q "${tests[@]}" "$@"
