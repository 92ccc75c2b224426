#!/usr/bin/env bash
# Rollerball against Jocly's own player, which has twenty times the time: 1 s a move against 0.05 s.
#
#     tests/strength/jocly.sh CAROM [GAMES]
#
# Installs node and the npm package jocly (AGPL) into a folder of its own, which is removed afterwards. Fails below 95 % of the points.
set -euo pipefail
carom=$(realpath "$1")
games=${2:-40}
cd "$(dirname "$0")/../.."
if ! command -v npm >/dev/null; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends nodejs npm
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" jocly@0.9.13
"$carom" match -g rollerball --rule clockwise-sideways \
  -engine name=carom "cmd=$carom" st=0.05 option.Hash=16 -engine name=jocly cmd=node "args=tests/strength/jocly.mjs $folder" st=1 \
  -each proto=uci timemargin=1000 -openings file=fixtures/openings/rollerball.epd order=random -srand 1 \
  -games 2 -rounds $((games / 2)) -concurrency "${CONCURRENCY:-1}" | tee "$folder/score"
awk '/^Score of carom/ { points = $6 + $10 / 2; of = $6 + $8 + $10 } END { print points " of " of; exit !(of > 0 && points >= 0.95 * of) }' "$folder/score"
