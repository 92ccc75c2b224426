#!/usr/bin/env bash
# `pip install carom` in a fresh virtual environment: `carom`, `python -m carom`, and a game's first moves by python-chess.
#
# usage: tests/wheel/run.sh [WHEEL]
#
# Without a WHEEL one is made of the program in target/release.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d "${TMPDIR:-/tmp}/carom-wheel-XXXXXX")
trap 'rm -rf "$work"' EXIT
wheel=${1:-}
if [ -z "$wheel" ]; then
  # As `cargo build --release` has it here, so that nothing is built twice.
  PROFILE=release RUSTFLAGS="-C target-cpu=native" .ci/wheel/build "$work/wheel"
  wheel=$(echo "$work"/wheel/*.whl)
fi
size=$(wc -c <"$wheel" | tr -d ' ')
python3 -m venv "$work/venv"
export PATH="$work/venv/bin:$PATH"
pip install --quiet --disable-pip-version-check "$wheel" chess
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
cd "$work"
carom -V | grep -Fx "carom $version"
# Both start the same program, and a pipe goes through.
cmp <(carom games) <(python -m carom games)
printf 'uci\nquit\n' | python -m carom | grep -qx uciok
code=0
python -m carom show nowhere 2>/dev/null || code=$?
[ "$code" -eq 2 ] || { echo "python -m carom ends with $code, not 2" >&2; exit 1; }
python - <<'PYTHON'
import carom
import chess
import chess.engine

# As its users write it, and by the path that the module knows.
for command in ["carom", carom.path()]:
    with chess.engine.SimpleEngine.popen_uci(command) as engine:
        board = chess.Board()
        for _ in range(4):
            board.push(engine.play(board, chess.engine.Limit(nodes=2000)).move)
        print(engine.id["name"], board.move_stack)
PYTHON
pip uninstall --quiet --yes carom
[ ! -e "$work/venv/bin/carom" ]
echo "$(basename "$wheel"), $size bytes: installed, played, removed"
