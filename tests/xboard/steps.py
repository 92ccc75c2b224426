"""Turns of several steps, played with the mouse in an XBoard that knows nothing of them.

The board that follows from the lines, the one on the screen and the game's by Carom's rules must be the same after every
step, also after one was taken back (see `table`); so must the boards that XBoard sends and saves."""

import os
import re

from gui import wait_for
from matches import no_complaints, saved
from table import SQUARE, hanniball_letters, loaded, new_game

FIELD = "***1m1***/2l6/9/1h7/9/9/9/9/9/9/4O1H2/9/1E1L1M3/9/***3*** w - - 0 1"
OUR_FIELD = "***1m1***/2l6/9/1h7/9/9/9/9/9/9/4o1H2/9/1E1L1M3/9/***3*** w 4 0 1"


def hanniball(carom, folder):
    """White's four steps with the mouse: a move, the ball taken, carried and left and shot (each of them taken back), a
    ricochet, the ball taken again; then Carom's turn. The last step is taken back over that turn, and the turn ended
    before it: by a black field, taken back again, and by a word."""
    with loaded(carom, folder, "hanniball", FIELD, OUR_FIELD) as (gui, table):
        game = []

        def keep(name):
            gui.desktop.save_screen(gui.path(name + ".png"))

        def agrees():
            # A comma behind the last step: the turn goes on.
            table.agrees(["".join(f"{word}," for word in game)] if game else [], white=True)

        def step(square, ply, *answer, pulls=None, offered=None, token=None):
            gui.lift(square)
            start = table.start()
            to = re.fullmatch(rf"({SQUARE})({SQUARE}).?", ply)[2]
            if pulls is None:
                gui.click(to)
            else:
                letters = gui.pull(to, pulls)
                assert letters == offered, f"offered {letters}"
            table.sent(ply, start)
            table.answered(list(answer), start)
            game.append(token)
            agrees()

        def retract(*answer):
            start = table.retract()
            if answer:
                table.answered(list(answer), start)
            game.pop()
            agrees()

        def carom_answers(after):
            """Carom's whole turn; then it is White's ply and the board is the game's."""
            answer = table.thought(after)
            table.agrees([",".join(game), answer], white=True)
            return answer

        agrees()
        keep("1-position")
        # A position that was loaded is XBoard's Edit Game: after the first step the machine is asked to play.
        gui.lift("b3")
        start = table.start()
        gui.click("b4")
        table.sent("b3b4", start)
        game.append("b3b4")
        gui.key("ctrl+b")  # Machine Black
        gui.wait_for_line(r">first go", start)
        table.answered(["move @@@@"], start)
        agrees()
        step("d3", "d3e5u", "move @@@@", pulls=0, offered="U", token="d3e5")
        keep("2-ball-taken")
        step("e5", "e5f6", "move @@@@", pulls=0, offered="ULO", token="e5f6")
        keep("3-carried")
        retract()
        # XBoard shows what is offered in the order of its table of pieces: the Ball before the Lion.
        step("e5", "e5f6l", "move O@e5", pulls=2, offered="ULO", token="e5f6-")
        keep("4-left")
        retract()
        step("e5", "e5f6o", "move @@@@", "move L@e5", "move @@@@", pulls=1, offered="ULO", token="O@f6")
        keep("5-shot")
        # Four plies, of which XBoard takes two back: the rest is put right.
        retract("move f6e5u", "move @@@@")
        keep("6-shot-taken-back")

        def ricochet():
            step("e5", "e5h3o", "move @@@@", "move L@e5", "move @@@@", pulls=0, offered="O", token="O@f3,O@h3")

        ricochet()
        keep("7-ricochet")
        # The fourth step ends the turn.
        gui.lift("g5")
        start = table.start()
        assert gui.pull("h3", 0) == "A"
        table.sent("g5h3a", start)
        table.answered(["move @@@@", "move @@@@"], start)
        game.append("g5h3")
        answers = [carom_answers(start)]
        keep("8-answer")
        # Carom's turn and the step before it are taken back at once; then the step before that.
        retract()
        keep("9-answer-taken-back")
        retract()
        ricochet()
        # So the turn may end after three steps: any piece, and a field that does not exist.
        marks = gui.lift("g5")
        assert marks.startswith("WWW3WWW/") and marks.endswith("/WWW3WWW"), f"marked: {marks}"
        start = table.start()
        gui.click("a1")
        gui.wait_for_line(r"<first Illegal move \(end of turn\): g5a1", start)
        answers.append(carom_answers(start))
        keep("10-ended-early")
        # To take the end of a turn back is a decision of its own.
        table.retract()
        agrees()
        start = table.start()
        gui.type_move("pass")
        gui.wait_for_line(r">first setboard .* b .*", start)
        answers.append(carom_answers(start))
        table.asks_for_board()
        used = table.clocks_are_right(3)
        no_complaints([line for line in gui.conversation() if not line.startswith("<first Illegal move (end of turn)")])
    return f"hanniball with the mouse: {','.join(game)},g5h3, five steps and ends taken back; Carom answered {answers}; {used:.1f} s"


