"""Where XBoard's idea of the game and ours could part: a box that is closed unanswered, a position that was loaded, a result
that XBoard gives by itself."""

import re

from gui import Gui, wait_for
from matches import no_complaints
from steps import OUR_WICKETS, WICKETS
from table import KINDS, loaded

QUESTION = r"<first askuser carom-card (.*)"


def question_is_up(gui):
    return any("query" in title for title in gui.desktop.windows())


def answer(gui, word=None):
    """Waits for the box with the question; types `word` into it, or closes it unanswered."""
    wait_for("the question", lambda: question_is_up(gui))
    # Without a window manager the keyboard belongs to the window under the mouse.
    gui.desktop.mouse("mousemove", 60, 60)
    if word is None:
        gui.desktop.mouse("key", "Escape")
    else:
        gui.desktop.mouse("type", "--delay", 40, word)
        start = len(gui.conversation())
        gui.desktop.mouse("key", "Return")
        # What the box sends is not in the debug file; it may be up again at once.
        return gui.wait_for_line(r"<first (?:askuser carom-card|telluser) (.*)", start)[1][1]
    return wait_for("the question's end", lambda: not question_is_up(gui))


def cards(carom, folder):
    """The user closes the box that asks for a card: lifting a piece asks again, so does the button End Turn; a card he does not
    have is refused with the reason; the throw can be taken back; a card he has is played."""
    with loaded(carom, folder, "wickets-cards", WICKETS, OUR_WICKETS, "-firstOptions", "Chance Seed=3") as (gui, table):

        def keep(name):
            gui.desktop.save_screen(gui.path(name + ".png"))

        def asked(after):
            return gui.wait_for_line(QUESTION, after)[1][1]

        def throw():
            start = table.throws("c3", "a5")
            gui.wait_for_line(r"<first Illegal move \(throw\): c3a5b", start)
            gui.lift("a5")
            start = len(gui.conversation())
            gui.click("e9")
            gui.wait_for_line(r"<first Illegal move \(ball\): a5e9", start)
            return asked(start)

        gui.lift("e1")
        start = len(gui.conversation())
        gui.click("e8")
        gui.wait_for_line(r">first usermove e1e8", start)
        gui.key("ctrl+b")  # Machine Black
        gui.wait_for_line(r"<first move a8b7", start)
        question = throw()
        assert "the ace, is the 1" in question, question
        wait_for("the question", lambda: question_is_up(gui))
        keep("1-question")
        answer(gui)
        keep("2-closed")
        # Any piece asks again.
        start = len(gui.conversation())
        gui.click("c2")
        assert asked(start) == question
        wait_for("the question", lambda: question_is_up(gui))
        keep("3-asked-again")
        hand = re.findall(r"\b[A2-9T][cdhs]\b", question.split(":")[1])
        other = next(value + suit for value in "A23456789T" for suit in "cdhs" if value + suit not in hand)
        refused = answer(gui, other)
        assert refused.startswith("Refused: ") and other in refused, refused
        wait_for("the question", lambda: question_is_up(gui))
        keep("4-refused")
        answer(gui)
        # It is the user's ply: he takes the throw back, and makes it again.
        start = len(gui.conversation())
        gui.key("ctrl+x")  # Retract Move
        gui.wait_for_line(r">first remove", start)
        gui.lift("a5")
        keep("5-taken-back")
        start = len(gui.conversation())
        gui.click("e9")
        question = asked(start)
        answer(gui)
        start = len(gui.conversation())
        gui.type_move("pass")
        asked(start)
        played = re.search(r"\b[A2-9T][cdhs]\b", question.split(":")[1])[0]
        told = answer(gui, played.lower())
        assert told.startswith("Carom plays "), told
        keep("6-played")
    return f"wickets-cards: the question closed, asked again by a click and a typed pass, {refused.split('.')[0]}; {played} played, {told}"


# The Lion d3 has the ball.
BALL = "***1m1***/2l6/9/1h7/9/9/9/9/9/9/6H2/9/1E1U1M3/9/***3*** w - - 0 1"
OUR_BALL = "***1m1***/2l6/9/1h7/9/9/9/9/9/9/6H2/9/1E1+L1M3/9/***3*** w 4 0 1"


