"""Chromium, driven over its DevTools protocol (https://chromedevtools.github.io/devtools-protocol/): pages, what a hand does to
them (mouse, touch, keys, as the browser gets them from the system), what they show."""

import base64
import json
import os
import pathlib
import shutil
import socket
import struct
import subprocess
import tempfile
import time

KEYS = {"Left": ("ArrowLeft", 37), "Up": ("ArrowUp", 38), "Right": ("ArrowRight", 39), "Down": ("ArrowDown", 40),
        "Enter": ("Enter", 13), "Escape": ("Escape", 27), "Tab": ("Tab", 9)}
SHIFT = 8


class Refused(Exception):
    """What the browser refused, or what a script threw."""


def wait_for(what, look, seconds=30.0):
    """Calls `look` until it gives something true, and returns that."""
    end = time.monotonic() + seconds
    while not (found := look()):
        if time.monotonic() > end:
            raise AssertionError(f"waited {seconds:.0f} s in vain for {what}")
        time.sleep(0.005)
    return found


class Socket:
    """A WebSocket (RFC 6455) to a program on this machine."""

    def __init__(self, port, path):
        self.stream = socket.create_connection(("127.0.0.1", port), timeout=120)
        self.stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        key = base64.b64encode(os.urandom(16)).decode()
        self.stream.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        self.reader = self.stream.makefile("rb")
        status = self.reader.readline()
        assert b"101" in status, status
        while self.reader.readline().strip():
            pass

    def send(self, text):
        data = text.encode()
        length = len(data)
        head = struct.pack("!BB", 0x81, 0x80 | length) if length < 126 else struct.pack("!BBH", 0x81, 0xFE, length) \
            if length < 65536 else struct.pack("!BBQ", 0x81, 0xFF, length)
        # A mask of zeros changes nothing, and is one.
        self.stream.sendall(head + bytes(4) + data)

    def read(self):
        whole = b""
        while True:
            first, length = self.reader.read(2)
            if length == 126:
                length, = struct.unpack("!H", self.reader.read(2))
            elif length == 127:
                length, = struct.unpack("!Q", self.reader.read(8))
            whole += self.reader.read(length)
            if first & 0x80:
                return whole.decode()

    def close(self):
        self.stream.close()