# The rook's check on e8 has one answer.
WICKETS = "****1***/k7/h4p1a/8/8/8/2D5/PPP2PPP/4R1S1/****1*** w - - 0 1"
OUR_WICKETS = "****1***/k7/p4p1p/8/8/8/2B5/PPP2PPP/4R1K1/****1*** w - - c3:g1/h7:a7 0 1"


def wickets(carom, folder):
    """A throw into the wicket with a die, taken back before the ball is thrown and after Carom's answer; the Defender is
    lost, and Carom calls another."""
    with loaded(carom, folder, "wickets-dice", WICKETS, OUR_WICKETS, "-firstOptions", "Chance Seed=3") as (gui, table):

        def keep(name):
            gui.desktop.save_screen(gui.path(name + ".png"))

        def move_and_throw():
            start = table.throws("c3", "a5")
            # It is taken back, and made with the ball, which is thrown next.
            table.answered(["Illegal move (throw): c3a5b", "move c3a5", "move @@@@"], start)
            table.agrees(["e1e8", "a8b7", "c3a5,"], white=True)

        def throw_into_wicket(name):
            """Gives the tokens of what happened, ours and Carom's."""
            marks = gui.lift("a5")
            assert marks.startswith("4GWWW/"), f"marked: {marks}"
            start = table.start()
            gui.click("e9")
            table.sent("a5e9", start)
            gui.wait_for_line(r"<first Illegal move \(ball\): a5e9", start)
            _, match = gui.wait_for_line(r"<first telluser Dice: ([1-6]), wicket (taken|not taken) \(needed .*", start)
            answer = table.thought(start)
            keep(name + "-dice")
            gui.close_box()
            face, result = match.groups()
            assert (result == "taken") == (int(face) > 2)
            # Black calls another Defender if the wicket was taken; then he moves, and it is our ply.
            assert answer.startswith("D@") == (result == "taken"), answer
            told = table.agrees(["e1e8", "a8b7", f"c3a5,O@e9,={face}", answer], white=True)
            assert told["position"].startswith("****o***/"), f"no ball in the wicket: {told['position']}"
            keep(name + "-answer")
            return face, result, answer

        table.agrees([], white=True)
        keep("1-position")
        gui.lift("e1")
        start = table.start()
        gui.click("e8")
        table.sent("e1e8", start)
        gui.key("ctrl+b")  # Machine Black
        table.answered(["move a8b7"], start)
        table.agrees(["e1e8", "a8b7"], white=True)
        move_and_throw()
        keep("2-to-throw")
        table.retract()
        table.agrees(["e1e8", "a8b7"], white=True)
        keep("3-taken-back")
        move_and_throw()
        # The ball is held after all: a black field right of the wicket. Then that is taken back.
        gui.lift("a5")
        start = table.start()
        gui.click("g9")
        gui.wait_for_line(r"<first Illegal move \(no more\): a5g9", start)
        table.agrees(["e1e8", "a8b7", "c3a5", table.thought(start)], white=True)
        table.retract()
        table.agrees(["e1e8", "a8b7", "c3a5,"], white=True)
        thrown = [throw_into_wicket("4")]
        # The throw is taken back with all that came of it: the die, the Defender who went, the one called, Carom's move.
        table.retract()
        table.agrees(["e1e8", "a8b7", "c3a5,"], white=True)
        keep("5-throw-taken-back")
        # So is what was decided before.
        table.retract()
        table.agrees(["e1e8", "a8b7"], white=True)
        move_and_throw()
        thrown.append(throw_into_wicket("6"))
        assert "taken" in [result for _, result, _ in thrown], "another Chance Seed is needed"
        table.asks_for_board()
        used = table.clocks_are_right(1)
    return f"wickets-dice with the mouse: thrown from a5 to e9, taken back, thrown again: {thrown}; {used:.1f} s"


