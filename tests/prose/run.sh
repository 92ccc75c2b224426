#!/usr/bin/env bash
# Looks for misspellings, and for words that this project does not use, in all that is read by people: documents, the texts of
# the help, and the source with its messages and comments. The words are in `words.txt`, each with what to say instead.
#
# usage: tests/prose/run.sh [CAROM]
set -euo pipefail
cd "$(dirname "$0")/../.."
carom=${1:-target/debug/carom}
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
python3 -m pip install -q --root-user-action ignore --target "$folder/library" codespell==2.4.3
mkdir "$folder/help"
$carom --help >"$folder/help/carom.txt"
for command in $($carom --help | awk '/^  [a-z]+ / { print $1 }'); do
  $carom help "$command" >"$folder/help/$command.txt"
done
# `fro` is a word (to and fro), `stong` a test's own mistake; a change log says what the older versions said.
PYTHONPATH="$folder/library" python3 -m codespell_lib -D - -D tests/prose/words.txt -L fro,stong \
  --skip '*.svg,*.json,*.network,*.png,*.pgn,*.snap' README.md CONTRIBUTING.md protocol-docs src examples benches "$folder/help"
