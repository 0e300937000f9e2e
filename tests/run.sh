#!/usr/bin/env bash
# Runs all tests. On Debian and Ubuntu it first installs the packages they need; with all of them there it installs nothing.
# Arguments go to `cargo test`, for example: tests/run.sh --test e2e harness
set -euo pipefail
cd "$(dirname "$0")/.."

# a C compiler and linker for the build; real mail servers for tests/e2e; chess programs for tests/suite/pgn_programs.rs
packages=(gcc libc6-dev ca-certificates chromium chromium-driver dovecot-imapd dovecot-lmtpd exim4-daemon-light libnss-wrapper pgn-extract scid python3-venv)

fail() {
    printf 'tests/run.sh: %s\n' "$1" >&2
    exit 1
}

missing() {
    local package
    for package in "${packages[@]}"; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || echo "$package"
    done
}

# In a subshell, so that its exit removes the policy file whatever happens.
install() (
    as_root=()
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || fail "missing: $*. As root, run: apt-get install $*"
        as_root=(sudo)
    fi
    echo "tests/run.sh: installing $*" >&2
    # the tests start private servers: no system Dovecot or Exim may be started by the packages
    policy=/usr/sbin/policy-rc.d
    if [ ! -e "$policy" ]; then
        trap '"${as_root[@]}" rm -f "$policy"' EXIT
        printf '#!/bin/sh\nexit 101\n' | "${as_root[@]}" tee "$policy" >/dev/null
        "${as_root[@]}" chmod 755 "$policy"
    fi
    # --no-remove: a mail server that is already here is not ours to replace
    "${as_root[@]}" apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -qq --yes --no-remove --no-install-recommends "$@" >/dev/null ||
        fail "apt-get cannot install: $*. If another mail server here conflicts with exim4-daemon-light, use a container."
)

if command -v dpkg-query >/dev/null && command -v apt-get >/dev/null; then
    mapfile -t needed < <(missing)
    [ ${#needed[@]} = 0 ] || install "${needed[@]}"
    # python-chess is no package of Debian 12
    python=target/python-chess/bin/python
    if ! "$python" -c 'import chess.pgn' 2>/dev/null; then
        echo "tests/run.sh: installing python-chess into target/" >&2
        { python3 -m venv target/python-chess && "$python" -m pip install --quiet chess==1.11.2; } ||
            echo "tests/run.sh: python-chess cannot be installed; its tests are skipped, and fail with CI=true" >&2
    fi
    # axe-core (MPL-2.0) looks at the pages of the desk as a screen reader would; only its script is wanted, and it is not shipped
    if [ ! -e target/axe/axe_playwright_python/axe.min.js ]; then
        echo "tests/run.sh: installing axe-core into target/" >&2
        "$python" -m pip install --quiet --no-deps --target target/axe axe-playwright-python==0.1.8 ||
            echo "tests/run.sh: axe-core cannot be installed; its test is skipped, and fails with CI=true" >&2
    fi
else
    echo "tests/run.sh: not a Debian or Ubuntu system, nothing is installed. The end-to-end tests expect Debian's" \
        "Dovecot 2.3 or 2.4 (imapd, lmtpd), Exim 4 and libnss_wrapper; without them run: cargo test --lib --test suite --test campaign" >&2
fi
command -v cargo >/dev/null || fail "cargo is missing: install Rust 1.95 or later, see https://rustup.rs, and run this again."

# many tests wait for servers more than they compute
export RUST_TEST_THREADS="${RUST_TEST_THREADS:-$((2 * $(nproc)))}"
exec cargo test --locked "$@"
