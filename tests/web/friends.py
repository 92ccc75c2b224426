"""Two people at two machines: two Chromiums on two addresses play a game to its end, through lost connections and a server that is killed;
and what each of them received is looked at."""

import json
import pathlib
import random
import re
import signal
import socket
import struct
import subprocess
import tempfile
import threading

from driver import Browser, Chromium, wait_for
from hands import Mouse, decide, scene


class Line:
    """A connection to the server that can be cut, on an address of its own; it keeps what the server says."""

    def __init__(self, address, port):
        self.port, self.messages, self.open = port, [], []
        # What the page says gets lost on the way.
        self.deaf = False
        self.listener = socket.create_server((address, port))
        self.page = f"http://{address}:{port}/"
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            try:
                far = socket.create_connection(("127.0.0.1", self.port))
            except OSError:
                near.close()
                continue
            self.open.append((near, far))
            threading.Thread(target=self.pass_on, args=(near, far, lambda data: not self.deaf), daemon=True).start()
            threading.Thread(target=self.pass_on, args=(far, near, Frames(self.messages)), daemon=True).start()

    def pass_on(self, source, to, hear):
        try:
            while data := source.recv(65536):
                if hear(data):
                    to.sendall(data)
        except OSError:
            pass
        for end in (source, to):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def state(self):
        """What its page was told last."""
        return next(message for message in reversed(self.messages) if message["type"] == "state")

    def cut(self):
        """The connection is lost, in both directions."""
        self.deaf = False
        for pair in self.open:
            for end in pair:
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
        self.open.clear()

    def close(self):
        self.listener.close()
        self.cut()


class Frames:
    """Cuts what a server says into the messages of a WebSocket."""

    def __init__(self, messages):
        self.messages, self.data, self.begun = messages, b"", False

    def __call__(self, data):
        """Hears `data` and lets it pass."""
        self.hear(data)
        return True

    def hear(self, data):
        self.data += data
        if not self.begun:
            head, found, rest = self.data.partition(b"\r\n\r\n")
            if not found:
                return
            if b" 101 " not in head.split(b"\r\n")[0] + b" ":
                # A file of the page.
                self.data, self.begun = b"", None
                return
            self.data, self.begun = rest, True
        while self.begun and len(self.data) >= 2:
            length, start = self.data[1] & 127, 2
            if length == 126:
                length, start = struct.unpack("!H", self.data[2:4])[0] if len(self.data) >= 4 else 1 << 62, 4
            elif length == 127:
                length, start = struct.unpack("!Q", self.data[2:10])[0] if len(self.data) >= 10 else 1 << 62, 10
            if len(self.data) < start + length:
                return
            if self.data[0] & 15 == 1:
                self.messages.append(json.loads(self.data[start:start + length]))
            self.data = self.data[start + length:]


