#!/usr/bin/env bash
# The unit tests of the page's JavaScript, by node's own runner; as root on Debian it installs node if there is none.
set -euo pipefail
cd "$(dirname "$0")/../.."
if ! command -v node >/dev/null; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends nodejs
fi
node --test tests/web/page/*.test.mjs
