#!/usr/bin/env bash
# The crate as a registry would have it: packed, unpacked where nothing of the repository is in reach, installed by `cargo install`,
# its doc tests run and its documentation built as docs.rs does.
#
# usage: tests/package/run.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
# Built there, so that the flags of this machine do not get at it and what was built once is found again.
export CARGO_TARGET_DIR=$PWD/target/package-test CARGO_INCREMENTAL=0
unset RUSTFLAGS
work=$(mktemp -d "${TMPDIR:-/tmp}/carom-package-XXXXXX")
trap 'rm -rf "$work"' EXIT
fail() {
  echo "$*" >&2
  exit 1
}

cargo package --locked --no-verify --quiet "$@"
crate=$CARGO_TARGET_DIR/package/carom-$version.crate
size=$(stat -c %s "$crate")
[ "$size" -lt 6000000 ] || fail "$crate has $size bytes"
strange=$(tar -tzf "$crate" | sed "s|^carom-$version/||" | grep -E '^(fixtures|fuzz|tests|benches|\.ci|\.cargo|\.github)(/|$)' || true)
[ -z "$strange" ] || fail "the package holds $strange"
tar -xf "$crate" -C "$work"
cd "$work/carom-$version"

# A build without optimization, which takes a fraction of the time.
cargo install --locked --debug --quiet --path . --root "$work/installed"
told=$("$work/installed/bin/carom" --version)
echo "$told"
grep -q "^carom $version ([0-9a-f]\{12\})$" <<<"$told" || fail "it does not know its commit"
if grep -qw bmi2 /proc/cpuinfo; then
  grep -q '^could be faster: .* avx2 .*; RUSTFLAGS="-C target-cpu=native" cargo install carom makes one that does$' <<<"$told" ||
    fail "it does not say what it could gain"
fi
"$work/installed/bin/carom" rules hanniball --short | grep -q HanniBall

cargo test --doc --locked | tee "$work/tests"
[ "$(grep -c '^test src/lib.rs - (line [0-9]*) \.\.\. ok$' "$work/tests")" -eq 3 ] || fail "three examples stand on the front page"
RUSTC_BOOTSTRAP=1 RUSTDOCFLAGS="-D warnings --cfg docsrs" cargo doc --locked --no-deps --quiet --features serve,png
grep -q 'Available on.*crate feature.*serve' "$CARGO_TARGET_DIR/doc/carom/serve/index.html" || fail "docs.rs would not name the feature serve"
echo "carom-$version.crate: $size bytes, $(tar -tzf "$crate" | wc -l) files"
