#!/usr/bin/env python3
"""Writes the seeds of the corpora from the fixtures and from the tables of odd lines; run again when those have grown.

Inputs are named by their contents, as libFuzzer does, so nothing is there twice."""
import ast
import hashlib
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parent.parent


def write(target, text):
    data = text if isinstance(text, bytes) else text.encode()
    folder = ROOT / "fuzz/corpus" / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / hashlib.sha1(data).hexdigest()).write_bytes(data)


def texts():
    """Positions with turns, game by game, and the tables of the document."""
    for path in sorted((ROOT / "fixtures/positions").glob("*.positions")):
        blocks = [b for b in path.read_text().split("\n\n") if "\nposition " in "\n" + b]
        # A few of each file: the mutations do the rest.
        for block in blocks[:: max(1, len(blocks) // 14)]:
            said = dict(line.split(" ", 1) for line in block.splitlines() if " " in line and line[0] != "#")
            game = said.get("game", path.stem)
            switch = said.get("rule", "").replace("=on", "")
            first = f"{game} {switch}".strip()
            turns = said.get("turns", "").split()[:40]
            # After the turns that lead there, one of those that are legal.
            more = [t for t in turns if t != "."][:1]
            write("text", "\n".join([first, said["position"], *said.get("after", "").split(), *more]))
    page = (ROOT / "protocol-docs/notation.md").read_text()
    cells = re.findall(r"^\| `([^`]+)` \|", page, re.M)
    for start in range(0, len(cells), 6):
        write("text", "\n".join(cells[start : start + 6]))


def odd_lines():
    """The lines of the protocols' own tests."""
    for path in sorted((ROOT / "src/protocol").rglob("odd*.rs")):
        lines = []
        for text in re.findall(r'^\s+"((?:[^"\\]|\\.)*)",?$', path.read_text(), re.M):
            try:
                lines.append(ast.literal_eval(f'"{text}"'))
            except (SyntaxError, ValueError):
                continue
        for start in range(0, len(lines), 8):
            write("protocols", "\n".join(lines[start : start + 8]))


def transcripts():
    for path in sorted((ROOT / "fixtures/transcripts").rglob("*.txt")):
        lines = path.read_text().splitlines()
        said = []
        for line in lines:
            if line.startswith("> "):
                said.append(line[2:])
            elif re.match(r"<<? (bestmove|move|Hint)", line):
                said.append("wait")
        write("sessions", "\n".join(said))
        write("protocols", "\n".join(line.split(" ", 1)[1] for line in lines if line[:1] in "<>" and " " in line))


def rows():
    """The tables of bad lines, eight lines a session."""
    page = (ROOT / "tests/it/protocols/bad_input.rs").read_text()
    for name, begin in [("UCI", b"uci\n"), ("XBOARD", b"xboard\nprotover 2\n")]:
        table = page.split(f"const {name}:")[1].split("];")[0]
        lines = [ast.literal_eval(f'b"{text}"') for text in re.findall(r'\(b"((?:[^"\\]|\\.)*)"', table)]
        for start in range(0, len(lines), 8):
            write("sessions", begin + b"".join(lines[start : start + 8]))
            write("protocols", b"".join(lines[start : start + 8]))


def talks():
    """What the transcripts do not say: searches of all kinds, in every state."""
    uci = [
        "go infinite\nisready\nstop\nwait",
        "go ponder wtime 1000 btime 1000\nisready\nponderhit\nwait",
        "go infinite\ngo ponder\nponderhit\nwait\ngo infinite\ngo infinite\nstop\nwait\ngo infinite\ngo infinite ponder\nponderhit\nstop\nwait",
        "go ponder depth 2\nstop\nponderhit\nwait",
        "go depth 3\ngo depth 2\ngo depth x\ngo depth 1\nwait\nisready",
        "go perft 2\nwait\ngo perft 9\nisready\nstop\ngo depth 1\nwait",
        "setoption name MultiPV value 3\ngo depth 2\nwait\nd\neval",
        "setoption name Threads value 4\nsetoption name Hash value 1\ngo depth 4\nwait\nsetoption name Clear Hash\ngo mate 2\nwait",
        "setoption name UCI_AnalyseMode value true\ngo movetime 5\nwait\nucinewgame\ngo\nquit",
        "debug on\njoho go depth 1 quickly\nwait\nfoo\nregister later\nhelp\nflip\nbench",
        "position startpos moves e2e4 e7e5\ngo searchmoves g1f3 d2d4 depth 2\nwait\ngo searchmoves e2e4\nd",
        "go wtime -5 btime 0 winc 0 binc 0 movestogo 0\nwait\ngo nodes 1\nwait\ngo mate 1 movetime 1\nwait",
    ]
    for text in [
        "ugi\nuginewgame\nposition startpos moves e2e4\nquery p1turn\nquery gameover\nquery result\nquery nonsense\ngo depth 2\nwait",
        "ugi\nsetoption name UCI_Variant value hanniball\nquery continuations\nquery turns d4e6,\ngo perft 1\nisready\nstop\nflip\nd",
        "uci\nbench 1 1 2\nisready\ngo depth 1\nwait\nbench\nstop\ngo infinite\nbench 1 1 1\ngo depth 1\nwait",
    ]:
        write("sessions", text)
    for text in uci:
        write("sessions", "uci\n" + text)
    for text in [
        "usi\nsetoption name USI_Hash value 1\nisready\nusinewgame\nposition startpos moves 5g5f\ngo btime 0 wtime 0 byoyomi 5\nwait\n"
        "position sfen 8/8/8/8/8/5k2/4p3/4K3 w - 1\ngo nodes 9\nwait\ngo mate 5\ngameover lose",
        "usi\nsetoption name USI_Variant value hanniball\nisready\nposition startpos\ngo depth 1\nwait\ngo ponder\nponderhit\nwait\nquit",
        "ucci\nsetoption usemillisec true\nsetoption newgame\nposition startpos moves e1e3\ngo time 9 increment 1 opptime 9\nwait\n"
        "position fen 8/8/8/8/8/5k2/4p3/4K3 b - - 0 1\ngo depth 2\nwait\ngo infinite\nstop\nquit",
        "ucci\nsetoption UCI_Variant alapo\nisready\nbanmoves a1a3\nposition startpos\ngo depth 2\nwait\nprobe\nd",
    ]:
        write("sessions", text)
    names = "alapo alapo-demotion rollerball jai-alai hanniball wickets-det wickets-det2 wickets-dice wickets-dice2 wickets-cards wickets-cards2 breakthrough dice-chess".split()
    for name in names:
        write("sessions", f"uci\nsetoption name UCI_Variant value {name}\nsetoption name Chance Seed value 7\nisready\n"
              "position startpos\ngo depth 2\nwait\nd\ngo ponder\nponderhit\nwait\ngo perft 1")
        write("sessions", f"xboard\nprotover 2\nnew\nvariant {name}\nhard\npost\nsd 2\nlevel 40 5 0\nplayother\nwait\ngo\nwait\n"
              "hint\nlift c2\nput c3\nanalyze\n.\nexit\nundo\nremove\nping 3\nresult *\nping 4")
    xboard = [
        "new\nforce\nusermove e2e4\ne7e5\nundo\nremove\ngo\n?\nping 1\nwait\nsetboard 8/8/8/8/8/5k2/4p3/4K3 b - - 0 1\ngo\nwait",
        "new\nhard\npost\nst 0.1\nusermove e2e4\nwait\nusermove g1f3\nping 2\nwait\neasy\ndraw\nbk",
        "new\nmemory 4\ncores 2\noption Hash=2\nanalyze\nusermove d2d4\n.\nping 5\nexit\nping 6\nquit\nping 7",
        "new\nlevel 0 0:01 0.1\ntime 10\notim 10\ngo\nping 1\n?\nping 2\nping 3\nforce\nping 4",
    ]
    for text in xboard:
        write("sessions", "xboard\nprotover 2\n" + text)


def dictionary():
    """The words of both protocols, the names of options and games, and turns."""
    words = set()
    for path in sorted((ROOT / "src/protocol").rglob("*.rs")) + sorted((ROOT / "src/engine/options").rglob("*.rs")):
        for word in re.findall(r'"([a-zA-Z?.][a-zA-Z_ ?.-]{0,22})"', path.read_text()):
            words.add(word.strip())
    page = (ROOT / "protocol-docs/notation.md").read_text()
    words.update(re.findall(r"^\| `([^` ]{1,24})` \|", page, re.M))
    words.update("chess alapo alapo-demotion rollerball jai-alai hanniball wickets-det wickets-det2 wickets-dice wickets-dice2 "
                 "wickets-cards wickets-cards2 breakthrough dice-chess startpos wait position=startpos Chance=referee self referee true false".split())
    words.update("e2e4 e7e5 e1g1 c2b3 c2b2 d3d4 c3d5,O@f6 e1e2,O@d3 0000 @@@@ . =4 =6h +? +Ah D@f7 X@a2 T@f4 W@a1".split())
    lines = "".join(f'"{word}"\n' for word in sorted(words) if word)
    (ROOT / "fuzz/words.dict").write_text(lines)


if __name__ == "__main__":
    texts()
    odd_lines()
    transcripts()
    rows()
    talks()
    dictionary()
