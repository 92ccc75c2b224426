"""A stranger's first minute with HanniBall: the name of a piece, one guided task, one turn, the reply seen step by step."""

from driver import wait_for
from hands import scene

# Each board that is shown between two decisions, in order.
WATCH = """window.boards = [];
const look = () => {
  const board = [...document.querySelectorAll('#board .sq')].map((cell) => cell.dataset.piece || '-').join('');
  if (window.boards.at(-1) !== board) window.boards.push(board);
};
new MutationObserver(look).observe(document.querySelector('#board'), {subtree: true, attributes: true, attributeFilter: ['data-piece']});
look();"""


def first_minute(browser, hand):
    """From the page of `carom serve hanniball`; what the reply was called, and how many of its steps were seen."""
    text = lambda selector: browser.run("return document.querySelector(arguments[0])?.innerText ?? ''", selector)
    wait_for("our turn", lambda: scene(browser)["movable"])
    # What is this piece?
    hand.square("c2", scene(browser))
    wait_for("the name", lambda: text("#info").startswith("Lion."))
    assert len(text("#info")) > len("Lion.") + 20, text("#info")
    browser.keys("Escape")
    # How is it played? One task, and no more.
    hand.element("#show-how")
    wait_for("the screen", lambda: browser.has("#learn"))
    hand.element("#learn")
    wait_for("the task", lambda: "e8" in text("#task"))
    hand.square("d6", scene(browser))
    hand.square("e8", scene(browser))
    wait_for("praise", lambda: browser.has("#lesson .done"))
    # A game.
    hand.element("#new")
    wait_for("the box", lambda: browser.run("return document.querySelector('#setup').open"))
    hand.element("#begin")
    wait_for("the start", lambda: scene(browser)["at"] == "0" and scene(browser)["movable"] and not browser.run("return document.querySelector('#setup').open"))
    hand.square("d4", scene(browser))
    hand.square("e6", scene(browser))
    wait_for("the first step", lambda: scene(browser)["at"] == "1")
    browser.run(WATCH)
    hand.element("#stop")
    told = wait_for("the reply", lambda: [line for line in text("#happened").split("\n") if line.startswith("Black:")], 60)[0]
    wait_for("the reply to be shown", lambda: not browser.run("return document.body.classList.contains('showing')"), 60)
    seen = len(browser.run("return window.boards")) - 1
    steps = told.count(";") + 1
    assert seen >= steps >= 1, f"{told}: {seen} of its steps were seen"
    wait_for("our turn again", lambda: scene(browser)["movable"])
    return told, seen
