"""Endgame tables that are damaged, exchanged, endless, or no files: never believed, always a legal move."""

import os
import pathlib
import re
import shutil

from common import Mutator, Program, fail, folder, run, seeded

TABLES = 235


def searched(attack, name, tables, positions, meanwhile=None):
    """Depth 1 from these positions: what was found, and what was said of tables."""
    with Program([attack.carom], name) as uci:
        uci.say("uci", "setoption name Hash value 1", "setoption name UCI_Variant value rollerball", f"setoption name TablesPath value {tables}")
        found, said = [], []
        for at, position in enumerate(positions):
            if at == 1 and meanwhile:
                meanwhile()
            since = len(uci.lines)
            uci.say(f"position fen {position}", "query legal", "go depth 1")
            uci.hear_start(b"bestmove", since)
            heard = [line.decode() for line in uci.lines[since:]]
            [legal] = [line.split()[1:] for line in heard if line.startswith("response ")]
            best = heard[-1].split()[1]
            if best not in legal and not (best == "(none)" and legal == ["none"]):
                uci.fail(f"in {position} {best} is not legal")
            score = [re.search(r" score (\S+ \S+)", line)[1] for line in heard if line.startswith("info depth")][-1:]
            found.append((best, score))
            said += [line for line in heard if "endgame table" in line]
        uci.end(b"quit")
    return found, said


def damage(rng, path, number, sound):
    """Puts something else where the table was."""
    text, kind = sound[path.name], number % 12
    if kind == 0:
        path.write_bytes(text[: rng.randrange(len(text))])
    elif kind == 1:
        path.write_bytes(text + bytes(rng.randrange(256) for _ in range(rng.choice([1, 100]))))
    elif kind in (2, 3, 4):
        changed = bytearray(text)
        for _ in range(rng.choice([1, 1, 5, 2000])):
            changed[rng.randrange(64 if kind == 2 else len(text))] ^= 1 << rng.randrange(8)
        path.write_bytes(changed)
    elif kind == 5:
        path.write_bytes(text[:64] + rng.randbytes(len(text) - 64))
    elif kind == 6:
        path.write_bytes(sound[rng.choice(sorted(sound))])
    elif kind == 7:
        path.write_bytes(Mutator(rng).change(text))
    elif kind == 8:
        path.write_bytes(rng.choice([b"", b"\n", rng.randbytes(4000), bytes(len(text))]))
    elif kind == 9:
        path.symlink_to(rng.choice(["/dev/zero", "/dev/full", "/dev/random", "/proc/self/mem", path, "nowhere", "/"]))
    elif kind == 10:
        rng.choice([path.mkdir, lambda: os.mkfifo(path)])()
    elif kind == 11:
        # Longer than it says, with a hole in it.
        path.write_bytes(text)
        os.truncate(path, 1 << 40)


def changed(attack):
    """Every search plays what it plays with sound tables, or says that a table is not believed."""
    with folder() as place:
        home = pathlib.Path(place, "sound")
        _, out, _ = run([attack.carom, "tables", "build", "rollerball", home, "--pieces", "3"], "tables", (0,))
        wins = [line.decode().split(" turns: ")[1] for line in out.splitlines() if b" turns: " in line]
        names = sorted(path.name for path in home.iterdir())
        sound = {path.name: path.read_bytes() for path in home.iterdir()}
        if len(wins) != 4 or len(names) < 4:
            fail(f"tables: {names}, {out!r}")
        right, nothing = searched(attack, "sound tables", home, wins)
        if nothing:
            fail(f"sound tables are not believed: {nothing}")

        def one(number):
            rng = seeded(attack.seed, "tables", number)
            tables = pathlib.Path(place, str(number))
            shutil.copytree(home, tables)
            for name in rng.sample(names, rng.choice([1, 2, len(names)])):
                (tables / name).unlink()
                damage(rng, tables / name, number, sound)
            found, said = searched(attack, f"tables {number}", tables, wins)
            if found != right and not said:
                fail(f"tables {number}: other moves without a word: {found}, not {right}")
            shutil.rmtree(tables)
            return bool(said)

        said = sum(attack.each(one, attack.size(TABLES)))

        def shorten():
            for path in home.iterdir():
                os.truncate(path, 100)

        crowd = pathlib.Path(place, "crowd")
        crowd.mkdir()
        for number in range(attack.size(100_000)):
            (crowd / f"rollerball-K{number}K.table").touch()
        searched(attack, "many tables", crowd, wins)
        searched(attack, "tables that become shorter", home, wins, shorten)
        for no_folder in ["/dev/zero", "/dev/null", f"{place}/nowhere", "/proc/self/mem", "/"]:
            searched(attack, f"tables in {no_folder}", no_folder, wins[:1])
    return f"{attack.size(TABLES)} folders with damaged tables, of {said} of them that was said"
