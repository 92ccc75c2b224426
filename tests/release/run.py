#!/usr/bin/env python3
"""An archive of a release, as somebody who downloads it finds it: unpacks it, and lets the program in it say what it is, search,
speak UCI and the XBoard protocol, play a match over both, draw a picture and serve its page. A program for Windows is run by Wine.

    python3 tests/release/run.py ARCHIVE --version NUMBER --commit COMMIT --level v2|v3

Prints the signature of its bench last; with `--signature N` it must be that one. Ends with 1 when anything is not as it should
be."""

import argparse
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import urllib.request

INSTRUCTIONS = {"v2": {"sse4.2", "popcnt"}}
INSTRUCTIONS["v3"] = INSTRUCTIONS["v2"] | {"avx2", "bmi1", "bmi2", "fma", "lzcnt"}
# By QEMU's names, one that has the level and one that lacks something of it.
PROCESSORS = {"v2": ("Nehalem", "core2duo"), "v3": ("Haswell", "Nehalem")}
WINE = "/usr/lib/wine/wine64"


class Failure(Exception):
    """Something is not as it should be."""


def expect(right, what):
    if not right:
        raise Failure(what)


class Program:
    """The program in an unpacked archive; a script runs it, be it for Linux or for Windows."""

    def __init__(self, path, folder):
        self.path, self.windows = path, path.suffix == ".exe"
        self.command = folder / "carom"
        words = [WINE, str(path)] if self.windows else [str(path)]
        self.command.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n')
        self.command.chmod(0o755)
        self.folder = folder

    def run(self, *arguments, said=None):
        # What waits for the end of its input gets it at once, or behind what is said.
        done = subprocess.run([self.command, *arguments], input=said or "", capture_output=True, text=True, cwd=self.folder)
        expect(done.returncode == 0, f"{shlex.join(arguments)}: code {done.returncode}: {done.stderr[-2000:]}")
        return done.stdout.replace("\r\n", "\n")

    def talk(self):
        return Talk(subprocess.Popen([self.command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))


class Talk:
    """A conversation in which each answer is waited for."""

    def __init__(self, process):
        self.process = process

    def ask(self, line, answer):
        """Says `line`; the first line of what follows that begins with `answer`."""
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        heard = []
        for said in self.process.stdout:
            heard.append(said.rstrip())
            expect(not said.startswith(("Illegal", "Error", "tellusererror")), f"{line}: {said}")
            if said.startswith(answer):
                return heard[-1]
        raise Failure(f"{line}: no {answer} in {heard}")

    def end(self):
        self.process.communicate("quit\n")
        expect(self.process.returncode == 0, f"code {self.process.returncode}")


def unpack(archive, folder):
    """The one folder in the archive."""
    shutil.unpack_archive(archive, folder)
    inside = list(folder.iterdir())
    expect(len(inside) == 1 and archive.name.startswith(inside[0].name), f"{archive.name} holds {inside}")
    return inside[0]


def check_files(root):
    """Licences are there, and what the README points to."""
    for name in ["LICENSE-MIT", "LICENSE-APACHE", "LICENSES-THIRD-PARTY.txt", "CHANGELOG.md", "CITATION.cff"]:
        expect((root / name).stat().st_size > 0, f"{name} is empty")
    readme = (root / "README.md").read_text(encoding="utf-8")
    links = {link.split("#")[0] for link in re.findall(r"\]\(([^)\s]+)", readme)}
    missing = [link for link in sorted(links) if ":" not in link and link and not (root / link).exists()]
    expect(not missing, f"the README points to {missing}")


def check_version(carom, options):
    # A line more where the processor has what the level does not use.
    first, processor, system, features, *more = carom.run("--version").splitlines()
    expect(len(more) <= (1 if options.level == "v2" else 0) and all("could be faster" in line for line in more), str(more))
    expect(first == f"carom {options.version} ({options.commit})", first)
    instructions = set(processor.split()[2:])
    expect(instructions == INSTRUCTIONS[options.level], processor)
    expect(system == f"system: {'windows' if carom.windows else 'linux'}", system)
    expect(features.split()[1:] == ["serve", "png"], features)


def check_processors(carom, level):
    """On a processor of this level it runs; on an older one it says what is wrong."""
    new, old = PROCESSORS[level]
    # Wine begins a process of its own, which QEMU would not be asked to run, unless it is kept from that.
    words, own = ([WINE, carom.path], {"WINELOADERNOEXEC": "1"}) if carom.windows else ([carom.path], {})
    runs = [subprocess.run(["qemu-x86_64", "-cpu", name, *words, "games"], capture_output=True, text=True, env=os.environ | own)
            for name in (new, old)]
    expect(runs[0].returncode == 0 and "rollerball" in runs[0].stdout, f"{new}: {runs[0]}")
    expect(runs[1].returncode == 2 and re.fullmatch(r"carom: [^\n]*needs a processor with [^\n]*\n", runs[1].stderr), f"{old}: {runs[1]}")


def check_alone(carom):
    """It needs no library that a system may lack."""
    if carom.windows:
        listed = subprocess.run(["x86_64-w64-mingw32-objdump", "-p", carom.path], capture_output=True, text=True, check=True).stdout
        strange = [name for name in re.findall(r"DLL Name: (\S+)", listed) if name.startswith("lib")]
        expect(not strange, f"needs {strange}")
    else:
        listed = subprocess.run(["readelf", "-lW", carom.path], capture_output=True, text=True, check=True).stdout
        expect("INTERP" not in listed and "DYNAMIC" not in listed, "is not static")


def check_uci(carom):
    talk = carom.talk()
    talk.ask("uci", "uciok")
    talk.ask("isready", "readyok")
    for game in ["chess", "rollerball"]:
        talk.ask(f"setoption name UCI_Variant value {game}\nisready", "readyok")
        turns = []
        for _ in range(4):
            word, turn = talk.ask(f"position startpos moves {' '.join(turns)}\ngo depth 4", "bestmove").split()[:2]
            expect(turn != "(none)" and turn not in turns[-1:], f"{game} {turns}: {turn}")
            turns.append(turn)
    talk.end()


def check_xboard(carom):
    talk = carom.talk()
    talk.ask("xboard\nprotover 2", "feature")
    talk.ask("new\nsd 4\nusermove e2e4", "move ")
    talk.ask("new\nvariant rollerball\nsd 4\ngo", "move ")
    talk.ask("ping 7", "pong 7")
    talk.end()


def check_match(carom):
    for protocols in [("uci", "xboard"), ("xboard", "uci")]:
        engines = [word for number, protocol in enumerate(protocols)
                   for word in ["-engine", "cmd=carom", f"proto={protocol}", f"name={number}"]]
        told = carom.run("match", *engines, "-each", "nodes=100", "-game", "wickets-dice", "-rounds", "1", "-concurrency", "2")
        expect(re.search(r"^Endings: normal 2\b", told, re.MULTILINE), told)


def check_picture(carom):
    carom.run("show", "--game", "hanniball", "--png", "board.png")
    expect((carom.folder / "board.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n"), "no PNG")


def check_page(carom):
    served = subprocess.Popen([carom.command, "serve", "--port", "0"], stdout=subprocess.PIPE, text=True)
    try:
        address = re.search(r"http://\S+/", served.stdout.readline()).group()
        with urllib.request.urlopen(address) as page:
            expect(b"<html" in page.read(), "no page")
    finally:
        served.terminate()
        served.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("archive", type=pathlib.Path)
    parser.add_argument("--version", required=True)
    parser.add_argument("--commit", required=True)
    parser.add_argument("--level", required=True, choices=INSTRUCTIONS)
    parser.add_argument("--signature", type=int)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="carom-release-") as temporary:
        folder = pathlib.Path(temporary)
        (folder / "unpacked").mkdir()
        root = unpack(options.archive, folder / "unpacked")
        path = root / ("carom.exe" if (root / "carom.exe").exists() else "carom")
        expect(os.access(path, os.X_OK) or path.suffix == ".exe", f"{path.name} cannot be run")
        carom = Program(path, folder)
        check_files(root)
        check_alone(carom)
        check_version(carom, options)
        check_processors(carom, options.level)
        for check in [check_uci, check_xboard, check_match, check_picture, check_page]:
            check(carom)
        signature = int(re.search(r"^signature (\d+)$", carom.run("bench"), re.MULTILINE).group(1))
    expect(options.signature in (None, signature), f"signature {signature}, not {options.signature}")
    print(signature)


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"FAILED: {failure}")
