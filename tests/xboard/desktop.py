"""A virtual X server, its mouse and keyboard, and pictures of its screen."""

import glob
import os
import shutil
import subprocess

PACKAGES = {
    "xboard": "xboard",
    "Xvfb": "xvfb",
    "xdotool": "xdotool",
    "import": "imagemagick",
    "/usr/lib/*/libnss_wrapper.so": "libnss-wrapper",
}
WIDTH, HEIGHT = 1024, 768


def find_program(name):
    """The path of a program; Debian keeps games where root does not look."""
    return shutil.which(name) or shutil.which(name, path="/usr/games:/usr/local/games")


def missing_packages():
    return sorted({package for name, package in PACKAGES.items() if not find_program(name) and not glob.glob(name)})


def install_missing_packages():
    """Installs what is missing, where we may (in CI); otherwise raises with the list."""
    missing = missing_packages()
    if missing and os.geteuid() == 0 and shutil.which("apt-get"):
        quiet = dict(os.environ, DEBIAN_FRONTEND="noninteractive")
        subprocess.run(["apt-get", "update", "-q"], env=quiet, check=False, stdout=subprocess.DEVNULL)
        subprocess.run(
            ["apt-get", "install", "-q", "-y", "--no-install-recommends", *missing],
            env=quiet, check=False, stdout=subprocess.DEVNULL,
        )
        missing = missing_packages()
    if missing:
        raise SystemExit("missing Debian packages: " + " ".join(missing))


class Desktop:
    """An X server of its own; the display number is the first free one, so several run side by side."""

    def __init__(self, folder):
        read_end, write_end = os.pipe()
        self.log = open(os.path.join(folder, "xvfb.log"), "w")
        # Without -noreset the server begins anew when its last client leaves, and cuts off any client that connects meanwhile: xdotool comes
        # and goes while XBoard starts and ends.
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write_end), "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-nolisten", "tcp", "-noreset"],
            pass_fds=[write_end], stdout=self.log, stderr=self.log,
        )
        os.close(write_end)
        with os.fdopen(read_end) as pipe:
            number = pipe.readline().strip()  # written when the server is ready; nothing if it dies
        if not number:
            raise RuntimeError("Xvfb did not start, see " + self.log.name)
        self.display = ":" + number
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "WAYLAND_"))}
        self.environment = kept | {"DISPLAY": self.display, "HOME": folder, "LC_ALL": "C", "NO_AT_BRIDGE": "1"}

    def run(self, *command):
        return subprocess.run(command, env=self.environment, check=True, capture_output=True).stdout

    def mouse(self, *words):
        self.run("xdotool", *[str(word) for word in words])

    def screen(self):
        """The screen as rows of red, green, blue bytes."""
        pixels = self.run("import", "-window", "root", "-depth", "8", "rgb:-")
        if len(pixels) != WIDTH * HEIGHT * 3:
            raise RuntimeError("the screen has an unexpected size")
        return pixels

    def save_screen(self, path):
        self.run("import", "-window", "root", path)

    def ask(self, *words):
        """What xdotool says; a window may be gone meanwhile."""
        command = ["xdotool", *words]
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False).stdout

    def windows(self):
        """The titles of the visible windows, and where they are: left, top, right and bottom."""
        places = {}
        for window in self.ask("search", "--onlyvisible", "--name", ".").split():
            title = self.ask("getwindowname", window).strip()
            about = dict(line.split("=") for line in self.ask("getwindowgeometry", "--shell", window).split())
            if title and about:
                left, top, width, height = (int(about[name]) for name in ("X", "Y", "WIDTH", "HEIGHT"))
                places[title] = (left, top, left + width, top + height)
        return places

    def close(self):
        self.server.terminate()
        self.server.wait()
        self.log.close()
