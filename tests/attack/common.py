"""What the parts share: programs at the end of pipes, inputs changed at random, processes looked at from outside."""

import os
import pathlib
import random
import re
import resource
import selectors
import subprocess
import tempfile
import time

HOME = pathlib.Path(__file__).resolve().parents[2]
# Beyond this a program hangs: all that is waited for takes milliseconds on a machine that is not busy.
WATCHDOG = 120
# More output than any part asks for at once.
FLOOD = 256 << 20
# What Carom says when a thread of it has panicked, on standard error or in the protocol.
PANIC = re.compile(rb"panicked at|a mistake of this program|stack overflow|memory allocation of|RUST_BACKTRACE")


class Failure(Exception):
    """What was found, with what it takes to see it again."""


def fail(what, data=b"", name="failure"):
    """Leaves `data` in a file and ends the part."""
    where = ""
    if data:
        folder = HOME / "target/attack-failures"
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / name
        path.write_bytes(data)
        where = f"\n  the input: {path}"
    raise Failure(what + where)


class Program:
    """A program with pipes, read and written at once so that neither side waits for the other."""

    def __init__(self, command, name, **options):
        self.command, self.name = command, name
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0, **options
        )
        self.pid = self.process.pid
        self.said = bytearray()  # to it
        self.out = bytearray()  # by it
        self.errors = bytearray()
        self.lines = []  # whole lines of `out`
        self.pending = bytearray()
        self.at = 0  # how much of `out` stands in `lines`
        self.closed = False
        self.selector = selectors.DefaultSelector()
        for stream, own in [(self.process.stdout, self.out), (self.process.stderr, self.errors)]:
            os.set_blocking(stream.fileno(), False)
            self.selector.register(stream, selectors.EVENT_READ, own)
        os.set_blocking(self.process.stdin.fileno(), False)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.selector.close()
        for stream in [self.process.stdin, self.process.stdout, self.process.stderr]:
            stream.close()

    def fail(self, what):
        told = self.errors[-600:].decode(errors="replace")
        heard = b"\n".join(self.lines[-3:]).decode(errors="replace")
        fail(f"{self.name}: {what}\n  of {' '.join(map(str, self.command))}\n  last heard: {heard[-600:]}\n  errors: {told}",
             bytes(self.said), re.sub(r"\W+", "-", self.name))

    def say(self, *lines):
        for line in lines:
            line = line if isinstance(line, bytes) else line.encode()
            self.said += line + b"\n"
            self.pending += line + b"\n"

    def write(self):
        try:
            del self.pending[: os.write(self.process.stdin.fileno(), self.pending[:65536])]
        except BlockingIOError:
            pass
        except BrokenPipeError:
            self.pending.clear()
        if not self.pending and self.closed:
            self.process.stdin.close()

    def turn(self, timeout):
        """Writes and reads what can be; false when nothing more will come."""
        stdin = self.process.stdin
        known = not stdin.closed and stdin in self.selector.get_map()
        if self.pending and not known:
            self.selector.register(stdin, selectors.EVENT_WRITE)
        elif not self.pending and known:
            self.selector.unregister(stdin)
        for key, _ in self.selector.select(timeout):
            if key.fileobj is stdin:
                self.selector.unregister(stdin)
                self.write()
                continue
            data = os.read(key.fd, 1 << 20)
            if not data:
                self.selector.unregister(key.fileobj)
            key.data.extend(data)
        end = self.out.rfind(b"\n") + 1
        if end > self.at:
            self.lines += bytes(self.out[self.at : end - 1]).split(b"\n")
            self.at = end
        if len(self.out) > FLOOD:
            self.fail(f"it said {len(self.out)} bytes")
        return any(key.fileobj is not stdin for key in self.selector.get_map().values())

    def hear(self, wanted, what, since=0, patience=WATCHDOG):
        """Goes on until a line from number `since` on is wanted; the number behind it."""
        until = time.monotonic() + patience
        while True:
            while since < len(self.lines):
                since += 1
                if wanted(self.lines[since - 1]):
                    return since
            if not self.turn(1):
                self.end_of_life()
                self.fail(f"it ended ({self.process.returncode}) before it said {what}")
            if time.monotonic() > until:
                self.fail(f"it did not say {what} in {patience} s")

    def hear_start(self, word, since=0):
        return self.hear(lambda line: line.startswith(word), word.decode(), since)

    def end_of_life(self):
        try:
            return self.process.wait(WATCHDOG)
        except subprocess.TimeoutExpired:
            self.fail("it does not end")

    def end(self, last=b"", statuses=(0,)):
        """Says the last word, or only ends the input, and reads to the end; it must end well."""
        if last:
            self.say(last)
        self.closed = True
        if not self.pending:
            self.process.stdin.close()
        until = time.monotonic() + WATCHDOG
        while self.turn(1):
            if time.monotonic() > until:
                self.fail("it does not end")
        status = self.end_of_life()
        if status not in statuses:
            self.fail(f"it ended with {status}")
        self.check_for_panic()
        return status

    def check_for_panic(self):
        if PANIC.search(self.errors) or PANIC.search(self.out):
            self.fail("it panicked")

    def count(self, word):
        return sum(line.startswith(word) for line in self.lines)


