"""Messages of the page to `carom serve`, as they are and changed."""

import json
import re
import struct

from common import Failure, Mutator, folder, games, positions, seeded, status_of
from traffic import MEMORY
from websocket import CLOSE, Closed, Server, frame

DEEDS = ["new", "join", "play", "undo", "rewind", "variation", "look", "resign", "draw", "ready", "hint", "analyse", "hurry", "pause", "seats", "pgn",
         "load", "query", "journal", "game", "fly"]
QUERIES = "gameover p1turn result reason actor fen game legal continuations odds weather".split()
RECORDS = ["[Variant \"alapo\"]\n\n1. c2b3 c7b6 *\n", "[Event \"x\"]\n\n1. e4 e5 2. Nf3 (2. f4 exf4) Nc6 *\n", "1. e4 {x} *", "[Variant \"hanniball\"]\n\n1. d4c6 *\n"]


class Page:
    """A session of random messages over one WebSocket or several, one after the other."""

    def __init__(self, server, rng, names, texts):
        self.server, self.rng, self.names, self.texts = server, rng, names, texts
        self.mutator = Mutator(rng)
        self.said, self.closed, self.state, self.key = 0, 0, None, None

    def note(self, message):
        """Remembers where the game stands; and looks at what must never be said."""
        if message["type"] == "state":
            self.state = message
            if message.get("key"):
                self.key = (message["session"], message["key"])
            for choice in message["legal"]:
                for case in choice.get("odds") or []:
                    if case["of"] == 1 and "+" in case["word"] and "cards" in message["game"]:
                        raise Failure(f"the card to be drawn is told: {choice}")
            if message["viewer"] != "all" and "cards" in message["game"] and not message["result"]:
                own = {"white": "W=", "black": "B="}.get(message["viewer"], "")
                for field in message["fen"].split()[-1].split("/"):
                    # The stock, and the hand of who does not look.
                    if field[:2] in ("W=", "B=", "S=") and field[:2] != own and not re.fullmatch(r"..(\?\d+|-)?", field):
                        raise Failure(f"the viewer {message['viewer']} sees {message['fen']}")
        elif message["type"] == "error" and len(message["text"]) > 700:
            raise Failure(f"an error of {len(message['text'])} characters")

    def message(self):
        rng = self.rng
        deed = rng.choice(DEEDS + ["play"] * 12 + ["new"] * 2)
        at = self.state["at"] if self.state else 0
        legal = self.state["legal"] if self.state else []
        if deed == "new":
            made = {"do": "new", "game": rng.choice(self.names), "seats": [rng.choice(["person", "engine"]), rng.choice(["person", "person", "engine"])],
                    "level": rng.choice(["nodes=50", "depth=1", "nodes=1", "elo=600", "time=0.01"]), "seed": rng.randrange(1, 1 << 63), "pace": 0}
            game, text = rng.choice(self.texts)
            if rng.random() < 0.4:
                made |= {"game": game, "position": text}
            if rng.random() < 0.2:
                made["tc"] = rng.choice(["3+0", "inf", "0.01+0", "40/60", "60hg"])
            if rng.random() < 0.2:
                made["roll"] = True
            if rng.random() < 0.1:
                made["rules"] = rng.choice([{"layout": "alt-2"}, {"red-card": "on"}, {"UCI_Chess960": "true"}, {"Hash": "65536"}])
            return made
        if deed == "play":
            word = rng.choice(legal)["word"] if legal and rng.random() < 0.9 else rng.choice(["e2e4", "0000", "=4", "+Ah", "a1a1z", "x" * 300])
            made = {"do": "play", "word": word}
            return made | ({"at": at} if rng.random() < 0.5 else {})
        some = {
            "join": {"session": self.key[0] if self.key and rng.random() < 0.7 else "0123456789abcdef",
                     "key": rng.choice([None, "x", self.key and self.key[1]])},
            "rewind": {"to": rng.choice([0, max(at - 1, 0), at, at + 1, 1 << 40])}, "variation": {"number": rng.choice([0, 0, 1, 7, 1 << 60])},
            "look": {"at": rng.choice([0, at, at + 1, 1 << 50])} | ({"variation": 0} if rng.random() < 0.4 else {}),
            "analyse": {"lines": rng.choice([0, 0, 1, 3, 10, 11])}, "pause": {"on": rng.random() < 0.5},
            "seats": {"seats": [rng.choice(["person", "engine"]), rng.choice(["person", "engine"])]},
            "load": {"pgn": rng.choice(RECORDS), "number": rng.choice([1, 1, 2, 0])}, "query": {"question": rng.choice(QUERIES), "arguments": rng.choice(["", "e2", "e2e4,"])},
            "journal": {"from": rng.choice([0, 1 << 62])}, "game": {"number": 1},
        }
        return {"do": deed} | some.get(deed, {})

    def once(self, tab):
        """One message, as it should be or changed; some are waited for."""
        self.said += 1
        text = json.dumps(self.message()).encode()
        if self.rng.random() < 0.4:
            text = self.mutator.change(text).decode(errors="replace").encode()
        if self.rng.random() < 0.002:
            text = text.ljust(self.rng.choice([262_144, 262_145, 300_000]), b" ")
        tab.say(text)
        if self.rng.random() < 0.5:
            self.answered(tab)

    def answered(self, tab):
        """Asks what is always answered, and reads all that comes before."""
        tab.say({"do": "query", "question": "weather"})
        while True:
            message = tab.next()
            self.note(message)
            if message["type"] == "response" and message["question"] == "weather":
                return
            if message["type"] == "error" and message["do"] == "query":
                return

    def run(self):
        for _ in range(self.rng.randrange(1, 4)):
            try:
                with self.server.tab() as tab:
                    self.note(tab.next_of("hello"))
                    if self.key and self.rng.random() < 0.7:
                        # The game is still there.
                        session, key = self.key
                        message = tab.ask({"do": "join", "session": session, "key": key}, "state", "error")
                        if message["type"] == "error":
                            raise Failure(f"the game {session} is lost: {message}")
                        self.note(message)
                    else:
                        self.state = None
                    for _ in range(self.rng.randrange(4, 26)):
                        self.once(tab)
                    self.answered(tab)
                    if self.rng.random() < 0.5:
                        tab.send(frame(struct.pack(">H", 1000), CLOSE))
            except Closed:
                # A message that is too long ends the connection.
                self.closed += 1
        return self.said, self.closed


def sockets(attack):
    """WebSocket sessions of the page's messages, as they are and changed: no panic, no game lost, everything given back."""
    names, texts = games(attack.carom), positions()
    with folder() as place, Server(attack.carom, place, "--searches", "2") as server:
        if not server.is_served():
            raise Failure("the page is not served")
        before = status_of(server.pid)

        def session(number):
            rng = seeded(attack.seed, "sockets", number)
            page = Page(server, rng, names, texts)
            try:
                return page.run()
            except Failure as failure:
                raise Failure(f"sockets {number}: {failure}") from None

        done = attack.each(session, attack.size(3000))
        rests = server.rests(before, MEMORY)
    said, ended = (sum(one[at] for one in done) for at in range(2))
    return f"{len(done)} sessions, {said} messages, {ended} too long ones; {rests}"
