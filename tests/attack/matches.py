"""`carom match` and its files: killed, cut, changed, too long for the disk, and not what they say they are."""

import json
import os
import pathlib
import resource
import signal
import subprocess
import time

from common import WATCHDOG, Failure, Mutator, fail, folder, run, seeded

ENGINES = ["-engine", "cmd=carom", "name=one", "-engine", "cmd=carom", "name=two", "-each"]


def records(path):
    """The finished games of a journal, in its order."""
    lines = [json.loads(line) for line in pathlib.Path(path).read_text().splitlines()]
    return [line for line in lines if line["event"] == "game"]


def facts(games):
    """What a clock cannot change, by number."""
    keys = ["engines", "result", "termination", "seed", "last"]
    return {game["number"]: [[game[key] for key in keys], [turn[:2] for turn in game["turns"]]] for game in games}


def check_complete(name, games, count):
    numbers = [game["number"] for game in games]
    if sorted(numbers) != list(range(1, count + 1)):
        fail(f"{name}: {len(numbers)} games, {len(set(numbers))} different, of {count}")


def kills(attack):
    """A match that is killed (`kill -9`) in the middle and goes on, again and again."""
    rounds, times = attack.size(2000), 15
    count = 2 * rounds
    with folder() as place:
        words = [attack.carom, "match", *ENGINES, "nodes=1", "-game", "breakthrough", "-rounds", str(rounds), "-most-turns", "6", "-concurrency", "2",
                 "-journal", "j.jsonl", "-pgnout", "file=g.pgn", "-epdout", "e.epd", "-seed", "kill me", "-ratinginterval", "0"]
        rng, middle = seeded(attack.seed, "kills"), 0
        for number in range(times):
            runner = subprocess.Popen(words, cwd=place, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            finished = 0
            wanted = rng.randrange(1, count // times)
            for line in runner.stdout:
                finished += line.startswith(b"Finished game")
                if finished >= wanted:
                    break
            # Anywhere between two games, or in the middle of a line that is being written.
            time.sleep(rng.random() / 100)
            runner.send_signal(signal.SIGKILL)
            runner.stdout.close()
            middle += runner.wait(WATCHDOG) == -signal.SIGKILL
        broken = len(pathlib.Path(place, "j.jsonl").read_bytes().splitlines()) - 1
        _, out, _ = run(words, "the match after its kills", (0,), cwd=place)
        played = records(f"{place}/j.jsonl")
        check_complete("the match after its kills", played, count)
        pgn = pathlib.Path(place, "g.pgn").read_text()
        order = [int(line.split('"')[1]) for line in pgn.splitlines() if line.startswith("[GameNumber ")]
        last = pathlib.Path(place, "e.epd").read_text().splitlines()
        if order != [game["number"] for game in played] or len(last) != count or f" {count}\n".encode() not in out:
            fail(f"{len(played)} games in the journal, {len(order)} in PGN, {len(last)} in EPD")
    return f"{middle} of {times} kills in the middle, {broken} lines before the last run; then {count} games, each once, PGN and EPD in the same order"


def match_of_ten(attack, place, *more):
    words = [attack.carom, "match", *ENGINES, "nodes=30", "-game", "wickets-dice", "-rounds", "5", "-most-turns", "12", "-quiet", "-seed", "ten",
             "-openings", "file=book.epd", *more]
    book = pathlib.Path(place, "book.epd")
    if not book.exists():
        book.write_text("\n".join(["c2c3 c7c6", "d2d4 d7d5", "e2e3 e7e6", "g1f3 g8f6", "a2a3 a7a6"]) + "\n")
    return words


def damaged(rng, mutator, text, kind):
    """A journal that was cut, or of which some bits or words changed."""
    if kind == "cut":
        return text[: rng.randrange(len(text))]
    if rng.random() < 0.5:
        changed = bytearray(text)
        for _ in range(rng.randrange(1, 4)):
            changed[rng.randrange(len(text))] ^= 1 << rng.randrange(8)
        return bytes(changed)
    lines = text.splitlines(keepends=True)
    at = rng.randrange(len(lines))
    if rng.random() < 0.3:
        other = rng.randrange(len(lines))
        lines[at], lines[other] = lines[other], lines[at]
    else:
        lines[at] = mutator.change(lines[at][:-1]) + b"\n"
    return b"".join(lines)


def journals(attack):
    """Journals that are cut or changed are gone on with or refused; parts of a match that are changed are joined to nothing false."""
    times = attack.size(60)
    tally = {}
    with folder() as place:
        words = match_of_ten(attack, place, "-journal", "whole.jsonl")
        run(words, "ten games", (0,), cwd=place)
        whole = pathlib.Path(place, "whole.jsonl").read_bytes()
        told = facts(records(f"{place}/whole.jsonl"))

        def resumed(number):
            kind = "cut" if number < times else "changed"
            rng = seeded(attack.seed, "journals", number)
            name = f"{place}/{number}.jsonl"
            pathlib.Path(name).write_bytes(text := damaged(rng, Mutator(rng), whole.replace(b"whole.jsonl", b"%d.jsonl" % number), kind))
            status, _, errors = run([*words[:-1], name.rpartition("/")[2]], f"journals {number}", cwd=place)
            after = pathlib.Path(name).read_bytes()
            if status == 0:
                games = records(name)
                check_complete(f"journals {number}", games, 10)
                if kind == "cut" and facts(games) != told:
                    fail(f"journals {number}: other games than without a cut", text, f"journals-{number}")
            elif after != text:
                fail(f"journals {number}: refused, and changed nevertheless: {errors!r}", text, f"journals-{number}")
            return f"{kind} {'resumed' if status == 0 else 'refused'}"

        for said in attack.each(resumed, 2 * times):
            tally[said] = tally.get(said, 0) + 1
        parts = []
        for part in ["1", "2"]:
            run(match_of_ten(attack, place, "-shard", f"{part}/2", "-journal", f"part{part}.jsonl"), f"part {part}", (0,), cwd=place)
            parts.append(pathlib.Path(place, f"part{part}.jsonl").read_bytes())

        def merged(number):
            rng = seeded(attack.seed, "merges", number)
            names = [f"{place}/merge{number}-{part}.jsonl" for part in range(2)]
            text = damaged(rng, Mutator(rng), parts[0], "cut" if number % 3 == 0 else "changed")
            for name, data in zip(names, [text, parts[1]]):
                pathlib.Path(name).write_bytes(data)
            joined = f"{place}/joined{number}.jsonl"
            status, _, _ = run([attack.carom, "merge", *names, "--journal", joined], f"merges {number}", cwd=place)
            if status != 0:
                return "merge refused"
            if facts(records(joined)) != told:
                fail(f"merges {number}: joined to other games than were played", text, f"merges-{number}")
            return "merge the same"

        for said in attack.each(merged, times):
            tally[said] = tally.get(said, 0) + 1
    return ", ".join(f"{count} {said}" for said, count in sorted(tally.items()))


def hostile_files(attack):
    """Settings, openings, records and ratings that are not what they should be: refused with a sentence, or read."""
    deep = "[" * 100_000
    tables = {
        "nested.toml": "a = " + deep,
        "keys.toml": "a" + ".a" * 50_000 + " = 1",
        "tables.toml": "[a" + ".a" * 50_000 + "]",
        "inline.toml": "a = " + "{a = " * 30_000,
        "text.toml": 'game = "' + "x" * 5_000_000,
        "many.toml": "[[engine]]\ncmd = \"carom\"\n" * 100_000,
        "number.toml": "rounds = " + "9" * 100_000,
        "binary.toml": "\x00\x01\x02",
        "endless.toml": "/dev/zero",
        "folder.toml": ".",
    }
    openings = {
        "endless": "/dev/zero",
        "folder": ".",
        "missing": "nowhere.epd",
        "empty.epd": "",
        "blank.epd": "\n" * 10_000,
        "noise.epd": "\x00\xff\x1b" * 1000,
        "long.epd": "x" * (2 << 20),
        "deep.pgn": "[Event \"x\"]\n\n1. e4 " + "(" * 200_000,
        "comment.pgn": "[Event \"x\"]\n\n1. e4 {" + "x" * 2_000_000,
        "tags.pgn": "[Event \"x\"]\n" * 200_000,
        "illegal.pgn": "[Event \"x\"]\n\n1. e5 *\n",
        "half.epd": "rnbqkbnr/pppp",
        "moves.epd": "startpos moves " + "e2e4 " * 9999,
        "variation.pgn": "[Event \"x\"]\n\n" + "1. e4 (1. d4 " * 5000,
        "controls.epd": "\x1b[2J\x07" * 50,
    }
    asked = {"replay": [["--number", "1"], ["--number", "99999999"]], "rating": [[]]}
    count = 0
    with folder() as place:
        def write(name, text):
            if text.startswith("/") or text == "." or text.startswith("nowhere"):
                return text
            path = pathlib.Path(place, name)
            path.write_bytes(text.encode("latin-1"))
            return str(path)

        def ask(words, name, patience=WATCHDOG):
            nonlocal count
            count += 1
            # What reads without end fails here for want of memory, and the machine does not.
            status, out, errors = run([attack.carom, *words], name, (0, 1, 2), b"q\n", {resource.RLIMIT_AS: 2 << 30}, patience, cwd=place)
            if status and not errors.strip():
                fail(f"{name}: refused without a word: {words}")
            if any(byte < 32 and byte not in b"\n\t" for byte in errors):
                fail(f"{name}: control characters on standard error: {errors[:300]!r}")

        for name, text in tables.items():
            ask(["match", "-config", write(name, text), "-check"], f"settings {name}")
        for name, text in openings.items():
            path = write(name, text)
            for more in (["-check"], ["-rounds", "1", "-nodes", "1", "-most-turns", "2", "-quiet"]):
                ask(["match", "-openings", f"file={path}", *more], f"openings {name}")
            if path != "/dev/zero":
                for command, ways in asked.items():
                    for way in ways:
                        ask([command, *way, path], f"{command} {name}")
        # Much, but nothing wrong with it.
        many = attack.size(200_000)
        path = write("many.pgn", "".join(f'[White "a{number % 50}"]\n[Black "b"]\n[Result "1-0"]\n\n1. e4 e5 2. Nf3 1-0\n\n' for number in range(many)))
        ask(["match", "-openings", f"file={path}", "-check"], "many openings", 10 * WATCHDOG)
        ask(["rating", path], "many games", 10 * WATCHDOG)
        full_disk(attack, place)
        two_runs(attack, place)
    kinds = installed(attack)
    return f"{count} files refused or read; a match on a full disk went on later; a second run and other settings refused; {kinds} kinds of .xboardrc came back"


def installed(attack):
    """Settings of XBoard, whatever stands in them, are the same bytes after `install` and `install --uninstall`."""
    rng = seeded(attack.seed, "install")
    engine, list_of = b'"fairymax" -fcp fairymax -fd .\n', b"-firstChessProgramNames {"
    kinds = [b"", b"\n", b" \n\t\n", b"x", b"-size 33", b"-size 33\r\n", list_of + engine + b"}\n", list_of + b"\r\n" + engine + b"\r\n}\r\n", list_of, list_of + engine,
             b"}\n" * 50, list_of + engine + b"}\n" + list_of + engine + b"}\n", b"-userName {J\xf6rg}\n", b"\x00\xff\n" * 99, b"\xef\xbb\xbf-size 3\n", b"; a comment\n",
             b"-loadGameFile {x\n}\n" + list_of + engine + b"}\n", b"x" * (10 << 20), b"-size 33\n" * 200_000]
    kinds += [Mutator(rng).change(list_of + engine * 3 + b"}\n-size 33\n", 9) for _ in range(5)]
    for kind in kinds:
        with folder() as home:
            path = pathlib.Path(home, ".xboardrc")
            path.write_bytes(kind)
            path.chmod(0o640)
            for more in ([], [], ["--uninstall"], ["--uninstall"]):
                run([attack.carom, "install", "xboard", *more], "install", (0,), cwd=home, env={"HOME": home, "PATH": "/usr/bin:/bin"})
            if path.read_bytes() != kind or path.stat().st_mode & 0o777 != 0o640:
                fail("install: .xboardrc is another one after `install` and `install --uninstall`", kind, "xboardrc")
    return len(kinds)


def full_disk(attack, place):
    """The journal does not fit: said, exit code 1; the same command later completes the match."""
    words = match_of_ten(attack, place, "-journal", "full.jsonl", "-pgnout", "file=full.pgn")
    for limit in [3000, 5000, 7000]:
        # As on a disk that is full: the write fails and nobody is killed by a signal.
        status, _, errors = run(["sh", "-c", "trap '' XFSZ; exec \"$@\"", "sh", *words], f"a disk of {limit} bytes", (1,), None,
                                {resource.RLIMIT_FSIZE: limit}, cwd=place)
        if b"full.jsonl" not in errors and b"large" not in errors:
            fail(f"a full disk is not named: {errors!r}")
    run(words, "the disk is no more full", (0,), cwd=place)
    check_complete("after a full disk", records(f"{place}/full.jsonl"), 10)
    if pathlib.Path(place, "full.pgn").read_text().count("[Event ") != 10:
        fail("after a full disk PGN has not all games")


def two_runs(attack, place):
    """A journal belongs to one run at a time, and to its settings."""
    words = match_of_ten(attack, place, "-journal", "two.jsonl", "-ratinginterval", "0")
    words[words.index("nodes=30")] = "st=0.05"
    words.remove("-quiet")
    runner = subprocess.Popen(words, cwd=place, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        if not any(b"Finished game" in line for line in runner.stdout):
            raise Failure("the first of two runs ended")
        _, _, errors = run(words, "the second of two runs", (1,), cwd=place)
        if b"in use by another process" not in errors:
            fail(f"two runs on one journal: {errors!r}")
    finally:
        runner.send_signal(signal.SIGKILL)
        runner.stdout.close()
        runner.wait(WATCHDOG)
    for old, new in [("ten", "eleven"), ("st=0.05", "st=0.06"), ("wickets-dice", "wickets-det"), ("5", "6")]:
        other = [new if word == old else word for word in words]
        before = pathlib.Path(place, "two.jsonl").read_bytes()
        run(other, f"{new} for {old}", (1, 2), cwd=place)
        if pathlib.Path(place, "two.jsonl").read_bytes() != before:
            fail(f"{new} for {old}: the journal was changed")


def files_of_learning(attack):
    """What `datagen` wrote, changed: learned from or refused, and never taken for what it is not."""
    times = attack.size(200)
    with folder() as place:
        run([attack.carom, "datagen", "-g", "alapo", "-n", "12", "--nodes", "20", "-o", "a.samples"], "datagen", (0,), cwd=place)
        sound = pathlib.Path(place, "a.samples").read_bytes()

        def learned(number):
            rng = seeded(attack.seed, "samples", number)
            text = damaged(rng, Mutator(rng), sound, rng.choice(["cut", "changed"]))
            if number % 5 == 0:
                text = bytes(rng.randrange(256) for _ in range(rng.randrange(3000)))
            name = f"{place}/{number}.samples"
            pathlib.Path(name).write_bytes(text)
            command = ["train", "-g", rng.choice(["alapo", "alapo", "chess"]), "--epochs", "1", "-o", f"{number}.network", name]
            if number % 2:
                command = ["tune", "-g", "alapo", "--epochs", "1", name]
            status, _, _ = run([attack.carom, *command], f"samples {number}", (0, 1, 2), cwd=place)
            if os.path.exists(f"{place}/{number}.network") != (status == 0 and command[0] == "train"):
                fail(f"samples {number}: exit code {status}, and the network is there or not", text, f"samples-{number}")
            return status == 0

        done = attack.each(learned, times)
    return f"{len(done)} changed files of samples: {sum(done)} learned from, {len(done) - sum(done)} refused"