def loaded_shot(carom, folder):
    """The first step in a loaded position is a shot; then the machine is asked to play, and the shot stands."""
    with loaded(carom, folder, "hanniball", BALL, OUR_BALL) as (gui, table):
        table.agrees([], white=True)
        gui.lift("d3")
        start = table.start()
        letters = gui.pull("e4", 1)
        assert "O" in letters, letters
        table.sent("d3e4o", start)
        gui.key("ctrl+b")  # Machine Black
        table.answered(["move @@@@", "move L@d3", "move @@@@"], start)
        table.agrees(["O@e4,"], white=True)
        gui.desktop.save_screen(gui.path("shot.png"))
        gui.lift("g5")
        start = table.start()
        gui.click("f7")
        table.sent("g5f7", start)
        table.agrees(["O@e4,g5f7,"], white=True)
        no_complaints(gui.conversation())
    return "hanniball: a position loaded, a shot, Machine Black: the shot stands and the turn goes on"


def loaded_throw(carom, folder):
    """The first step in a loaded position announces a throw; then the machine is asked to play, and the ball is thrown."""
    with loaded(carom, folder, "wickets-det", WICKETS, OUR_WICKETS) as (gui, table):
        start = table.throws("c3", "a5")
        gui.key("ctrl+b")  # Machine Black
        table.answered(["Illegal move (throw): c3a5b", "move c3a5", "move @@@@"], start)
        table.agrees(["c3a5,"], white=True)
        gui.desktop.save_screen(gui.path("announced.png"))
        gui.lift("a5")
        start = table.start()
        gui.click("d5")
        thought = table.thought(start)
        table.agrees(["c3a5,O@d5", thought], white=True)
        gui.desktop.save_screen(gui.path("thrown.png"))
    return f"wickets-det: a position loaded, a throw announced, Machine Black: c3a5,O@d5 {thought}"


def legality(carom, folder):
    """Whoever leaves XBoard's legality testing on is told by whom the game was ended, and what to do."""
    options = ["-variant", "rollerball", "-depth", "1", "-testLegality", "true"]
    with Gui(folder, [[carom]], options) as gui:
        gui.wait_until_ready(7, 7)
        start = len(gui.conversation())
        gui.lift("c2")
        gui.click("b2")
        gui.wait_for_line(r">first result 1/2-1/2 \{Xboard adjudication: Stalemate\}", start)
        _, match = gui.wait_for_line(r"<first telluser (.* Untick Test Legality .*)", start)
        wait_for("the box", lambda: any("Note" in title for title in gui.desktop.windows()))
        gui.desktop.save_screen(gui.path("told.png"))
    return f"rollerball with legality testing: {match[1]}"


def refused(carom, folder):
    """With legality testing on XBoard refuses Carom's move in silence; whoever then chooses Move Now is told why."""
    options = ["-variant", "wickets-det", "-depth", "1", *KINDS["wickets"].size, "-testLegality", "true"]
    with Gui(folder, [[carom]], options) as gui:
        gui.wait_until_ready(8, 10)
        # It is knights that XBoard does not let move here; until one does, the game goes on.
        for source, target in [("e2", "e3"), ("e3", "e4"), ("d2", "d3")]:
            start = len(gui.conversation())
            gui.lift(source)
            gui.click(target)
            number, moved = gui.wait_for_line(r"<first move (.*)", start)
            if re.match("[a-h]8[a-h][67]", moved[1]):
                break
        gui.key("ctrl+m")  # Move Now: for XBoard it is still Carom's turn.
        gui.wait_for_line(r">first \?", number)
        _, match = gui.wait_for_line(r"<first telluser (Carom has moved\. .*)", number)
        wait_for("the box", lambda: any("Note" in title for title in gui.desktop.windows()))
        gui.desktop.save_screen(gui.path("told.png"))
    return f"wickets-det with legality testing: {moved[1]} refused; {match[1]}"
