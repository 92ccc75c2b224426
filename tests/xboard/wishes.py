"""What a person asks of the engine from XBoard's menu in the middle of a game: pause, a draw, no more of this move."""

import os
import re
import time

from gui import Gui, wait_for
from matches import no_complaints

# Locked, and fifty moves are over before a search twenty plies deep ends: a draw whatever the evaluation.
EVEN, EVEN_DEPTH = "8/5k2/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/5K2/8 w - - 86 80", "20"
# Black, who is Carom, has nothing left but his king.
LOST = "4k3/8/8/8/8/8/3R4/3QK3 w - - 0 1"


def processor_ticks(program):
    """What the processes of `program` have used of the processor, in clock ticks."""
    ticks = 0
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.readlink(f"/proc/{number}/exe") != program[0] or int(number) not in program[1]:
                continue
            with open(f"/proc/{number}/stat", encoding="utf-8") as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            continue
        ticks += int(fields[11]) + int(fields[12])
    return ticks


def children(process):
    """The processes that XBoard has started."""
    with open(f"/proc/{process.pid}/task/{process.pid}/children", encoding="utf-8") as file:
        return {int(number) for number in file.read().split()}


def pause(carom, folder):
    """Pause holds the thinking engine still, and its move back; then it goes on and moves when told to."""
    with Gui(folder, [[carom]], ["-variant", "normal", "-timeControl", "120", "-movesPerSession", "1"]) as gui:
        gui.wait_for_line(r"<first pong .*")
        gui.find_board(8, 8)
        start = len(gui.conversation())
        gui.lift("e2")
        gui.click("e4")
        gui.wait_for_line(r">first usermove e2e4", start)
        gui.key("Pause")
        paused, _ = gui.wait_for_line(r">first pause", start)
        engine = (os.path.realpath(carom), children(gui.process))

        def still():
            before = processor_ticks(engine)
            time.sleep(0.5)
            return processor_ticks(engine) == before

        wait_for("an engine that stands still", still)
        gui.key("Pause")
        resumed, _ = gui.wait_for_line(r">first resume", paused)
        assert not [line for line in gui.conversation()[:resumed] if line.startswith("<first move")]
        wait_for("an engine that thinks again", lambda: not still())
        gui.key("ctrl+m")  # Move Now
        number, _ = gui.wait_for_line(r"<first move .*", resumed)
        assert gui.wait_for_line(r">first \?", resumed)[0] < number
        no_complaints(gui.conversation())
    return "pause: nothing is thought, nothing moved until resume; then Move Now moves"


def lost_game(carom, folder, *options):
    """XBoard with a position that Carom, who is Black, has lost."""
    path = os.path.join(folder, "start.fen")
    with open(path, "w", encoding="utf-8") as file:
        file.write(LOST + "\n")
    return Gui(folder, [[carom]], ["-variant", "normal", "-depth", "3", "-loadPositionFile", path, *options])


def play_into_it(gui):
    """White's first move; it is Carom's turn then. Gives the number of the line that says so."""
    gui.wait_for_line(r">first setboard .*")
    gui.wait_for_line(r"<first pong .*")
    gui.find_board(8, 8)
    start = len(gui.conversation())
    gui.lift("d2")
    gui.click("d3")
    return gui.wait_for_line(r">first usermove d2d3", start)[0]


def draw(carom, folder):
    """The user offers a draw, and Carom, who is lost, accepts."""
    with lost_game(carom, folder, "-firstOptions", "Draw After=0") as gui:
        gui.wait_for_line(r"<first move .*", play_into_it(gui))
        gui.key("F6")  # Draw
        asked, _ = gui.wait_for_line(r">first draw")
        gui.wait_for_line(r"<first offer draw", asked)
        gui.wait_for_line(r">first result 1/2-1/2 \{Draw agreed\}", asked)
        no_complaints(gui.conversation())
    return "draw: offered by the user, accepted, agreed"