# Black's rook takes the Defender, White's queen, unless it is moved.
CALL = "****1***/3r2g1/5pph/8/8/8/8/APP3PK/3M4/****1*** w - - 0 1"
OUR_CALL = "****1***/3r2k1/5ppp/8/8/8/8/PPP3PK/3Q4/****1*** w - - a2:d1/g8:h7 0 1"


def call(carom, folder):
    """Carom takes the user's Defender; the user names another with the mouse, takes that back and names a third."""
    with loaded(carom, folder, "wickets-dice", CALL, OUR_CALL) as (gui, table):

        def keep(name):
            gui.desktop.save_screen(gui.path(name + ".png"))

        def name(square):
            marks = gui.lift(square)
            assert re.fullmatch(r"RRRR4/8/.*/8/RRRR4", marks), f"marked: {marks}"
            start = table.start()
            gui.click("a0")  # a field that does not exist, in the left half
            gui.wait_for_line(rf"<first Illegal move \(Defender\): {square}a0", start)
            table.agrees(["b2b3", "d8d1", f"D@{square}"], white=True)

        table.agrees([], white=True)
        gui.lift("b2")
        start = table.start()
        gui.click("b3")
        table.sent("b2b3", start)
        gui.key("ctrl+b")  # Machine Black
        gui.wait_for_line(r"<first telluser Your Defender is gone\. .*", start)
        keep("1-box")
        gui.close_box()
        table.agrees(["b2b3", "d8d1"], white=True)
        name("c2")
        keep("2-pawn-called")
        table.retract()
        table.agrees(["b2b3", "d8d1"], white=True)
        keep("3-call-taken-back")
        name("h2")
        keep("4-king-called")
        # The game goes on.
        gui.lift("g2")
        start = table.start()
        gui.click("g3")
        answer = table.thought(start)
        told = table.agrees(["b2b3", "d8d1", "D@h2", "g2g3", answer], white=True)
        table.asks_for_board()
    return f"wickets-dice with the mouse: a Defender named, taken back, another named; then g2g3 {answer}: {told['position']}"


def start(carom, folder):
    """The game from its start, as XBoard opens it: two steps are White's first turn, four his second; both end by
    themselves."""
    with new_game(carom, folder) as (gui, table):
        table.agrees([], white=True)
        tokens = []
        # The second turn's are far from whatever Carom does.
        for steps in (["b4c6", "d4e6"], ["b3b4", "d3d4", "c2d3", "e1e2"]):
            for number, step in enumerate(steps, 1):
                gui.lift(step[:2])
                begun = table.start()
                gui.click(step[2:])
                table.sent(step, begun)
                if number < len(steps):
                    table.answered(["move @@@@"], begun)
                    table.agrees([*tokens, ",".join(steps[:number]) + ","], white=True)
            table.answered(["move @@@@", "move @@@@"], begun)
            tokens += [",".join(steps), table.thought(begun)]
            table.agrees(tokens, white=True)
            gui.desktop.save_screen(gui.path(f"{len(tokens)}-turns.png"))
        no_complaints(gui.conversation())
        used = table.clocks_are_right(4)
    return f"hanniball from the start with the mouse: {' '.join(tokens)}; {used:.1f} s"


