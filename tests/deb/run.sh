#!/usr/bin/env bash
# The Debian package, as a new user finds it: a bare Debian 12 by debootstrap, the package installed by apt with what it recommends, and an
# ordinary user who plays a first move in XBoard and in the browser, with the lines of README.md. XBoard's list and PyChess know Carom. Then
# it is removed without a trace. As root; it installs what is missing, and keeps the bare Debian in `target`.
#
# usage: tests/deb/run.sh PROGRAM|PACKAGE.deb [FOLDER FOR PICTURES]
set -euo pipefail
# Mounts and processes of its own: what is begun in here ends with it, and nothing outside can be hit.
if [ -z "${CAROM_DEB_APART:-}" ]; then
  exec env CAROM_DEB_APART=yes unshare --mount --propagation private --pid --fork --kill-child --mount-proc "$0" "$@"
fi
cd "$(dirname "$0")/../.."
what=$(realpath "$1")
pictures=${2:-}
if [ -n "$pictures" ]; then
  mkdir -p "$pictures"
  pictures=$(realpath "$pictures")
fi
missing=()
for pair in debootstrap:debootstrap lintian:lintian chromium:chromium Xvfb:xvfb xdotool:xdotool import:imagemagick; do
  command -v "${pair%%:*}" >/dev/null || missing+=("${pair##*:}")
done
if [ ${#missing[@]} -gt 0 ]; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/carom-deb-XXXXXX")
root=$work/root
mounted=()
finish() {
  local at
  for ((at = ${#mounted[@]} - 1; at >= 0; at--)); do
    umount -l "${mounted[at]}" || true
  done
  # Not a file of what is mounted there, should that have failed.
  rm -rf --one-file-system "$work"
}
trap finish EXIT
fail() {
  echo "FAILED: $*" >&2
  exit 1
}

case $what in
  *.deb) deb=$what ;;
  *)
    .ci/deb "$what" "$work/made"
    deb=$(echo "$work"/made/*.deb)
    ;;
esac
echo "$(basename "$deb"): $(stat -c %s "$deb") bytes, $(dpkg-deb -c "$deb" | grep -vc '/$') files"
# Errors end it; all else is shown.
lintian --fail-on error --allow-root "$deb"

bare=target/debian-12.tar
if [ ! -e "$bare" ]; then
  debootstrap --variant=minbase bookworm "$root" >"$work/debootstrap.log" 2>&1 || fail "debootstrap: $(tail -5 "$work/debootstrap.log")"
  tar -C "$root" --one-file-system -cf "$bare.part" .
  mv "$bare.part" "$bare"
else
  mkdir "$root"
  tar -C "$root" -xf "$bare"
fi
cp -L /etc/resolv.conf "$root/etc/resolv.conf"
mkdir -p /tmp/.X11-unix "$root/tmp/.X11-unix"
chmod 1777 /tmp/.X11-unix
enter() { # source, place, options
  mount "${@:3}" "$1" "$root$2"
  mounted+=("$root$2")
}
enter proc /proc -t proc
enter /dev /dev --rbind
enter /tmp/.X11-unix /tmp/.X11-unix --bind
# No package starts a service in here.
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
chmod 755 "$root/usr/sbin/policy-rc.d"
inside() {
  chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C "$@"
}
inside useradd --create-home --shell /bin/bash player
cp "$deb" "$root/home/player/carom.deb"
inside apt-get update -qq
if find "$root" -xdev -iname '*carom*' ! -name carom.deb | grep .; then
  fail "something of Carom is there before it is installed"
fi

# From here on it is the new user's time.
begun=$(date +%s.%N)
inside apt-get install -y -qq /home/player/carom.deb >"$work/apt.log" 2>&1 || fail "apt: $(tail -5 "$work/apt.log")"
python3 tests/deb/first_moves.py "$root" --begun "$begun" ${pictures:+--pictures "$pictures"}

# What the package holds is where programs look for it.
inside dpkg -L carom >"$work/files"
for file in usr/games/carom usr/share/man/man6/carom.6.gz usr/share/man/man6/carom-play.6.gz usr/share/bash-completion/completions/carom \
  usr/share/zsh/vendor-completions/_carom usr/share/fish/vendor_completions.d/carom.fish \
  usr/share/games/plugins/xboard/carom.eng usr/share/games/plugins/logos/carom.png usr/share/doc/carom/copyright; do
  grep -qx "/$file" "$work/files" || fail "$file is not in the package"
done

# What a removal leaves behind, outside of homes.
listed() {
  (cd "$root" && find . -xdev \( -path ./home -o -path ./proc -o -path ./dev -o -path ./tmp -o -path ./var/cache -o -path ./var/log \
    -o -path ./var/lib/apt -o -path ./var/lib/dpkg \) -prune -o -print | sort)
}
inside dpkg --purge carom >/dev/null
listed >"$work/without"
inside dpkg --install /home/player/carom.deb >/dev/null
listed >"$work/with"
[ "$(comm -13 "$work/without" "$work/with" | wc -l)" -gt 100 ] || fail "the package installs next to nothing"
inside dpkg --purge carom >/dev/null
listed >"$work/again"
cmp "$work/without" "$work/again" || fail "$(comm -13 "$work/without" "$work/again" | head)"
rest=$(grep -i carom "$work/again" || true)
[ -z "$rest" ] || fail "left behind: $rest"
if inside dpkg -s carom >/dev/null 2>&1; then
  fail "dpkg still knows it"
fi
echo "removed without a trace outside of the user's home"