class Chromium:
    """The process. Each browser in it keeps its things to itself."""

    def __init__(self):
        program = shutil.which("chromium")
        if program is None:
            raise AssertionError("chromium is not installed")
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
             "--no-first-run", "--disable-extensions", "--disable-background-networking", "--remote-debugging-port=0",
             f"--user-data-dir={self.folder.name}", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        told = pathlib.Path(self.folder.name, "DevToolsActivePort")
        lines = wait_for("chromium", lambda: told.exists() and len(told.read_text().split()) == 2 and told.read_text().split())
        self.socket = Socket(int(lines[0]), lines[1])
        self.number = 0
        self.answers = {}
        # What each page's console holds against it, by the session of the page.
        self.complaints = {}

    def send(self, method, parameters, session=None):
        """Says it; the number under which the answer comes."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        self.socket.send(json.dumps(message))
        return self.number

    def answer(self, number):
        while number not in self.answers:
            message = json.loads(self.socket.read())
            if "id" in message:
                self.answers[message["id"]] = message
            else:
                self.note(message)
        message = self.answers.pop(number)
        if "error" in message:
            raise Refused(message["error"]["message"])
        return message["result"]

    def note(self, event):
        own = self.complaints.setdefault(event.get("sessionId"), [])
        if event["method"] == "Runtime.exceptionThrown":
            own.append(str(event["params"]["exceptionDetails"].get("exception", {}).get("description")))
        elif event["method"] == "Log.entryAdded" and event["params"]["entry"]["level"] == "error":
            own.append(event["params"]["entry"]["text"])

    def call(self, method, parameters=None, session=None):
        return self.answer(self.send(method, parameters or {}, session))

    def close(self):
        self.socket.close()
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()


class Browser:
    """A browser with its tabs; `touch` for a telephone, `still` for somebody who
    wants nothing to move. What is done is done in the tab that was opened or chosen last."""

    def __init__(self, chromium, width=1280, height=900, touch=False, dark=False, still=False):
        self.chromium, self.width, self.height, self.touch = chromium, width, height, touch
        self.taste = {"prefers-color-scheme": "dark" if dark else "light", "prefers-reduced-motion": "reduce" if still else ""}
        self.context = chromium.call("Target.createBrowserContext")["browserContextId"]
        self.tabs = []
        self.new_tab()

    def new_tab(self):
        target = self.chromium.call("Target.createTarget", {"url": "about:blank", "browserContextId": self.context})["targetId"]
        self.tab = self.chromium.call("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        self.tabs.append(self.tab)
        for domain in ["Page", "Runtime", "Log"]:
            self.command(f"{domain}.enable")
        self.command("Emulation.setDeviceMetricsOverride", {"width": self.width, "height": self.height, "mobile": self.touch,
                                                            "deviceScaleFactor": 2 if self.touch else 1})
        self.command("Emulation.setTouchEmulationEnabled", {"enabled": self.touch, "maxTouchPoints": 1})
        # Each tab is the one that somebody looks at.
        self.command("Emulation.setFocusEmulationEnabled", {"enabled": True})
        features = [{"name": name, "value": value} for name, value in self.taste.items()]
        self.command("Emulation.setEmulatedMedia", {"features": features})
        return self.tab

    def switch(self, tab):
        self.tab = tab

    def command(self, name, parameters=None):
        return self.chromium.call(name, parameters, self.tab)

    def open(self, address):
        self.command("Page.navigate", {"url": address})
        self.loaded()

    def reload(self):
        self.run("window.old = true")
        self.command("Page.reload")
        wait_for("the page anew", lambda: self.run("return window.old === undefined"))
        self.loaded()

    def loaded(self):
        wait_for("the page", lambda: self.run("return document.readyState === 'complete' && location.href !== 'about:blank'"))

    def run(self, script, *arguments):
        """What the body of a function gives in the page, `arguments` being its own; a promise is waited for."""
        text = f"(async function () {{ {script} }}).apply(null, {json.dumps(arguments)})"
        try:
            got = self.command("Runtime.evaluate", {"expression": text, "awaitPromise": True, "returnByValue": True})
        except Refused as refused:
            # A page that is just left.
            if "context" in str(refused) or "navigat" in str(refused):
                return None
            raise
        if "exceptionDetails" in got:
            raise Refused(got["exceptionDetails"]["exception"].get("description", "a script failed"))
        return got["result"].get("value")

    def has(self, selector):
        return self.run("return document.querySelector(arguments[0]) !== null", selector)

    def middle(self, selector):
        """The middle of an element that can be seen, where the hand finds that element."""
        def free():
            return self.run("""const element = document.querySelector(arguments[0]);
                if (!element) return null;
                element.scrollIntoView({block: "nearest", inline: "nearest"});
                const box = element.getBoundingClientRect();
                const [x, y] = [Math.round(box.left + box.width / 2), Math.round(box.top + box.height / 2)];
                const top = document.elementFromPoint(x, y);
                return top && (element.contains(top) || top.contains(element)) ? [x, y] : null;""", selector)
        return wait_for(f"{selector} to be free", free, 10)

    def point(self, selector):
        """Holds the mouse there."""
        x, y = self.middle(selector)
        self.steps([("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": x, "y": y})])

    def click(self, selector):
        """By mouse, or by a finger."""
        self.press([self.middle(selector)])

    def drag(self, one, other):
        (x1, y1), (x2, y2) = self.middle(one), self.middle(other)
        between = [(x1 + (x2 - x1) * part / 4, y1 + (y2 - y1) * part / 4) for part in (1, 2, 3)]
        self.press([(x1, y1), *between, (x2, y2)])

    def press(self, places):
        """Puts mouse or finger down at the first place and takes it up at the last."""
        (x, y), (x_end, y_end) = places[0], places[-1]
        if self.touch:
            def touch(kind, *points):
                return ("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})
            steps = [touch("touchStart", places[0]), *[touch("touchMove", place) for place in places[1:]], touch("touchEnd")]
        else:
            def mouse(kind, x, y, **more):
                return ("Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, **more})
            held = {"button": "left", "clickCount": 1}
            steps = [mouse("mouseMoved", x, y), mouse("mousePressed", x, y, **held),
                     *[mouse("mouseMoved", x, y, button="left", buttons=1) for x, y in places[1:]], mouse("mouseReleased", x_end, y_end, **held)]
        self.steps(steps)

    def keys(self, *names):
        steps = []
        for name in names:
            shift = name.startswith("Shift+")
            key, code = KEYS[name.removeprefix("Shift+")]
            event = {"key": key, "code": key, "windowsVirtualKeyCode": code, "modifiers": SHIFT if shift else 0}
            text = {"text": "\r"} if key == "Enter" else {}
            steps += [("Input.dispatchKeyEvent", {"type": "keyDown" if text else "rawKeyDown", **event, **text}),
                      ("Input.dispatchKeyEvent", {"type": "keyUp", **event})]
        self.steps(steps)

    def steps(self, steps):
        numbers = [self.chromium.send(method, parameters, self.tab) for method, parameters in steps]
        for number in numbers:
            self.chromium.answer(number)

    def screenshot(self, path):
        pathlib.Path(path).write_bytes(base64.b64decode(self.command("Page.captureScreenshot")["data"]))

    def look(self, name):
        """Keeps under a name what the page looks like now."""
        self.run("""const image = new Image();
            image.src = "data:image/png;base64," + arguments[1];
            await image.decode();
            const pen = new OffscreenCanvas(image.width, image.height).getContext("2d");
            pen.drawImage(image, 0, 0);
            (window.looks ??= {})[arguments[0]] = pen.getImageData(0, 0, image.width, image.height);""",
                 name, self.command("Page.captureScreenshot", {"optimizeForSpeed": True})["data"])

    def changed(self, one, other, selector):
        """What part of an element's pixels somebody sees to differ between two such looks."""
        return self.changes(one, other, [selector])[0]

    def changes(self, one, other, selectors):
        """The same of several elements."""
        return self.run("""const [one, other] = [window.looks[arguments[0]], window.looks[arguments[1]]];
            return arguments[2].map((selector) => {
            const box = document.querySelector(selector).getBoundingClientRect();
            const scale = one.width / innerWidth;
            const [left, top, right, bottom] = [box.left, box.top, box.right, box.bottom].map((edge) => Math.round(edge * scale));
            let changed = 0;
            for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) {
              const at = 4 * (y * one.width + x);
              const apart = [0, 1, 2].reduce((sum, part) => sum + Math.abs(one.data[at + part] - other.data[at + part]), 0);
              if (apart > 60) changed++;
            }
            return changed / ((right - left) * (bottom - top)); });""", one, other, selectors)

    def complaints(self):
        """What the console holds against the pages of this browser."""
        return [text for tab in self.tabs for text in self.chromium.complaints.get(tab, [])]

    def close(self):
        self.chromium.call("Target.disposeBrowserContext", {"browserContextId": self.context})
