"""`python -m carom` is `carom`."""

import os
import subprocess
import sys

from . import path

if os.name == "nt":
    # There the caller would go on at once.
    sys.exit(subprocess.call([path(), *sys.argv[1:]]))
os.execv(path(), [path(), *sys.argv[1:]])
