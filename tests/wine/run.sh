#!/usr/bin/env bash
# Carom for Windows, run by Wine: builds carom.exe, runs the test programs (transcripts among them), plays matches over both
# protocols; with WinBoard, plays games with the mouse and takes pictures of every piece. As root it installs what is missing.
#
# usage: [WINBOARD=.../winboard.exe] tests/wine/run.sh [FOLDER FOR PICTURES]
#
# Rust is Debian's, whose sources of the standard library are built for Windows, as .ci/release does it.
# WINBOARD is a winboard.exe of version 4.9.1; without it that part is left out. CAROM is Carom for Linux, the referee of that part
# [target/release/carom].
set -euo pipefail
cd "$(dirname "$0")/../.."
target=x86_64-pc-windows-gnu
work=$(mktemp -d "${TMPDIR:-/tmp}/carom-wine-XXXXXX")
trap 'WINEPREFIX=$work/prefix wineserver -k || true; rm -rf "$work"' EXIT
# Carom would find that one, and write its settings beside it.
winboard_exe=${WINBOARD:-}
unset WINBOARD
pictures=$(realpath -m "${1:-$work/pictures}")
if [ -n "$(ls -A "$pictures" 2>/dev/null)" ]; then
  echo "$pictures is not empty" >&2
  exit 2
fi

missing=()
for pair in wine:wine /usr/lib/wine/wine64:wine64 x86_64-w64-mingw32-gcc:gcc-mingw-w64-x86-64 /usr/bin/rustc:rustc-web \
  /usr/bin/cargo:cargo-web /usr/lib/rustlib/src/rust/library:rust-web-src; do
  [ -e "${pair%%:*}" ] || command -v "${pair%%:*}" >/dev/null || missing+=("${pair##*:}")
done
if [ ${#missing[@]} -gt 0 ]; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
fi

# Stable Rust builds the standard library only when it is asked so; `test` is for the test programs.
windows_cargo() { # command, arguments...
  local command=$1
  shift
  RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 RUSTFLAGS="-C link-arg=-lmsvcrt -C link-arg=-lkernel32" /usr/bin/cargo "$command" \
    -Zbuild-std=std,panic_unwind,test --target $target --features png "$@"
}

echo "=== prefix"
export WINEPREFIX=$work/prefix WINEDEBUG=-all WINEDLLOVERRIDES="mscoree,mshtml="
/usr/lib/wine/wine64 wineboot -i 2>/dev/null
wineserver -w
if [ ! -e "$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll" ]; then
  # Rust's standard library wants a function that Wine has since version 8.
  x86_64-w64-mingw32-gcc -shared -O1 -x c -o "$WINEPREFIX/drive_c/windows/system32/bcryptprimitives.dll" tests/wine/prng.c \
    -x none -ladvapi32
fi

echo "=== carom.exe"
windows_cargo build --bins
carom_exe=$(realpath target/$target/debug/carom.exe)
wine=/usr/lib/wine/wine64

echo "=== matches"
printf '#!/bin/sh\nexec %s %s "$@"\n' $wine "$carom_exe" >"$work/carom"
chmod +x "$work/carom"
python3 tests/match/all_games.py "$work/carom" --games 2
for protocols in "uci xboard" "xboard uci"; do
  set -- $protocols
  "$work/carom" match -engine cmd=carom "proto=$1" name=one -engine cmd=carom "proto=$2" name=two -each nodes=100 \
    -game wickets-dice -rounds 2 -concurrency 2 -journal "$work/$1.jsonl" | tee "$work/match"
  grep -q '^Endings: normal 4' "$work/match"
done

winboard() {
  # Where its installer would put it: `carom install winboard` must find it there.
  mkdir -p "$WINEPREFIX/drive_c/WinBoard-4.9.1/WinBoard"
  cp "$winboard_exe" "$WINEPREFIX/drive_c/WinBoard-4.9.1/WinBoard/winboard.exe"
  $wine "$carom_exe" install winboard
  wineserver -w
  CAROM_EXE=$carom_exe python3 tests/wine/winboard.py --carom "${CAROM:-target/release/carom}" "$pictures"
}

if [ -n "$winboard_exe" ]; then
  echo "=== WinBoard"
  winboard
else
  echo "=== WinBoard left out: WINBOARD is not set"
fi

echo "=== test programs"
# Cargo runs them by Wine as others run theirs.
CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER=$wine windows_cargo test --lib --bins --test it --no-fail-fast