def run(command, name, statuses=(0, 1, 2), data=None, limits=None, patience=WATCHDOG, **options):
    """A command to its end; what it said and wrote to standard error."""
    def restrict():
        for which, most in limits.items():
            resource.setrlimit(which, (most, most))

    extra = {"preexec_fn": restrict} if limits else {}
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **extra, **options)
    try:
        out, errors = process.communicate(data, timeout=patience)
    except subprocess.TimeoutExpired:
        process.kill()
        out, errors = process.communicate()
        raise Failure(f"{name}: it does not end\n  {' '.join(map(str, command))}\n  {errors[-500:].decode(errors='replace')}") from None
    if process.returncode not in statuses or PANIC.search(errors) or PANIC.search(out):
        told = errors[-800:].decode(errors="replace")
        raise Failure(f"{name}: it ended with {process.returncode}\n  {' '.join(map(str, command))}\n  {told}")
    return process.returncode, out, errors


def folder():
    """A folder that is gone afterwards."""
    return tempfile.TemporaryDirectory(prefix="carom-attack-")


def marked(mark):
    """Processes in whose environment or command line the mark stands, zombies not counted."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        if int(pid) == os.getpid():
            continue
        try:
            with open(f"/proc/{pid}/environ", "rb") as environ, open(f"/proc/{pid}/cmdline", "rb") as words:
                if mark in environ.read() or mark in words.read():
                    found.append(int(pid))
        except OSError:
            pass
    return found


def status_of(pid):
    """Resident memory in MB, threads, open files."""
    with open(f"/proc/{pid}/status") as file:
        fields = dict(line.split(":", 1) for line in file)
    return int(fields["VmRSS"].split()[0]) / 1024, int(fields["Threads"]), len(os.listdir(f"/proc/{pid}/fd"))


def settle(reached, patience=60):
    """Waits for something that comes without a word, such as the end of a thread; whether it came."""
    until = time.monotonic() + patience
    while not reached():
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True


def games(carom):
    listed = subprocess.run([carom, "games"], text=True, capture_output=True, check=True).stdout
    names = [line.split()[0] for line in listed.splitlines() if line[:1].isalpha()]
    assert len(names) >= 11, names
    return names


def positions():
    """Positions of the fixtures, for each game: `game`, `text`."""
    found = []
    for path in sorted((HOME / "fixtures/positions").glob("*.positions")):
        game = path.stem if path.stem != "wickets" else "wickets-det"
        for line in path.read_text().splitlines():
            word, _, rest = line.partition(" ")
            if not line.strip():
                game = path.stem if path.stem != "wickets" else "wickets-det"
            elif word == "game":
                game = rest.strip()
            elif word == "position":
                found.append((game, rest.strip()))
    for path in sorted((HOME / "fixtures/openings").glob("*.epd")):
        for line in [line for line in path.read_text().splitlines() if line and line[0] != "#"][:40]:
            found.append((path.stem, line.split(" moves ")[0].split(";")[0].strip()))
    return found


def corpus(target):
    return [path.read_bytes() for path in sorted((HOME / "fuzz/corpus" / target).iterdir())]


def words():
    """The dictionary of the fuzzers, and numbers that are often too large or too small."""
    text = (HOME / "fuzz/words.dict").read_bytes()
    numbers = b"0 -1 1 00 007 255 256 65536 -2147483649 4294967296 9223372036854775808 18446744073709551616 1e9 nan".split()
    return [line[1:-1] for line in text.splitlines() if line[:1] == b'"'] + numbers


class Mutator:
    """Changes bytes in a few places, without any knowledge of what they mean."""

    def __init__(self, rng):
        self.rng, self.words = rng, words()

    def change(self, data, times=None):
        data = bytearray(data)
        for _ in range(times or 1 + self.rng.randrange(4)):
            self.once(data)
        return bytes(data)

    def once(self, data):
        rng = self.rng
        at = rng.randrange(len(data) + 1)
        what = rng.randrange(9)
        if what == 0:
            data.insert(at, rng.randrange(256))
        elif what == 1 and at < len(data):
            del data[at : at + rng.choice([1, 1, 2, 5])]
        elif what == 2 and at < len(data):
            data[at] ^= 1 << rng.randrange(8)
        elif what == 3 and at + 1 < len(data):
            data[at], data[at + 1] = data[at + 1], data[at]
        elif what == 4:
            data[at:at] = rng.choice(self.words) + b" "
        elif what == 5:
            parts = bytes(data).split(b" ")
            parts[rng.randrange(len(parts))] = rng.choice(self.words)
            data[:] = b" ".join(parts)
        elif what == 6:
            parts = bytes(data).split(b" ")
            parts.insert(rng.randrange(len(parts) + 1), rng.choice(parts))
            data[:] = b" ".join(parts)
        elif what == 7 and data:
            other = rng.randrange(len(data))
            data[at:at] = data[other : other + rng.randrange(1, 12)]
        elif what == 8 and at < len(data):
            data[at] = rng.choice(b"/0123456789 *?+-=@,:;()[]{}\"'\\\t\x00\x1b\x7f\xc2\xff.RNBQKPrnbqkp")


def seeded(seed, *parts):
    """A source of chance for one of many attempts, the same every time."""
    return random.Random(f"{seed} {' '.join(map(str, parts))}")
