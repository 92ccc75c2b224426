"""Every goal of every piece is marked where somebody sees it: compared in pixels with the same square unmarked."""

import random

from hands import decide, scene, settled

# The marks of what is picked up are taken off the board, and put back by the page at the next click.
PLAIN = """for (const cell of document.querySelectorAll('#board .sq'))
  cell.classList.remove('selected', 'target', 'take', 'ball', 'choose', 'gone', 'picked', 'way', 'way-ball');"""
PICK_UP = "document.querySelector(arguments[0]).click(); return document.activeElement?.blur?.()"
# At least this part of a square must differ.
LEAST = 0.02


def goals_of(browser, selector):
    """Picks up what `selector` names; the goals that are marked then, and what the page looks like."""
    browser.run(PICK_UP, selector)
    found = scene(browser)["open"]
    if found:
        browser.look("marked")
    browser.run("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape'}))")
    return found


def see(browser, now):
    """How much of each goal's square changes by its mark, at the least; and how many goals there are."""
    browser.point("h1")
    browser.run(PLAIN)
    browser.look("plain")
    browser.run("document.dispatchEvent(new KeyboardEvent('keydown', {key: 'Escape'}))")
    wanted = [f'.sq[data-at="{at}"]' for at in now["movable"]] + [f'.held[data-hand="{letter}"]' for letter in now["hand"]]
    least, count = 1, 0
    # What can be chosen without picking anything up is marked already.
    for selector in wanted or ["body"]:
        goals = goals_of(browser, selector)
        parts = browser.changes("plain", "marked", [f'.sq[data-at="{at}"]' for at in goals]) if goals else []
        for at, part in zip(goals, parts):
            assert part > LEAST, f"{selector} to {at}: only {part:.1%} of the square shows a mark, at {browser.run('return location.hash')}"
            least, count = min(least, part), count + 1
    return least, count


def states(begin, game, number, seed):
    """Goes through so many states of random games, and looks at the marks of each."""
    rng = random.Random(f"{game} {seed}")
    least, goals, looked = 1, 0, 0
    while looked < number:
        browser, hand = begin(game)
        now = settled(browser, {"at": None, "ready": None})
        # Not all states of one game, and not all from its beginning.
        for _ in range(rng.randrange(40, 80)):
            if now["over"] or looked >= number:
                break
            if not now["ready"] and not now["chooser"] and not now["picked"] and rng.random() < 0.4:
                part, count = see(browser, now)
                least, goals, looked = min(least, part), goals + count, looked + 1
                now = scene(browser)
            now = settled(browser, now) if decide(browser, hand, now, rng) else scene(browser)
        browser.close()
    return least, goals
