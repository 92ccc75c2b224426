"""What axe-core (https://github.com/dequelabs/axe-core, from npm, for tests only) holds against the page, in every view, light and dark."""

import pathlib
import subprocess
import tarfile

from driver import Browser, wait_for
from hands import scene

VERSION = "4.14.1"
LOOK = """return axe.run(document).then((found) => found.violations.map((one) => `${one.id}: ${one.help}: ${one.nodes[0].html.slice(0, 200)}`))"""


def script(folder):
    """The library, fetched once."""
    path = folder / f"axe-{VERSION}.js"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "pack", "--silent", f"axe-core@{VERSION}"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        with tarfile.open(folder / f"axe-core-{VERSION}.tgz") as archive:
            path.write_bytes(archive.extractfile("package/axe.min.js").read())
    return path.read_text()


class Views:
    """Goes from view to view and lets axe look at each."""

    def __init__(self, checks, library, dark):
        self.checks, self.library, self.dark, self.seen = checks, library, dark, []

    def look(self, browser, view):
        browser.run(self.library + "; window.axe = axe;")
        found = browser.run(LOOK)
        assert not found, f"{view}{', dark' if self.dark else ''}: {found}"
        self.seen.append(view)

    def begin(self, game, side="white", **more):
        return self.checks.begin(game, side, still=True, dark=self.dark, **more)

    def all(self):
        browser = Browser(self.checks.chromium, dark=self.dark, still=True)
        browser.open(self.checks.page)
        wait_for("the box", lambda: browser.run("return document.querySelector('#setup').open"))
        self.look(browser, "the box of a new game")
        browser.close()
        self.dice()
        self.cards()
        self.looking_back()
        self.teaching()
        self.friend()
        self.phone()
        return self.seen

    def dice(self):
        start = "****1***/4k1r1/5ppp/8/8/8/2B5/PPP2PPP/3RK3/****1*** w - - c3:e1/e8:g8 0 30"
        browser, hand = self.begin("wickets-dice", position=start)
        hand.square("c3", scene(browser))
        self.look(browser, "a piece picked up")
        hand.square("a5", scene(browser))
        wait_for("the throw", lambda: "e9" in scene(browser)["open"])
        hand.square("e9", scene(browser))
        wait_for("the odds", lambda: scene(browser)["chooser"])
        self.look(browser, "the odds of a throw")
        hand.element("#chooser [data-word]")
        wait_for("the die", lambda: browser.has("#event .die-face"))
        self.look(browser, "the die")
        hand.element("#record")
        wait_for("the record", lambda: browser.run("return document.querySelector('#pgn-text').value"))
        self.look(browser, "what is shared")
        browser.close()

    def cards(self):
        browser, hand = self.begin("wickets-cards", "both")
        wait_for("the question who is there", lambda: scene(browser)["ready"])
        self.look(browser, "the question who is at the screen")
        hand.element("#ready")
        wait_for("the cards", lambda: browser.has("#below .card:not(.back)"))
        self.look(browser, "one's own cards")
        browser.close()

    def looking_back(self):
        browser, hand = self.begin("breakthrough", "both")
        for start, to in [("a2", "a3"), ("a7", "a6")]:
            hand.square(start, scene(browser))
            hand.square(to, scene(browser))
            wait_for("the move", lambda: start not in scene(browser)["selected"] and browser.has(f'.sq[data-at="{to}"] .piece'))
        hand.element('#list [data-end="1"]')
        wait_for("the board as it was", lambda: "how it stood" in scene(browser)["prompt"])
        self.look(browser, "the board as it was")
        browser.close()

    def teaching(self):
        browser, hand = self.begin("hanniball")
        hand.element("#show-how")
        wait_for("the legend", lambda: browser.has("#how .legend"))
        self.look(browser, "how to play")
        hand.element("#show-rules")
        wait_for("the rules", lambda: browser.run("return document.querySelector('#rules').open"))
        self.look(browser, "the rules")
        browser.keys("Escape")
        hand.element("#learn")
        wait_for("a task", lambda: browser.has("#task"))
        self.look(browser, "a task")
        browser.close()

    def friend(self):
        browser, _ = self.begin("jai-alai", "friend")
        wait_for("the link", lambda: browser.has("#friend-link"))
        self.look(browser, "the link for a friend")
        browser.close()

    def phone(self):
        browser, hand = self.begin("rollerball", width=390, height=844, touch=True)
        browser.run("const s = document.querySelector('#lines-count'); s.value = '3'; s.dispatchEvent(new Event('change'))")
        wait_for("lines", lambda: browser.has("#lines li"))
        self.look(browser, "lines of the engine on a phone")
        hand.element("#resign")
        hand.element("#resign")
        wait_for("the end", lambda: scene(browser)["over"])
        self.look(browser, "the end on a phone")
        browser.close()
