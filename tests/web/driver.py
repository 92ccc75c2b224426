"""A client of chromedriver, as much of WebDriver (https://www.w3.org/TR/webdriver2/) as the tests of the page need."""

import json
import shutil
import socket
import subprocess
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"Left": "\ue012", "Up": "\ue013", "Right": "\ue014", "Down": "\ue015", "Enter": "\ue007", "Escape": "\ue00c",
        "Tab": "\ue004", "Space": " "}


class WebDriverError(Exception):
    """What chromedriver refused."""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(what, condition, seconds=30.0):
    """What `condition()` gives once that is true."""
    end = time.monotonic() + seconds
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() > end:
            raise AssertionError(f"waited {seconds:.0f} s in vain for {what}")
        time.sleep(0.02)


class Chromedriver:
    """The process; browsers are opened through it."""

    def __init__(self):
        program = shutil.which("chromedriver")
        if program is None:
            raise AssertionError("chromedriver is not installed")
        self.port = free_port()
        self.process = subprocess.Popen([program, f"--port={self.port}", "--silent"], stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        wait_for("chromedriver", self.is_ready)

    def is_ready(self):
        try:
            return self.call("GET", "/status")["ready"]
        except (urllib.error.URLError, ConnectionError):
            return False

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data, method=method,
                                         headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=120) as reply:
                return json.load(reply)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise WebDriverError(f"{value['error']}: {value['message'].splitlines()[0]}") from None

    def close(self):
        self.process.terminate()
        self.process.wait()


class Browser:
    """A browser with its windows; `touch` for a telephone."""

    def __init__(self, driver, width=1280, height=900, touch=False, dark=False):
        self.driver = driver
        self.touch = touch
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                     f"--window-size={width},{height}"]
        options = {"args": arguments}
        if touch:
            options["mobileEmulation"] = {"deviceMetrics": {"width": width, "height": height, "pixelRatio": 2, "touch": True}}
        capabilities = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        made = driver.call("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
        self.path = f"/session/{made['sessionId']}"
        if dark:
            self.command("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]})
        if not touch:
            # The size of what is seen, not of the window.
            self.command("Emulation.setDeviceMetricsOverride",
                         {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})

    def call(self, method, path, body=None):
        return self.driver.call(method, self.path + path, body)

    def command(self, name, parameters):
        """A command of the DevTools protocol."""
        return self.call("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def open(self, address):
        self.call("POST", "/url", {"url": address})

    def reload(self):
        self.call("POST", "/refresh", {})

    def run(self, script, *arguments):
        return self.call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def find(self, selector):
        found = self.call("POST", "/elements", {"using": "css selector", "value": selector})
        return found[0][ELEMENT] if found else None

    def middle(self, selector):
        """The middle of an element that can be seen, where the mouse finds that element."""
        return self.run(
            """const element = document.querySelector(arguments[0]);
            if (!element) return null;
            element.scrollIntoView({block: "nearest", inline: "nearest"});
            const box = element.getBoundingClientRect();
            const place = {x: Math.round(box.left + box.width / 2), y: Math.round(box.top + box.height / 2)};
            const top = document.elementFromPoint(place.x, place.y);
            place.free = top !== null && (top === element || element.contains(top) || top.contains(element));
            return place;""", selector)

    def click(self, selector):
        """By mouse, or by a finger."""
        place = wait_for(f"{selector} to be free", lambda: (lambda at: at if at and at["free"] else None)(self.middle(selector)), 10)
        self.press([(place["x"], place["y"])])

    def drag(self, one, other):
        places = [self.middle(selector) for selector in (one, other)]
        self.press([(place["x"], place["y"]) for place in places])

    def press(self, places):
        kind = "touch" if self.touch else "mouse"
        (x, y), *rest = places
        steps = [{"type": "pointerMove", "duration": 0, "x": x, "y": y}, {"type": "pointerDown", "button": 0}]
        for x, y in rest:
            steps.append({"type": "pointerMove", "duration": 60, "x": x, "y": y})
        steps.append({"type": "pointerUp", "button": 0})
        self.call("POST", "/actions", {"actions": [
            {"type": "pointer", "id": kind, "parameters": {"pointerType": kind}, "actions": steps}]})

    def keys(self, *names):
        steps = [{"type": way, "value": KEYS.get(name, name)} for name in names for way in ("keyDown", "keyUp")]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": steps}]})

    def screenshot(self, path):
        import base64
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("GET", "/screenshot")))

    def complaints(self):
        """What the browser's console holds against the page."""
        return [entry["message"] for entry in self.call("POST", "/se/log", {"type": "browser"})
                if entry["level"] == "SEVERE"]

    def windows(self):
        return self.call("GET", "/window/handles")

    def new_window(self):
        return self.call("POST", "/window/new", {"type": "tab"})["handle"]

    def switch(self, handle):
        self.call("POST", "/window", {"handle": handle})

    def close(self):
        self.call("DELETE", "")
