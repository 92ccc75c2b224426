"""Requests, connections and frames that no browser would send to `carom serve`."""

import concurrent.futures
import random
import resource
import select
import socket
import struct
import time

from common import WATCHDOG, Failure, fail, folder, settle, status_of
from websocket import BINARY, CLOSE, PING, Closed, Server, frame, handshake, read_all

# What a server may keep for itself when all have gone, in MB.
MEMORY = 150


def raise_files():
    """As many open files as the system allows."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 65536) if most > 0 else 65536, most))


def requests(port):
    """Requests that are refused or answered once, with the statuses that they may have."""
    host = f"Host: localhost:{port}\r\n".encode()
    get = b"GET / HTTP/1.1\r\n"

    def named(name):
        return get + f"Host: {name}\r\n\r\n".encode()

    def origin(*origins, own=f"localhost:{port}"):
        return handshake(port, *[f"Origin: {origin}" for origin in origins], host=own)

    def path(target):
        return b"GET " + target + b" HTTP/1.1\r\n" + host + b"\r\n"

    refused = {400, 403, 404, 405, 431}
    return {
        "the page": (get + host + b"\r\n", {200}),
        "the page by address": (named(f"127.0.0.1:{port}"), {200}),
        "two lengths": (b"POST / HTTP/1.1\r\n" + host + b"Content-Length: 0\r\nContent-Length: 44\r\n\r\n" + get, {405}),
        "length and chunks": (b"POST / HTTP/1.1\r\n" + host + b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + get + host + b"\r\n", {405}),
        "chunks spelt oddly": (get + host + b"Transfer-Encoding: \x0bchunked\r\n\r\n5c\r\n" + get, {200, 400}),
        "a body behind GET": (get + host + b"Content-Length: 30\r\n\r\nGET /x HTTP/1.1\r\nHost: evil\r\n\r\n", {200}),
        "two requests": ((get + host + b"\r\n") * 2, {200}),
        "a hundred requests": ((get + host + b"\r\n") * 100, {200}),
        "a socket behind the page": (get + host + b"\r\n" + handshake(port), {200}),
        "a broken one behind the page": (get + host + b"\r\nnonsense\r\n\r\n", {200}),
        "two hosts": (get + host + host + b"\r\n", {403}),
        "ours and another": (get + host + b"Host: evil.example\r\n\r\n", {403}),
        "no host": (get + b"\r\n", {403}),
        "an empty host": (named(""), {403}),
        "another port": (named(f"localhost:{port + 1}"), {403}),
        "no port": (named("localhost"), {403}),
        "a name that resolves to us": (named(f"evil.example:{port}"), {403}),
        "a name that begins like ours": (named(f"localhost.evil.example:{port}"), {403}),
        "an address in a name": (named(f"127.0.0.1.evil.example:{port}"), {403}),
        "a user before our name": (named(f"evil@localhost:{port}"), {403}),
        "a name with a dot behind": (named(f"localhost.:{port}"), {403}),
        "an octal address": (named(f"0177.0.0.1:{port}"), {403}),
        "a short address": (named(f"127.1:{port}"), {403}),
        "an address as a number": (named(f"2130706433:{port}"), {403}),
        "blanks in the host": (named(f"localhost :{port}"), {400, 403}),
        "the host folded": (get + f"Host:\r\n localhost:{port}\r\n\r\n".encode(), {400, 403}),
        "a blank before the colon": (get + f"Host : localhost:{port}\r\n\r\n".encode(), {400, 403}),
        "absolute form of another": (path(b"http://evil.example/"), {404, 400, 403}),
        "absolute form of ours": (path(f"http://localhost:{port}/".encode()), {404, 400}),
        "authority form": (b"CONNECT evil.example:443 HTTP/1.1\r\n" + host + b"\r\n", {405, 400}),
        "asterisk form": (b"OPTIONS * HTTP/1.1\r\n" + host + b"\r\n", {405, 400}),
        "up": (path(b"/../../../../etc/passwd"), {404}),
        "up, encoded": (path(b"/%2e%2e/%2e%2e/etc/passwd"), {404}),
        "up, encoded twice": (path(b"/%252e%252e/etc/passwd"), {404}),
        "up by backslashes": (path(b"/..\\..\\etc\\passwd"), {404}),
        "up below the rules": (path(b"/rules/../../Cargo.toml"), {404}),
        "up below the pieces": (path(b"/pieces/../../../etc/passwd.svg"), {404}),
        "two slashes": (path(b"//etc/passwd"), {404}),
        "NUL in the path": (path(b"/\x00"), refused),
        "NUL in the host": (named("localhost\x00"), refused),
        "bytes in the path": (path(b"/\xff\xfe"), refused),
        "a query": (path(b"/?" + b"x" * 9000), {200}),
        "17 kB of head": (get + host + b"X: " + b"x" * 17_000 + b"\r\n\r\n", {431}),
        "17 kB of path": (path(b"/" + b"x" * 17_000), {431}),
        "a thousand headers": (get + host + b"X: y\r\n" * 1000 + b"\r\n", {431}),
        "a head without end": (get + b"X: y\r\n" * 3000, {431}),
        "POST": (b"POST / HTTP/1.1\r\n" + host + b"\r\n", {405}),
        "HEAD": (b"HEAD / HTTP/1.1\r\n" + host + b"\r\n", {405}),
        "a method of 9,000 letters": (b"G" * 9000 + b" / HTTP/1.1\r\n" + host + b"\r\n", refused),
        "HTTP/0.9": (b"GET /\r\n\r\n", refused),
        "HTTP/1.0": (b"GET / HTTP/1.0\r\n" + host + b"\r\n", {200, 400}),
        "HTTP/2 preface": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", refused),
        "HTTP/9.9": (b"GET / HTTP/9.9\r\n" + host + b"\r\n", refused),
        "a TLS hello": (bytes.fromhex("16030100a5010000a10303") + bytes(160), refused | {None}),
        "line feeds alone": (b"GET / HTTP/1.1\n" + host.replace(b"\r", b"") + b"\n", {400, None}),
        "carriage returns alone": (b"GET / HTTP/1.1\r" + host + b"\r\r", refused),
        "half a head": (get + host, {400, None}),
        "noise": (random.Random(1).randbytes(3000) + b"\r\n\r\n", refused),
        "nothing": (b"", {None}),
        "a socket": (handshake(port), {101}),
        "from our page": (origin(f"http://localhost:{port}"), {101}),
        "from another page": (origin("http://evil.example"), {403}),
        "from null": (origin("null"), {403}),
        "from https": (origin(f"https://localhost:{port}"), {403}),
        "from our address": (origin(f"http://127.0.0.1:{port}"), {403}),
        "from our name": (origin(f"http://localhost:{port}", own=f"127.0.0.1:{port}"), {403}),
        "from another port": (origin(f"http://localhost:{port + 1}"), {403}),
        "from two pages": (origin(f"http://localhost:{port}", "http://evil.example"), {403}),
        "from a longer name": (origin(f"http://localhost:{port}.evil.example"), {403}),
        "from an empty page": (origin(""), {403}),
        "a socket of version 8": (handshake(port).replace(b"Version: 13", b"Version: 8"), {400}),
        "a socket with a short key": (handshake(port, key="x"), {400}),
        "a socket without its wish": (handshake(port).replace(b"Upgrade: websocket\r\n", b""), {400}),
        "a socket by POST": (handshake(port).replace(b"GET", b"POST"), {405}),
        "across sites": (handshake(port, "Sec-Fetch-Site: cross-site"), {403}),
        "a socket elsewhere": (handshake(port).replace(b"/socket", b"/"), {200}),
    }


def http(attack):
    """Requests that deceive servers: each is refused or answered once, and the connection ends."""
    raise_files()
    with folder() as place, Server(attack.carom, place) as server:
        before, table = status_of(server.pid), requests(server.port)

        def one(item):
            name, (request, wanted) = item
            with server.connect() as stream:
                try:
                    stream.sendall(request)
                    if 101 in wanted:
                        stream.sendall(frame(b"\x03\xe8", CLOSE))
                except ConnectionError:
                    pass
                answer = read_all(stream)
            statuses = [int(part[:3]) for part in answer.split(b"HTTP/1.1 ")[1:] if part[:3].isdigit()]
            if len(statuses) > 1 or (statuses or [None])[0] not in wanted or b"root:" in answer:
                fail(f"http, {name}: answered by {statuses}, not by one of {wanted}", request, "http")
            return statuses

        with concurrent.futures.ThreadPoolExecutor(len(table)) as pool:
            list(pool.map(one, table.items()))
        rests = server.rests(before, MEMORY)
    return f"{len(table)} requests; {rests}"


def closed(streams, patience=0.0):
    """How many of these the server has ended."""
    poll = select.poll()
    for stream in streams:
        poll.register(stream, select.POLLIN | select.POLLRDHUP)
    return sum(bool(events & (select.POLLRDHUP | select.POLLHUP | select.POLLERR)) for _, events in poll.poll(patience * 1000))


def connections(attack):
    """Connections that say next to nothing, too many of them, and such as come and go."""
    raise_files()
    with folder() as place, Server(attack.carom, place) as server:
        server.is_served()
        before, told = status_of(server.pid), []
        idle = [server.connect() for _ in range(700)]
        if not settle(lambda: closed(idle) >= 100):
            raise Failure(f"of 700 idle connections {closed(idle)} are closed at once, not 100")
        begun, turned_away = time.monotonic(), closed(idle)

        def drip():
            for stream in idle:
                try:
                    stream.send(b"G")
                except OSError:
                    pass
            time.sleep(1)
            return closed(idle) == len(idle)

        if not settle(drip, WATCHDOG):
            raise Failure(f"{len(idle) - closed(idle)} of 700 idle connections are kept")
        told.append(f"700 idle: {700 - turned_away} taken, all let go after {time.monotonic() - begun:.0f} s")
        if not settle(server.is_served):
            raise Failure("nothing is served after idle connections")
        for stream in idle:
            stream.close()
        tabs, full = [], 0
        for _ in range(300):
            try:
                tabs.append(server.tab())
            except Closed as closing:
                full += "503" in str(closing)
        if (len(tabs), full) != (250, 50):
            raise Failure(f"of 300 sockets {len(tabs)} are taken and {full} answered by 503")
        told.append(f"300 sockets: {len(tabs)} and {full} times 503")
        for tab in tabs:
            tab.stream.close()
        for number in range(attack.size(2000)):
            stream = server.connect()
            if number % 3 == 1:
                stream.send(b"GET / HT")
            stream.close()
        for number in range(attack.size(300)):
            stream = server.connect()
            stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            if number % 2:
                stream.send(handshake(server.port) if number % 3 else b"GET / HTTP/1.1\r\n")
            stream.close()
        told.append(server.rests(before, MEMORY))
        if not server.is_served():
            raise Failure("nothing is served at the end")
    return "; ".join(told)


def frames(attack):
    """Frames that break the rules or stretch them: closed or answered, and the next connection is served."""
    unread = 60_664 if not attack.short else 3000
    long = frame(b'{"do":"undo"}')
    deep = b"[" * 200_000
    kinds = {
        "a length of 2^63": frame(b"x", length=1 << 63),
        "a length of 2^63-1": frame(b"x", length=(1 << 63) - 1),
        "a length of 2^64-1": frame(b"x", length=(1 << 64) - 1),
        "a length of 256 KiB and 1": frame(b"x", length=(256 << 10) + 1),
        "a length in more bytes than it needs": b"\x81\xfe\x00\x02" + b"\0\0\0\0" + b"{}",
        "no mask": frame(b"{}", mask=b""),
        "reserved bits": frame(b"{}", bits=0x70),
        "a reserved opcode": frame(b"{}", 3),
        "a reserved control opcode": frame(b"", 11),
        "a ping in parts": frame(b"x", PING, final=False),
        "a ping of 126 bytes": frame(b"x" * 126, PING),
        "the rest of nothing": frame(b"x", 0),
        "a text within a text": frame(b"{", final=False) + frame(b"{}"),
        "100,000 empty parts": frame(b"{", final=False) + frame(b"", 0, final=False) * 100_000 + frame(b"}", 0),
        "no UTF-8": frame(b"\xff\xfe\xc0\x80"),
        "a character in two parts": frame(b'"\xc3', final=False) + frame(b'\xa9"', 0),
        "half a character at the end": frame(b'"\xc3'),
        "a close of one byte": frame(b"\x03", CLOSE),
        "a close with a wrong number": frame(struct.pack(">H", 999) + b"\xff", CLOSE),
        "two closes": frame(b"", CLOSE) * 2,
        "200,000 brackets": frame(deep),
        "200,000 braces": frame(b'{"a":' * 40_000),
        "bytes": frame(b"\x00\x01", BINARY),
        "NUL": frame(b"\x00" * 1000),
        "half a surrogate": frame(b'{"do":"\\ud800"}'),
        "parts of more than 256 KiB": frame(b" " * 100_000, final=False) + frame(b" " * 100_000, 0, final=False) * 9,
        "half a frame": long[:9],
        "nothing": b"",
        "a number of 100,000 digits": frame(b'{"do":"rewind","to":' + b"9" * 100_000 + b"}"),
        "10,000 messages at once": long * 10_000,
        "unread pings": frame(b"x" * 100, PING) * unread,
    }
    with folder() as place, Server(attack.carom, place) as server:
        server.is_served()
        before, ended = status_of(server.pid), 0
        for name, data in kinds.items():
            tab = server.tab()
            tab.next_of("hello")
            # What is written while nobody reads stops when the buffers are full, or the server has closed.
            tab.stream.settimeout(5 if name == "unread pings" else WATCHDOG)
            try:
                tab.stream.sendall(data)
            except (ConnectionError, TimeoutError):
                ended += 1
            else:
                tab.stream.settimeout(WATCHDOG)
                try:
                    # Closed, or all is answered: one that waits for the rest of a frame has it cut off.
                    if name.startswith("half a frame") or "length of" in name or "256 KiB" in name:
                        tab.stream.shutdown(socket.SHUT_WR)
                        read_all(tab.stream)
                        ended += 1
                    else:
                        tab.ask({"do": "query", "question": "weather"}, "error", "response")
                except (Closed, ConnectionError):
                    ended += 1
            tab.stream.close()
            if not server.is_served():
                raise Failure(f"frames, {name}: nothing is served afterwards")
            server.check()
        told = deaf(server)
        rests = server.rests(before, MEMORY)
    return f"{len(kinds)} kinds, {ended} of them closed; {told}; {rests}"


def deaf(server):
    """Ten that say much, are answered, and never read: let go before they cost memory."""
    tabs, text = [server.tab() for _ in range(10)], frame(b'"' + b"x" * 250_000 + b'"')
    gone = 0
    for tab in tabs:
        tab.stream.settimeout(3)
        try:
            for _ in range(250):
                tab.stream.sendall(text)
        except (ConnectionError, TimeoutError):
            gone += 1
    memory = status_of(server.pid)[0]
    if memory > MEMORY:
        raise Failure(f"ten that do not read cost {memory:.0f} MB")
    for tab in tabs:
        tab.stream.close()
    return f"ten that do not read cost {memory:.0f} MB"
