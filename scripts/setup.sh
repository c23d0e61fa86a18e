#!/usr/bin/env bash
# Installs what building racgen needs and this machine lacks: a C++ compiler, cmake 3, Rust. Touches nothing that is
# there already, and needs no network then.
#
#   scripts/setup.sh            what `make build`, `make demo` and `make test` need
#   scripts/setup.sh --lint     rustfmt and clippy, too
#   scripts/setup.sh --peers    other programs that some tests run what racgen writes with, as far as they can be had:
#                               SWI-Prolog, Chromium, pyarrow, polars, duckdb and datasets in .tools/venv, and
#                               unified-planning in .tools/planning
#
# A cmake of its own goes to .tools/bin; the Makefile puts that folder and cargo's first on the PATH of its recipes.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo_bin="${CARGO_HOME:-$HOME/.cargo}/bin"
export PATH="$PWD/.tools/bin:$cargo_bin:$PATH"

say() { printf 'setup: %s\n' "$*"; }
fail() {
    printf 'setup: %s\n' "$*" >&2
    exit 1
}
has() { command -v "$1" >/dev/null 2>&1; }

# True if the version $1 is at least $2.
at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }

# ------------------------------------------------------------------------------------------------ Debian packages

if [ "$(id -u)" = 0 ]; then
    as_root=()
elif has sudo; then
    as_root=(sudo)
else
    as_root=(false)
fi

can_apt() { has apt-get && [ "${as_root[*]-}" != false ]; }

updated=
apt_update() {
    [ -n "$updated" ] && return
    say "updating the lists of Debian packages"
    ${as_root[@]+"${as_root[@]}"} apt-get update -qq || say "that failed; going on with the lists that are there"
    updated=yes
}

apt_install() {
    apt_update
    say "installing the Debian packages: $*"
    ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

# --------------------------------------------------------------------------------------------------- C++ compiler

find_compiler() { has "${CXX:-c++}" && has "${CC:-cc}"; }

if ! find_compiler; then
    if can_apt; then
        apt_install g++ libc6-dev
    elif [ "$(uname)" = Darwin ]; then
        fail "no C++ compiler. Run \`xcode-select --install\`, then this again."
    fi
    find_compiler || fail "no C++ compiler. Install g++ or clang with your system's package manager, then run this again."
fi

# ---------------------------------------------------------------------------------------------------------- cmake

# clingo is built by cmake; its build files are refused by cmake 4.
cmake_version() { cmake --version 2>/dev/null | sed -n 's/^cmake version \([0-9.]*\).*/\1/p'; }
fits() { [ -n "$1" ] && at_least "$1" 3.5 && ! at_least "$1" 4; }

cmake_from_apt() {
    can_apt || return 1
    apt_update
    local offered
    offered=$(apt-cache policy cmake 2>/dev/null | sed -n 's/^ *Candidate: \([0-9.]*\).*/\1/p')
    fits "$offered" || return 1
    apt_install cmake
}

cmake_from_pip() {
    local python
    for python in python3 python; do
        "$python" -m pip --version >/dev/null 2>&1 || continue
        say "installing cmake 3 into .tools with pip"
        PIP_ROOT_USER_ACTION=ignore "$python" -m pip install --quiet --disable-pip-version-check --upgrade --target .tools/python 'cmake>=3.5,<4' ||
            return 1
        mkdir -p .tools/bin
        ln -sf ../python/cmake/data/bin/cmake .tools/bin/cmake
        return 0
    done
    return 1
}

found=$(cmake_version || true)
if ! fits "$found"; then
    if [ -n "$found" ]; then
        say "cmake $found is here, but clingo needs a cmake from 3.5 up to 3.x"
        cmake_from_pip || true
    else
        cmake_from_apt || cmake_from_pip || true
    fi
    hash -r
    fits "$(cmake_version || true)" ||
        fail "no cmake 3. Install one (\`pip install 'cmake<4'\` has it) and put it on the PATH, then run this again."
fi

# ----------------------------------------------------------------------------------------------------------- Rust

needed=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)

if ! has cargo; then
    if ! has curl && can_apt; then
        apt_install curl ca-certificates
    fi
    has curl || fail "no curl, which fetches Rust's installer. Install curl or Rust itself (https://rustup.rs)."
    say "installing Rust with rustup, below ${cargo_bin%/bin}"
    installer=$(mktemp)
    trap 'rm -f "$installer"' EXIT
    curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs -o "$installer"
    sh "$installer" -y -q --no-modify-path --profile minimal --component rustfmt --component clippy
    hash -r
    say "to have cargo in your own shell, put $cargo_bin on the PATH"
fi

version=$(cargo --version 2>/dev/null | sed -n 's/^cargo \([0-9.]*\).*/\1/p' || true)
[ -n "$version" ] || fail "cargo does not run. If rustup has no toolchain yet, \`rustup default stable\` installs one."
if ! at_least "$version" "$needed"; then
    if has rustup; then
        fail "cargo $version is too old; racgen needs $needed. Run \`rustup update stable\`, then this again."
    fi
    fail "cargo $version is too old; racgen needs $needed. Remove it (Debian: \`apt-get remove cargo rustc\`) and run this" \
        "again, which then installs Rust with rustup; or install a newer one yourself (https://rustup.rs)."
fi

if [ "${1-}" = --lint ]; then
    for tool in rustfmt:fmt clippy:clippy; do
        cargo "${tool#*:}" --version >/dev/null 2>&1 && continue
        has rustup ||
            fail "no ${tool%:*}. Install it the way cargo was installed (Debian: the packages rustfmt and rust-clippy)."
        say "installing ${tool%:*} with rustup"
        rustup component add "${tool%:*}"
    done
fi

# ------------------------------------------------------------------------------------------------ other programs

# Tests that lack one of these say so and are skipped; nothing here is an error.
peer_from_apt() {
    local program=$1 package=$2
    has "$program" && return
    if ! can_apt || ! apt_install "$package" || ! has "$program"; then
        say "no $program (Debian: $package); the tests that need it are skipped"
    fi
}

if [ "${1-}" = --peers ]; then
    peer_from_apt swipl swi-prolog-nox
    peer_from_apt chromium chromium
    packages=(pyarrow polars duckdb datasets)
    python=.tools/venv/bin/python3
    if ! "$python" -c 'import pyarrow, polars, duckdb, datasets' 2>/dev/null; then
        say "installing ${packages[*]} into .tools/venv"
        { python3 -m venv .tools/venv && "$python" -m pip install --quiet --disable-pip-version-check "${packages[@]}"; } ||
            say "that failed; the checks that need them are skipped"
    fi
    planning=.tools/planning/bin/python
    if ! "$planning" -c 'import unified_planning' 2>/dev/null; then
        say "installing unified-planning into .tools/planning"
        { python3 -m venv .tools/planning && "$planning" -m pip install --quiet --disable-pip-version-check unified-planning; } ||
            say "that failed; the test that needs it is skipped"
    fi
fi

say "ready: $("${CXX:-c++}" --version 2>/dev/null | head -n 1 || true); cmake $(cmake_version); cargo $version"
