"""`carom serve` and a small client for it, on sockets alone."""

import base64
import json
import os
import re
import resource
import socket
import struct
import subprocess

from common import PANIC, WATCHDOG, Failure, settle, status_of

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


class Closed(Failure):
    """The server ended the connection."""


class Server:
    """`carom serve`, whose standard error is kept in a file."""

    def __init__(self, carom, place, *more):
        self.errors = f"{place}/errors"
        command = [carom, "serve", "--port", "0", *more]
        # What reads without end fails for want of memory, and the machine does not.
        most = 8 << 30
        with open(self.errors, "wb") as errors:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, cwd=place,
                                            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (most, most)))
        line = self.process.stdout.readline().decode()
        found = re.search(r":(\d+)/", line)
        if not found:
            raise Failure(f"`carom serve` said {line!r}")
        self.port, self.pid = int(found[1]), self.process.pid

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        early = self.process.poll()
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        if kind is None:
            self.check(early)

    def check(self, early=None):
        """That it lives and nothing in it has panicked."""
        with open(self.errors, "rb") as file:
            errors = file.read()
        early = self.process.poll() if early is None else early
        if PANIC.search(errors) or b"is lost" in errors or early not in (None, -9):
            raise Failure(f"the server ended ({early}) or panicked: {errors[-1500:].decode(errors='replace')}")

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), WATCHDOG)

    def tab(self):
        return Tab(self)

    def is_served(self):
        """Whether a request for the page is answered."""
        with self.connect() as stream:
            stream.sendall(b"GET / HTTP/1.1\r\nHost: localhost:%d\r\n\r\n" % self.port)
            return read_all(stream).startswith(b"HTTP/1.1 200 ")

    def rests(self, before, memory):
        """That threads and open files are as many as before, and memory is within bounds, when all have gone."""
        now = None

        def as_before():
            nonlocal now
            now = status_of(self.pid)
            return now[1] <= before[1] and now[2] <= before[2]

        if not settle(as_before) or now[0] > memory:
            raise Failure(f"memory in MB, threads and open files: {before} before, {now} afterwards, {memory} MB allowed")
        return f"{now[0]:.0f} MB, {now[1]} threads, {now[2]} files afterwards"


def read_all(stream):
    """What comes until the end, however it ends."""
    data = bytearray()
    try:
        while piece := stream.recv(1 << 16):
            data += piece
    except ConnectionError:
        pass
    except TimeoutError:
        raise Failure(f"not closed within {WATCHDOG} s, after {bytes(data[:300])!r}") from None
    return bytes(data)


def frame(payload, opcode=TEXT, final=True, mask=b"\x11\x22\x33\x44", bits=0, length=None):
    """A frame as a client sends it; `length` is said instead of the true one."""
    said = len(payload) if length is None else length
    head = bytes([(0x80 if final else 0) | bits | opcode])
    flag = 0x80 if mask else 0
    if said < 126:
        head += bytes([flag | said])
    elif said < 1 << 16:
        head += bytes([flag | 126]) + struct.pack(">H", said)
    else:
        head += bytes([flag | 127]) + struct.pack(">Q", said)
    if not mask:
        return head + payload
    masked = int.from_bytes(payload, "big") ^ int.from_bytes((mask * (len(payload) // 4 + 1))[: len(payload)], "big")
    return head + mask + masked.to_bytes(len(payload), "big")


def handshake(port, *more, host=None, key=None):
    host = host or f"localhost:{port}"
    key = key or base64.b64encode(os.urandom(16)).decode()
    lines = ["GET /socket HTTP/1.1", f"Host: {host}", "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
             f"Sec-WebSocket-Key: {key}", *more]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


class Tab:
    """A WebSocket."""

    def __init__(self, server):
        self.stream = server.connect()
        self.stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.stream.sendall(handshake(server.port, f"Origin: http://localhost:{server.port}"))
        self.buffer = bytearray()
        while b"\r\n\r\n" not in self.buffer:
            self.fill()
        head, _, rest = bytes(self.buffer).partition(b"\r\n\r\n")
        self.buffer = bytearray(rest)
        if not head.startswith(b"HTTP/1.1 101 "):
            self.stream.close()
            raise Closed(head.splitlines()[0].decode())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stream.close()

    def fill(self):
        try:
            piece = self.stream.recv(1 << 16)
        except ConnectionError as error:
            raise Closed(str(error)) from None
        except TimeoutError:
            raise Failure(f"nothing was said within {WATCHDOG} s") from None
        if not piece:
            raise Closed("end of the stream")
        self.buffer += piece

    def send(self, data):
        try:
            self.stream.sendall(data)
        except ConnectionError as error:
            raise Closed(str(error)) from None
        except TimeoutError:
            raise Failure(f"nothing was read within {WATCHDOG} s") from None

    def say(self, message):
        text = message if isinstance(message, (bytes, str)) else json.dumps(message)
        self.send(frame(text if isinstance(text, bytes) else text.encode()))

    def next(self):
        """The next text, as JSON."""
        while True:
            while len(self.buffer) < 2:
                self.fill()
            opcode, length, at = self.buffer[0] & 15, self.buffer[1] & 127, 2
            if length > 125:
                size = 2 if length == 126 else 8
                while len(self.buffer) < 2 + size:
                    self.fill()
                length, at = int.from_bytes(self.buffer[2 : 2 + size], "big"), 2 + size
            while len(self.buffer) < at + length:
                self.fill()
            payload = bytes(self.buffer[at : at + length])
            del self.buffer[: at + length]
            if opcode == TEXT:
                return json.loads(payload)
            if opcode == CLOSE:
                raise Closed(f"close {payload!r}")
            if opcode == PING:
                self.send(frame(payload, PONG))

    def next_of(self, *kinds):
        while (message := self.next())["type"] not in kinds:
            pass
        return message

    def ask(self, message, *kinds):
        self.say(message)
        return self.next_of(*kinds or ("state", "error", "look", "pgn", "response"))
