"""`carom serve --journal` on journals that are cut, changed, shuffled and made up, and on what is no journal."""

import fcntl
import json
import os
import pathlib
import resource

from common import Failure, Mutator, fail, folder, run, seeded
from websocket import Closed, Server

STATES = 27_792
MATCHES = [("wickets-cards", 4), ("hanniball", 2), ("chess", 6)]
# What may stand where another value stood.
VALUES = [None, True, -1, 0, 1, 2, 1 << 64, 1e308, "", "x" * 5000, "\x00\x1b[2J", [], {}, [[]], "1-0", "e2e4", {"a": {"b": []}}, "\ud83d"]


def doctored(rng, value):
    """The same with one value inside replaced, left out or doubled."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        key = rng.choice(sorted(value))
        what = rng.random()
        if what < 0.15:
            return {name: old for name, old in value.items() if name != key}
        if what < 0.25:
            return value | {key + "x": value[key]}
        return value | {key: doctored(rng, value[key])}
    if isinstance(value, list) and value and rng.random() < 0.9:
        at = rng.randrange(len(value))
        if rng.random() < 0.2:
            return value[:at] + value[at : at + 1] * rng.choice([0, 2, 300]) + value[at + 1 :]
        return value[:at] + [doctored(rng, value[at])] + value[at + 1 :]
    return rng.choice(VALUES)


def state(rng, mutator, sound, number):
    """A journal that is none, or not quite: by turns cut, one bit changed, shuffled, made up, and changed in words."""
    kind = number % 5
    if kind == 0:
        return sound[: rng.randrange(len(sound) + 1)]
    if kind == 1:
        changed = bytearray(sound)
        changed[rng.randrange(len(sound))] ^= 1 << rng.randrange(8)
        return bytes(changed)
    lines = sound.splitlines()
    if kind == 2:
        rng.shuffle(lines)
        return b"\n".join(lines[: rng.randrange(1, len(lines) + 1)] * rng.choice([1, 1, 2])) + b"\n"
    at = rng.randrange(len(lines))
    if kind == 3:
        made = json.dumps(doctored(rng, json.loads(lines[at]))).encode()
        lines[at] = made
    else:
        lines[at] = mutator.change(lines[at])
    return b"\n".join(lines) + b"\n"


class Watched:
    """A server that shows a journal, and a page that looks."""

    def __init__(self, attack, place, number):
        self.path = pathlib.Path(place, "games.jsonl")
        self.running = pathlib.Path(place, "games.jsonl.running")
        self.path.write_bytes(b"")
        self.server = Server(attack.carom, place, "--journal", str(self.path))
        self.tab, self.number, self.shown = self.server.tab(), number, 0

    def look(self, text, running, *asked):
        self.path.write_bytes(text)
        # As a running match does it: the page believes the file beside the journal only while the journal is in use.
        with open(self.path, "rb") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            self.running.write_bytes(running)
            for message in asked:
                try:
                    answer = self.tab.ask(message, "journal", "game", "error")
                except Closed as closed:
                    self.server.check()
                    fail(f"watch, {self.number}: the connection is closed: {closed}", text + b"\n--- running\n" + running, f"watch-{self.number}")
                self.shown += answer["type"] != "error"


def watch(attack):
    """States of a journal that a page looks at: shown or refused, and the server goes on."""
    count = attack.size(STATES)
    with folder() as place:
        journals = []
        for game, turns in MATCHES:
            words = ["match", "-engine", "cmd=carom", "name=one", "-engine", "cmd=carom", "name=two", "-each", "nodes=5", "-game", game, "-rounds", "2",
                     "-most-turns", str(turns), "-quiet", "-seed", "w", "-journal", f"{game}.jsonl"]
            run([attack.carom, *words], game, (0,), cwd=place)
            journals.append(pathlib.Path(place, f"{game}.jsonl").read_bytes())

        def chunk(number):
            rng = seeded(attack.seed, "watch", number)
            mutator = Mutator(rng)
            with folder() as own:
                watched = Watched(attack, own, number)
                with watched.server:
                    for index in range(number * count // chunks, (number + 1) * count // chunks):
                        sound = rng.choice(journals)
                        last = sound.splitlines()[-1]
                        running = rng.choice([b"", last, state(rng, mutator, last, index)])
                        asked = [{"do": "journal", "from": 0}, {"do": "game", "number": rng.randrange(6)}]
                        if rng.random() < 0.5:
                            # A file of the same length is read again only when it was another one meanwhile.
                            watched.look(b"", b"", asked[0])
                        text = state(rng, mutator, sound, index)
                        watched.look(text, running, *asked, {"do": "journal", "from": 2})
                    watched.server.check()
                    watched.tab.stream.close()
                return watched.shown

        chunks = 8
        shown = sum(attack.each(chunk, chunks))
        return f"{count} states, {shown} answers that were no errors; {no_files(attack)}"


def no_files(attack):
    """What is no regular file is refused, or ends; nobody waits for ever."""
    match = ["match", "-nodes", "1", "-most-turns", "2", "-quiet", "-rounds", "1"]
    with folder() as place:
        os.mkfifo(f"{place}/pipe")
        os.symlink(f"{place}/loop", f"{place}/loop")
        names = ["/dev/zero", f"{place}/pipe", place, f"{place}/loop", "/proc/self/mem", "/dev/full"]
        for name in names:
            with Server(attack.carom, place, "--journal", name) as server, server.tab() as tab:
                answer = tab.ask({"do": "journal", "from": 0}, "journal", "error")
                if answer["type"] != "error":
                    raise Failure(f"watch: {name} is shown as a match: {answer}")
            for words in [["merge", name], [*match, "-journal", name], [*match, "-resume", name]]:
                run([attack.carom, *words], f"{words[0]} with {name}", (1, 2), limits={resource.RLIMIT_AS: 2 << 30}, cwd=place)
    return f"{len(names)} that are no files refused"
