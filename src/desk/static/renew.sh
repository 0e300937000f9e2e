#!/usr/bin/env bash
# Fetches chessground anew and puts what the desk uses of it into chessground/, with its licence and its version.
# Usage: src/desk/static/renew.sh [VERSION]
set -euo pipefail
cd "$(dirname "$0")"
version="${1:-latest}"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
(cd "$work" && npm pack --silent "@lichess-org/chessground@$version" >/dev/null && tar xzf ./*.tgz)
mkdir -p chessground
cp "$work/package/LICENSE" "$work/package/assets/chessground.base.css" "$work/package/dist/chessground.min.js" chessground/
node -p 'const p = require(process.argv[1]); `${p.name} ${p.version}, ${p.license}`' "$work/package/package.json" >chessground/VERSION
cat chessground/VERSION