class Server:
    def __init__(self, carom, store, port=0):
        self.carom, self.store = carom, store
        self.process = subprocess.Popen([carom, "serve", "--port", str(port), "--store", store], stdout=subprocess.PIPE, text=True)
        self.port = int(re.search(r":(\d+)/", self.process.stdout.readline())[1])

    def killed_and_started_again(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        return Server(self.carom, self.store, self.port)


def begin(page, game, position):
    """Somebody begins a game with a friend, by mouse; the page and the link for the friend."""
    page.open_page()
    browser, hand = page.browser, page.hand
    wait_for("the box", lambda: browser.run("return document.querySelector('#setup').open"))
    for group, value in [("game", game), ("side", "friend")]:
        browser.run("document.querySelector(`input[name=${arguments[0]}][value='${arguments[1]}']`).click()", group, value)
    browser.run("document.querySelector('#setup-position').value = arguments[0]; document.querySelector('#own-name').value = 'Ada'", position)
    hand.element("#begin")
    return wait_for("the link", lambda: browser.run("return !document.querySelector('#setup').open && document.querySelector('#friend-link')?.value"))


class Adviser:
    """Carom itself, asked over UCI for a good decision: games at random do not end."""

    def __init__(self, carom, game):
        self.process = subprocess.Popen([carom], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.say(f"uci\nsetoption name UCI_Variant value {game}")

    def say(self, text):
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def word(self, position):
        """The first decision of the best turn."""
        self.say(f"position fen {position}\ngo nodes 3000")
        while not (line := self.process.stdout.readline()).startswith("bestmove"):
            assert line, "the adviser has ended"
        return line.split()[1].split(",")[0]

    def close(self):
        self.process.kill()
        self.process.wait()


def follow(page, now, word):
    """Does by mouse what `word` says, if it is one of the decisions that the page offers; false where it is none."""
    legal = page.line.state()["legal"]
    decision = next((one for one in legal if one["word"].rstrip(",") == word), None)
    if decision is None or now["chooser"]:
        return False
    button = f'#answers [data-word="{decision["word"]}"]'
    if page.browser.has(button):
        page.hand.element(button)
        return True
    if decision["kind"] not in ("move", "ball"):
        return False
    if decision.get("from") in now["movable"]:
        page.hand.square(decision["from"], now)
    page.hand.square(decision["to"], page.scene())
    if page.scene()["chooser"]:
        page.hand.element(f'#chooser [data-word="{decision["word"]}"]')
    return True


class Page:
    """One of the two, in a Chromium of its own."""

    def __init__(self, line):
        self.line = line
        self.chromium = Chromium()
        self.browser = Browser(self.chromium, still=True)
        self.hand = Mouse(self.browser)

    def open_page(self, fragment=""):
        self.browser.open(self.line.page + fragment)

    def scene(self):
        return scene(self.browser)

    def can_decide(self, now):
        return now["movable"] or now["open"] or now["buttons"] or now["hand"] or now["chooser"]

    def close(self):
        self.browser.close()
        self.chromium.close()


def turn_of(pages):
    """The page whose person is to decide, and what is seen there; `None` when the game is over for both."""
    seen = [page.scene() for page in pages]
    if all(now["over"] for now in seen):
        return [None]
    for page, now in zip(pages, seen):
        if not now["over"] and page.can_decide(now) and all(now["at"] == other["at"] for other in seen):
            return [page, now]
    return None


def play(carom, game, seed, shots, position="", opening=()):
    """A whole game, in which White begins with the words of `opening`; the server is killed once and two connections are lost. What was seen at the end."""
    opening = list(opening)
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        server = Server(carom, str(pathlib.Path(folder, "games.jsonl")))
        lines = [Line(f"127.0.0.{number}", server.port) for number in (2, 3)]
        pages = [Page(line) for line in lines]
        adviser = Adviser(carom, game)
        try:
            link = begin(pages[0], game, position)
            pages[0].browser.screenshot(shots / f"friend-{game}-link.png")
            # The link is the same at every address of the server.
            pages[1].open_page(link.partition("/#")[2] and "#" + link.partition("/#")[2])
            wait_for("the board", lambda: pages[1].browser.run("return document.querySelector('.sq .piece') !== null"))
            wait_for("an address without a secret", lambda: not pages[1].browser.run("return location.hash.includes('key=')"))
            events = {4: "cut 1", 8: "kill", 12: "deaf 0"}
            decisions = 0
            while True:
                page, *now = wait_for("a person to decide", lambda: turn_of(pages), 60)
                if page is None:
                    break
                # White plays well, Black anything.
                advised = False
                if page is pages[0]:
                    advised = follow(page, now[0], opening.pop(0) if opening else adviser.word(page.line.state()["fen"]))
                said = advised or decide(page.browser, page.hand, now[0], rng)
                if page.line.deaf:
                    # The connection is lost before the decision reached the server: the page says it again.
                    page.line.cut()
                if said:
                    wait_for("the decision", lambda: page.scene()["at"] != now[0]["at"] or page.scene()["over"])
                decisions += 1
                event = events.pop(decisions, None)
                before = [page.scene()["at"] for page in pages] if event else None
                if event == "kill":
                    server = server.killed_and_started_again()
                elif event == "deaf 0":
                    lines[0].deaf = True
                elif event:
                    lines[int(event[-1])].cut()
                if event:
                    wait_for("everybody to be back", lambda: all(page.browser.run("return !document.body.classList.contains('lost')") for page in pages), 60)
                    wait_for("the same board", lambda: len({page.scene()["at"] for page in pages}) == 1 and pages[0].scene()["at"] >= before[0])
                assert decisions < 500, "the game does not end"
            assert not events or decisions < max(events), "not everything has happened"
            ends = [page.scene()["result"] for page in pages]
            assert ends[0] == ends[1] and ends[0], ends
            turns = [page.browser.run("return [...document.querySelectorAll('#list [data-end]')].map((turn) => turn.textContent)") for page in pages]
            assert turns[0] == turns[1]
            for page, name in zip(pages, ("a", "b")):
                page.browser.screenshot(shots / f"friend-{game}-end-{name}.png")
                assert not [text for text in page.browser.complaints() if "WebSocket" not in text and "ERR_" not in text], page.browser.complaints()
            kinds = {step["kind"] for line in lines for state in line.messages if state["type"] == "state" and state.get("story") for step in state["story"]["steps"]}
            assert kinds >= {"wickets-dice": {"roll"}, "wickets-cards": {"card"}}.get(game, set()), f"no chance in {kinds}"
            for line, own in zip(lines, ("white", "black")):
                nothing_hidden(line.messages, own)
            # Once more, with the sides exchanged.
            pages[0].hand.element("#rematch")
            wait_for("the question", lambda: pages[1].browser.has("#agree"))
            pages[1].hand.element("#agree")
            wait_for("another game", lambda: all(page.scene()["at"] == "0" and not page.scene()["over"] for page in pages))
            assert lines[1].messages[-1]["seat"] == "white", "the sides are exchanged"
            return ends[0], decisions, list(events.values())
        finally:
            adviser.close()
            for page in pages:
                page.close()
            for line in lines:
                line.close()
            server.process.kill()
            server.process.wait()


def nothing_hidden(messages, own):
    """Before the end of a game no message holds a card of the other hand, or one that the other has drawn."""
    states = [message for message in messages if message["type"] == "state" and not message["result"]]
    assert states
    for state in states:
        assert state["seat"] == own
        if state["cards"]:
            other = state["cards"][1 if own == "white" else 0]
            assert other["seen"] == [], state["cards"]
        for turn in state["turns"]:
            if turn["by"] != own:
                assert not re.search(r"\+[A2-9T][cdhs]", turn["text"]), turn
