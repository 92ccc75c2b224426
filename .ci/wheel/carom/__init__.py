"""Carom, a program that plays strange chess games. `carom.path()` is where it is, for `popen_uci` and the like."""

import os
import sysconfig


def path():
    """The path of the program that was installed with this module."""
    name = "carom.exe" if os.name == "nt" else "carom"
    user = sysconfig.get_preferred_scheme("user") if hasattr(sysconfig, "get_preferred_scheme") else f"{os.name}_user"
    folders = [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", scheme=user)]
    # With `pip install --target FOLDER` it is beside the module.
    folders.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "bin"))
    for folder in folders:
        if os.path.isfile(os.path.join(folder, name)):
            return os.path.join(folder, name)
    raise FileNotFoundError(f"{name} is in none of {', '.join(folders)}")