def black(carom, folder):
    """The user is Black: Carom's first turn has two steps, the user's four, the third of them taken back and made anew."""
    with new_game(carom, folder) as (gui, table):
        begun = table.start()
        gui.key("ctrl+w")  # Machine White
        tokens = [table.thought(begun)]
        table.agrees(tokens, white=False)
        played = []

        def step(word):
            gui.lift(word[:3])
            begun = table.start()
            gui.click(word[3:])
            table.sent(word, begun)
            table.answered(["move @@@@"], begun)
            played.append(word)
            if len(played) < 4:
                table.agrees([*tokens, ",".join(played) + ","], white=False)
            return begun

        for word in ["e15e14", "c14c13", "b13a13"]:
            step(word)
        gui.desktop.save_screen(gui.path("1-three-steps.png"))
        table.retract()
        played.pop()
        table.agrees([*tokens, ",".join(played) + ","], white=False)
        step("b13a14")
        begun = step("h13i13")
        tokens += [",".join(played), table.thought(begun)]
        table.agrees(tokens, white=False)
        gui.desktop.save_screen(gui.path("2-answer.png"))
        no_complaints(gui.conversation())
    return f"hanniball as Black with the mouse: {' '.join(tokens)}"


# The Lion b11 takes the ball on c13, and shoots it into the goal.
GOAL = "***1m1***/9/2O6/9/1L7/9/9/9/9/9/9/1H5h1/9/9/***1M1*** w - - 0 1"
OUR_GOAL = "***1m1***/9/2o6/9/1L7/9/9/9/9/9/9/1H5h1/9/9/***1M1*** w 4 0 1"


def goal(carom, folder):
    """A goal with the mouse in the third of four steps: the game is over at once, XBoard hears so from Carom and saves it."""
    with loaded(carom, folder, "hanniball", GOAL, OUR_GOAL) as (gui, table):
        table.agrees([], white=True)
        gui.lift("b4")
        start = table.start()
        gui.click("c6")
        table.sent("b4c6", start)
        gui.key("ctrl+b")  # Machine Black
        table.answered(["move @@@@"], start)
        table.agrees(["b4c6,"], white=True)
        gui.lift("b11")
        start = table.start()
        assert gui.pull("c13", 0) == "U"
        table.answered(["move @@@@"], start)
        table.agrees(["b4c6,b11c13,"], white=True)
        gui.lift("c13")
        start = table.start()
        # A Lion that has carried the ball into the goal has won as well; here it is shot.
        letters = gui.pull("d15", 1)
        assert letters == "ULO", f"offered {letters}"
        table.sent("c13d15o", start)
        told = table.rules.show(["b4c6,b11c13,O@d15"], OUR_GOAL)
        result = f"{told['outcome']['result']} {{{told['outcome']['reason']}}}"
        assert result.startswith("1-0"), result
        gui.wait_for_line(rf"<first {re.escape(result)}", start)
        gui.wait_for_line(rf">first result {re.escape(result)}", start)
        # The ball is in the goal, and the Lion that shot it stands where it stood; no more is shown of this turn.
        table.shows(hanniball_letters(told["position"]), white=False)
        gui.desktop.save_screen(gui.path("goal.png"))
        wait_for("the saved position", lambda: os.path.exists(gui.path("boards.fen")))
        no_complaints(gui.conversation())
    [record], [board] = saved(folder, 1)
    assert f"{record['result']} {{{record['comment']}}}" == result, record
    assert table.alike(board.split()[0]), f"XBoard saved {board}"
    return f"hanniball with the mouse: a goal in the third step, {result}"