def resign(carom, folder):
    """With the option Carom resigns a lost game instead of moving."""
    with lost_game(carom, folder, "-firstOptions", "Resign=1,Resign Moves=1,Resign Score=500") as gui:
        start = play_into_it(gui)
        resigned, _ = gui.wait_for_line(r"<first resign", start)
        gui.wait_for_line(r">first result 1-0 \{Black resigns\}", resigned)
        assert not [line for line in gui.conversation()[start:] if line.startswith("<first move")]
        no_complaints(gui.conversation())
    return "resign: said instead of a move, believed"


def exclude(carom, folder):
    """In analysis a move is taken out of consideration with the mouse."""
    with Gui(folder, [[carom]], ["-variant", "normal"]) as gui:
        gui.wait_for_line(r"<first pong .*")
        gui.find_board(8, 8)
        start = len(gui.conversation())
        gui.key("ctrl+a")  # Analysis Mode
        gui.wait_for_line(r">first analyze", start)
        _, match = gui.wait_for_line(r"<first [4-9] .* 0\t([a-h][1-8])([a-h][1-8])\b.*", start)
        source, target = match.groups()
        # While it pauses, moves of the mouse are for exclusion. The window with the lines covers the upper half.
        gui.desktop.mouse("mousemove", *gui.point("e3"), "key", "Pause")
        gui.lift(source)
        gui.click(target)
        excluded, _ = gui.wait_for_line(rf">first exclude {source}{target}", start)
        # Thinking begins anew, without that move.
        begun, _ = gui.wait_for_line(r"<first 1 .*", excluded)
        deeper, _ = gui.wait_for_line(r"<first [4-9] .*", begun)
        shown = [line for line in gui.conversation()[begun : deeper + 1] if "\t" in line]
        assert shown and not [line for line in shown if f"\t{source}{target}" in line], f"shown: {shown}"
        no_complaints(gui.conversation())
    return f"exclude: {source}{target} by the mouse, analysed no more"


def agreement(carom, folder):
    """Two Carom processes agree to a draw: the first offers one before its move, the second accepts."""
    path = os.path.join(folder, "start.fen")
    with open(path, "w", encoding="utf-8") as file:
        file.write(EVEN + "\n")
    options = ["-variant", "normal", "-depth", EVEN_DEPTH, "-loadPositionFile", path]
    options += ["-firstOptions", "Draw Offers=offer,Draw After=0", "-secondOptions", "Draw After=0"]
    with Gui(folder, [[carom], [carom]], [*options, "-mode", "TwoMachines", "-matchGames", "1"]) as gui:
        wait_for("the end of the game", lambda: gui.process.poll() is not None)
        lines = gui.conversation()
    offered = lines.index("<first offer draw")
    assert lines[offered + 1].startswith("<first move "), f"after the offer: {lines[offered + 1]}"
    asked = lines.index(">second draw")
    accepted = lines.index("<second offer draw")
    assert offered < asked < accepted
    assert ">second result 1/2-1/2 {Draw agreed}" in lines[accepted:]
    no_complaints(lines)
    return "agreement: one Carom offers a draw, the other accepts"


def pondering(carom, folder):
    """Carom ponders, and XBoard wants to show what it thinks: while the person decides there is nothing to be shown."""
    options = ["-variant", "breakthrough", "-depth", "4", "-ponderNextMove", "true", "-showThinking", "true"]
    with Gui(folder, [[carom]], options) as gui:
        gui.wait_until_ready(8, 8)
        for piece in ["a2", "h2", "d2"]:
            # That it answers this, too, gives it the time to say more.
            gui.lift(piece)
            begun = len(gui.conversation())
            gui.click(piece[0] + "3")
            gui.wait_for_line(r"<first move .*", begun)
        gui.lift("e2")
        lines = gui.conversation()
        no_complaints(lines)
    assert ">first hard" in lines and ">first post" in lines, "XBoard asks for neither"
    theirs, thought = True, 0
    for line in lines:
        if line.startswith((">first usermove", "<first move")):
            theirs = line.startswith("<")
        # One without numbers is a sentence.
        elif re.match(r"<first *\d+ -?\d+ \d+ \d+", line) and not line.startswith("<first 1 0 0 0"):
            assert not theirs, f"shown while the person decides: {line}"
            thought += 1
    assert thought, "no thoughts about its own moves"
    return f"pondering: {thought} lines of thinking, none while the person decides"
