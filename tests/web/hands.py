"""What a person does at the board of the page: sees what is marked, points at it by mouse, finger or keys, decides."""

import random

# What somebody sees who looks at the page, and where his hand would go for it.
SCENE = """const places = {};
const place = (element, name) => {
  const box = element.getBoundingClientRect();
  const [x, y] = [Math.round(box.left + box.width / 2), Math.round(box.top + box.height / 2)];
  const top = document.elementFromPoint(x, y);
  if (top && (element.contains(top) || top.contains(element))) places[name] = [x, y];
  return name;
};
const marked = (word) => [...document.querySelectorAll("#board .sq." + word)].map((cell) => place(cell, cell.dataset.at));
const named = (selector, name) => [...document.querySelectorAll(selector)].map((button) => place(button, button.dataset[name]));
const scene = () => ({at: document.body.dataset.at ?? null, over: document.querySelector("#ask").classList.contains("over"),
  prompt: document.querySelector("#prompt").textContent, result: document.querySelector("#outcome").textContent, movable: marked("movable"), selected: marked("selected"),
  open: [...new Set(["target", "take", "ball", "choose"].flatMap(marked))], take: marked("take"),
  buttons: named("#answers [data-word]", "word"), hand: named(".held:not(:disabled)", "hand"),
  chooser: document.querySelector("#chooser").hidden ? [] : named("#chooser [data-word]", "word"),
  ready: document.querySelector("#ready") !== null, places,
  picked: marked("picked"), notice: document.querySelector("#notice").hidden ? "" : document.querySelector("#notice").textContent});
const until = (found) => new Promise((done, fail) => {
  let seen = null;
  const look = () => {
    seen = scene();
    if (!found(seen)) return false;
    watch.disconnect();
    clearTimeout(late);
    done(seen);
    return true;
  };
  const watch = new MutationObserver(look);
  const late = setTimeout(() => { watch.disconnect(); fail(new Error("in vain: " + JSON.stringify(seen))); }, 60000);
  if (!look()) watch.observe(document.documentElement, {subtree: true, childList: true, attributes: true, characterData: true});
});
"""
SETTLED = SCENE + """const [at, ready] = arguments;
return until((now) => now.over || (now.at !== at || now.ready !== ready)
  && (now.movable.length || now.open.length || now.buttons.length || now.hand.length || now.ready));"""
FOCUS = """const active = document.activeElement;
const cells = [...document.querySelectorAll(".sq")];
const turned = cells[0].dataset.at.slice(1) < cells.at(-1).dataset.at.slice(1);
return [active?.closest(".sq")?.dataset.at ?? null, turned];"""
TABS = """const tabbed = [...document.querySelectorAll("button, select, input, textarea, a[href]")]
  .filter((one) => one.tabIndex >= 0 && !one.disabled && one.checkVisibility());
const wanted = tabbed.findIndex((one) => one.matches(arguments[0]));
return [document.activeElement?.matches(arguments[0]) ?? false, wanted - tabbed.indexOf(document.activeElement)];"""


class Mouse:
    """Says things by mouse, or by a finger."""

    def __init__(self, browser):
        self.browser = browser

    def square(self, at, now):
        self.element(f'.sq[data-at="{at}"]', now["places"].get(at))

    def element(self, selector, place=None):
        # What is out of sight is brought into it first.
        self.browser.press([place]) if place else self.browser.click(selector)


class Keyboard:
    """Says things by keys alone."""

    def __init__(self, browser):
        self.browser = browser

    def square(self, wanted, now):
        if self.browser.run(FOCUS)[0] is None:
            self.tab_to(".sq")
        rng = random.Random(wanted)
        for _ in range(40):
            at, turned = self.browser.run(FOCUS)
            if at == wanted:
                return self.browser.keys("Enter")
            right, up = (ord(wanted[0]) - ord(at[0]), int(wanted[1:]) - int(at[1:]))
            # The keys go where they point, also on a board that is turned round.
            if turned:
                right, up = -right, -up
            names = ["Right" if right > 0 else "Left"] * abs(right) + ["Up" if up > 0 else "Down"] * abs(up)
            # Round a hole another order helps, or a step to the side.
            rng.shuffle(names)
            self.browser.keys(*(names if rng.random() < 0.9 else ["Left", "Up"]))
        raise AssertionError(f"the keys do not lead from {at} to {wanted}")

    def element(self, selector, place=None):
        self.tab_to(selector)
        self.browser.keys("Enter")

    def tab_to(self, selector):
        for _ in range(10):
            there, steps = self.browser.run(TABS, selector)
            if there:
                return
            self.browser.keys(*(["Tab"] * steps if steps > 0 else ["Shift+Tab"] * -steps))
        raise AssertionError(f"the Tab key does not lead to {selector}")


def scene(browser):
    return browser.run(SCENE + "return scene()")


def settled(browser, before):
    """The page after something was said in `before`, when something is to be said again: the engine has answered, or it is over."""
    return browser.run(SETTLED, before["at"], before["ready"])


def pick_up(browser, hand, now, kind, what):
    """What is seen when a piece was picked up, from a square or from the hand."""
    if kind == "hand":
        hand.element(f'.held[data-hand="{what}"]', now["places"].get(what))
    else:
        hand.square(what, now)
    return scene(browser)


def decide(browser, hand, now, rng):
    """Makes one decision at random, as a person sees them; True when something was said."""
    if now["chooser"]:
        word = rng.choice(now["chooser"])
        hand.element(f'#chooser [data-word="{word}"]')
        return True
    if now["ready"]:
        hand.element("#ready")
        return True
    choices = [("square", at) for at in now["movable"]] + [("hand", letter) for letter in now["hand"]]
    if not now["movable"]:
        choices += [("open", at) for at in now["open"]]
    # Stopping is one of many choices, and games shall end.
    choices += [("button", word) for word in now["buttons"]]
    assert choices, f"nothing can be said: {now}"
    kind, what = rng.choice(choices)
    if kind == "button":
        hand.element(f'#answers [data-word="{what}"]', now["places"].get(what))
        return True
    if kind == "open":
        target, targets = what, now
    else:
        targets = pick_up(browser, hand, now, kind, what)
        places = targets["take"] if targets["take"] and rng.random() < 0.6 else targets["open"]
        assert places, f"{what} was picked up and can go nowhere: {targets}"
        target = rng.choice(places)
    hand.square(target, targets)
    after = scene(browser)
    if after["at"] == now["at"] and len(after["picked"]) > len(now["picked"]):
        # Of several pieces that are given up this is one.
        return False
    return decide(browser, hand, after, rng) if after["chooser"] else True


def whole_game(browser, hand, seed, shot=None):
    """Plays at random, which the engine soon punishes; the result as the page tells it, and how many decisions it took."""
    rng, decisions = random.Random(seed), 0
    now = settled(browser, {"at": None, "ready": None})
    while not now["over"]:
        now = settled(browser, now) if decide(browser, hand, now, rng) else scene(browser)
        decisions += 1
        if shot and decisions == 12:
            browser.screenshot(shot)
        assert decisions < 6000, "the game does not end"
    return now["result"], decisions
