"""Serves a golden program to Goldwire: the answering side of bridge/PROTOCOL.md, standard library only.

    import gwserve

    class Adder:                                  # made anew for each conversation and each configure
        def event(self, stream, fields):          # one event of an input stream, fields by name
            return [("rsp", {"sum": fields["a"] + fields["b"]})]

    gwserve.main(Adder, gwserve.Block("adder", "0123456789abcdef",      # goldwire schema show --hash schema.yaml
                                      ins={"ev": [("a", 8), ("b", 8)]}, outs={"rsp": [("sum", 9)]}))

Goldwire asks in order: `goldwire cosim --dut my/dut.yaml --golden unix:PATH`. An event may have no response
or several. Signed fields are Python's signed integers; what is too large for a field is an error.

A Unix socket is protected by its mode. A TCP port is open to every user of the machine, so there clients must give
a token: that of the environment variable GW_TOKEN, or a new one that the first line of output ends with.
"""
import argparse
import collections
import hmac
import os
import secrets
import signal
import socket
import stat
import struct
import sys
import threading
import time

HELLO, CONFIGURE, CONFIGURED, BATCH, FINISH, STEP, BENCH, TRACE = 1, 2, 3, 4, 7, 9, 11, 13
PROGRESS, ERROR, BYE, ASK, ANSWER, DESCRIBE, DESCRIBED = 15, 17, 18, 19, 20, 21, 22
HELLO_SECONDS = 10  # a client that has not sent its hello by then is sent away
STRANGERS = 256  # connections without an accepted hello, at once; one more ends the oldest
MAGIC, VERSION, MAX_CONTROL, MAX_BULK = b"GWB1", 1, 65536, 268435456
STRANGER_BULK = 65536

TABLE = []
for _byte in range(256):
    for _ in range(8):
        _byte = _byte >> 1 ^ (0x82F63B78 if _byte & 1 else 0)
    TABLE.append(_byte)


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ TABLE[(crc ^ byte) & 255]
    return crc ^ 0xFFFFFFFF


def pack(message):
    """A map of strings to integers and strings as msgpack."""
    def text(s):
        raw = s.encode()
        return (b"\xda" + struct.pack(">H", len(raw)) if len(raw) < 1 << 16 else b"\xdb" + struct.pack(">I", len(raw))) + raw
    out = b"\xde" + struct.pack(">H", len(message))
    for key, value in message.items():
        out += text(key) + (text(value) if isinstance(value, str) else b"\xcf" + struct.pack(">Q", value))
    return out


def unpack(data):
    """The map of a control message, or ValueError."""
    at = 0

    def take(n):
        nonlocal at
        if at + n > len(data):
            raise ValueError("control message ends early")
        at += n
        return data[at - n:at]

    def number(code):
        return struct.unpack(">" + code, take(struct.calcsize(code)))[0]

    def value():
        b = take(1)[0]
        if b < 0x80:
            return b
        if b < 0x90:
            return {value(): value() for _ in range(b & 15)}
        if b < 0xA0:
            return [value() for _ in range(b & 15)]
        if b < 0xC0:
            return take(b & 31).decode()
        if b >= 0xE0:
            return b - 256
        if b in (0xC0, 0xC2, 0xC3):
            return {0xC0: None, 0xC2: False, 0xC3: True}[b]
        if 0xC4 <= b <= 0xC6:
            return take(number("BHI"[b - 0xC4]))
        if 0xCA <= b <= 0xD3:
            return number("fdBHIQbhiq"[b - 0xCA])
        if 0xD9 <= b <= 0xDB:
            return take(number("BHI"[b - 0xD9])).decode()
        if b in (0xDC, 0xDD):
            return [value() for _ in range(number("HI"[b - 0xDC]))]
        if b in (0xDE, 0xDF):
            return {value(): value() for _ in range(number("HI"[b - 0xDE]))}
        raise ValueError("msgpack value of kind %#x" % b)

    try:
        message = value() if data else {}
    except (UnicodeDecodeError, RecursionError, TypeError) as e:
        raise ValueError("control message: %s" % e)
    if not isinstance(message, dict) or at != len(data):
        raise ValueError("a control message is one map and nothing behind it")
    return message


def integer(message, key, most):
    """The integer from 0 to most under a key, 0 where it is absent."""
    v = message.get(key, 0)
    if not isinstance(v, int) or isinstance(v, bool) or not 0 <= v <= most:
        raise Refusal("protocol", "%s of %r" % (key, v))
    return v


class Record:
    """Where the fields of one direction lie in its records."""

    def __init__(self, streams, controls):
        self.control = {name: bit for bit, name in enumerate(controls)}
        self.fields = {}
        at = len(controls)
        for stream, fields in streams.items():
            self.fields[stream] = []
            for name, width, *signed in fields:
                free = -at % 64
                if free and (width > 64 or width > free):
                    at += free
                self.fields[stream].append((name, width, bool(signed), at))
                at += width if width <= 64 else -(-width // 64) * 64
        self.words = max(1, -(-at // 64))

    def unpack(self, stream, record):
        out = {}
        for name, width, signed, at in self.fields[stream]:
            v = record >> at & (1 << width) - 1
            out[name] = v - (1 << width) if signed and v >> width - 1 else v
        return out

    def text(self):
        """The layout as the answer to describe has it."""
        lines = ["control %s %d" % c for c in self.control.items()]
        lines += ["field %s %s %d %d %d %d" % (stream, name, width, at // 64, at % 64, signed)
                  for stream, fields in self.fields.items() for name, width, signed, at in fields]
        return "".join(line + "\n" for line in lines)

    def pack(self, stream, values, valid):
        record = 1 << self.control[valid]
        left = dict(values)
        for name, width, signed, at in self.fields[stream]:
            if name not in left:
                raise Wrong("stream %s: the field %s is missing" % (stream, name))
            v = left.pop(name)
            if not isinstance(v, int):
                raise Wrong("%s.%s = %r is no integer" % (stream, name, v))
            if not (-(1 << width - 1) <= v < 1 << width - 1 if signed else 0 <= v < 1 << width):
                raise Wrong("%s.%s = %d does not fit its %d bits" % (stream, name, v, width))
            record |= (v & (1 << width) - 1) << at
        if left:
            raise Wrong("stream %s has no field %s" % (stream, ", ".join(left)))
        return record


class Block:
    """What is served: ins and outs are {stream: [(field, width) or (field, width, "signed")]} in the schema's order."""

    def __init__(self, name, schema_hash, ins, outs, params=None):
        self.name, self.hash, self.params = name, schema_hash, params or {}
        self.ins = Record(ins, ["rst_n"] + [n + "_valid" for n in ins] + [n + "_ready" for n in outs])
        self.outs = Record(outs, [n + "_ready" for n in ins] + [n + "_valid" for n in outs])


class Wrong(Exception):
    """What the model returned is no list of responses."""


class Refusal(Exception):
    """Ends the conversation; the client gets the kind and the text."""

    def __init__(self, kind, text, ours="", theirs=""):
        super().__init__(text)
        self.message = {"kind": kind, "text": text, "ours": str(ours), "theirs": str(theirs)}


class Guests:
    """Who is connected: strangers until their hello is accepted, then clients, of which there is a greatest number."""

    def __init__(self, token="", most=64):
        self.token, self.most, self.clients = token, most, 0
        self.strangers, self.lock = collections.OrderedDict(), threading.Lock()

    def arrive(self, conn):
        with self.lock:
            self.strangers[conn] = None
            oldest = self.strangers.popitem(last=False)[0] if len(self.strangers) > STRANGERS else None
        if oldest is not None:
            hang_up(oldest)

    def full(self):
        return Refusal("busy", "%d clients are served, no more" % self.most)

    def enter(self, conn):
        with self.lock:
            if self.clients >= self.most:
                raise self.full()
            self.clients += 1
            self.strangers.pop(conn, None)

    def leave(self, conn, was_client):
        with self.lock:
            self.clients -= was_client
            self.strangers.pop(conn, None)


def hang_up(conn, how=socket.SHUT_RDWR):
    try:
        conn.shutdown(how)
    except OSError:
        pass


class Conversation:
    def __init__(self, conn, block, model, guests):
        self.conn, self.block, self.guests = conn, block, guests
        self.sent = self.received = 0
        self.until = time.monotonic() + HELLO_SECONDS  # None once the hello is accepted
        self.make, self.model = model, None
        self.hello = {"version": VERSION, "block": block.name, "schema_hash": block.hash,
                      "params": ",".join("%s=%d" % p for p in sorted(block.params.items())),
                      "in_words": block.ins.words, "out_words": block.outs.words, "token": "",
                      "simulator": "Python", "requests": "configure,ask,describe"}

    def send(self, kind, message=None, bulk=b""):
        control = pack(message) if message else b""
        if len(control) > MAX_CONTROL or len(bulk) > MAX_BULK:
            raise Refusal("too-large", "what is to be said does not fit a frame; ask for less at once")
        head = struct.pack("<4sHBBIIIII", MAGIC, VERSION, kind, 0, self.sent, len(control), len(bulk), 0, crc32c(control + bulk))
        self.conn.sendall(head + struct.pack("<I", crc32c(head)) + control + bulk)
        self.sent += 1

    def read(self, n, between=False):
        out = bytearray()
        while len(out) < n:
            if self.until is not None:
                self.conn.settimeout(max(self.until - time.monotonic(), 0.001))
            part = self.conn.recv(min(n - len(out), 1 << 20))
            if not part and between and not out:
                raise EOFError
            if not part:
                raise Refusal("truncated", "the stream ends within a frame")
            out += part
        return bytes(out)

    def receive(self):
        head = self.read(32, between=True)
        magic, version, kind, flags, seq, control, bulk, reserved, crc, head_crc = struct.unpack("<4sHBBIIIIII", head)
        if magic != MAGIC:
            raise Refusal("magic", "this is no Goldwire frame")
        if version != VERSION:
            raise Refusal("version", "protocol version", VERSION, version)
        if head_crc != crc32c(head[:28]):
            raise Refusal("checksum", "the header is damaged")
        if flags or reserved or bulk % 8:
            raise Refusal("protocol", "flags, reserved bits or length of a frame")
        if control > MAX_CONTROL or bulk > (MAX_BULK if self.until is None else STRANGER_BULK):
            raise Refusal("too-large", "the frame is too large")
        if seq != self.received & 0xFFFFFFFF:
            raise Refusal("sequence", "a frame is missing", self.received, seq)
        self.received += 1
        payload = self.read(control + bulk)
        if crc != crc32c(payload):
            raise Refusal("checksum", "the payload is damaged")
        try:
            return kind, unpack(payload[:control]), payload[control:]
        except ValueError as e:
            raise Refusal("protocol", str(e))

    def greet(self):
        """Exchanges hellos, or raises Refusal."""
        self.conn.settimeout(HELLO_SECONDS)
        if self.guests.clients >= self.guests.most:
            raise self.guests.full()
        self.send(HELLO, self.hello)
        kind, theirs, _ = self.receive()
        if kind != HELLO:
            raise Refusal("protocol", "the first frame is no hello")
        if theirs.get("version", 0) != VERSION:
            raise Refusal("version", "version", VERSION, theirs.get("version", 0))
        token = theirs.get("token", "")
        if not isinstance(token, str) or not hmac.compare_digest(token.encode(), self.guests.token.encode()):
            raise Refusal("token", "session token differs")
        for key, name in (("block", "block"), ("schema_hash", "schema-hash"), ("params", "params"),
                          ("in_words", "layout"), ("out_words", "layout")):
            if theirs.get(key, "") != self.hello[key]:
                raise Refusal(name, key, self.hello[key], theirs.get(key))

    def serve(self):
        client = False
        self.guests.arrive(self.conn)
        try:
            self.greet()
            self.guests.enter(self.conn)
            client, self.until = True, None
            self.conn.settimeout(None)
            while self.request(*self.receive()):
                pass
        except (EOFError, OSError):  # the client is gone
            pass
        except Refusal as e:
            self.part(e)
        finally:
            self.guests.leave(self.conn, client)
            self.conn.close()

    def part(self, why):
        """Says why the conversation ends. What the client has sent meanwhile is read first, for some time: closing
        a socket with unread bytes discards the message."""
        end = time.monotonic() + 2
        try:
            self.conn.settimeout(2)
            self.send(ERROR, why.message)
            hang_up(self.conn, socket.SHUT_WR)
            while time.monotonic() < end and self.conn.recv(1 << 16):
                pass
        except OSError:
            pass

    def request(self, kind, message, bulk):
        if kind == CONFIGURE:
            integer(message, "seed", 0xFFFFFFFF)
            integer(message, "reset", 2)
            if message.get("shm"):
                self.unsupported("shared memory")
                return True
            self.model = self.guarded(self.make)
            self.send(CONFIGURED)
        elif kind == ASK:
            self.ask(message, bulk)
        elif kind == DESCRIBE:
            layout = {"in": self.block.ins.text(), "out": self.block.outs.text()}
            if len(pack(layout)) > MAX_CONTROL:
                self.unsupported("layout that fits a message")
            else:
                self.send(DESCRIBED, layout)
        elif kind in (BATCH, FINISH, STEP, BENCH, TRACE):
            self.unsupported("a request of type %d" % kind)
        elif kind == BYE:
            self.send(BYE)
            return False
        elif kind == ERROR:
            return False
        else:
            raise Refusal("protocol", "a frame of type %d is no request here" % kind)
        return True

    def guarded(self, call):
        """What the model raises ends this conversation, with its words."""
        try:
            return call()
        except Exception as e:
            text = " ".join(str(e).split())
            if not isinstance(e, Wrong):
                text = "%s: %s" % (type(e).__name__, text)
            print(text, file=sys.stderr, flush=True)
            raise Refusal("model", text[:1000])

    def unsupported(self, what):
        """Fails a request alone; the conversation goes on."""
        self.send(ERROR, {"kind": "unsupported", "text": "a golden program in Python takes events; it has no " + what})

    def ask(self, message, bulk):
        ins, outs = self.block.ins, self.block.outs
        size, answer, events = 8 * ins.words, [], integer(message, "events", 1 << 20)
        if self.model is None or not events or len(bulk) != events * size:
            raise Refusal("protocol", "ask of %d events carries %d bytes, or comes before configure" % (events, len(bulk)))
        records = [int.from_bytes(bulk[at:at + size], "little") for at in range(0, len(bulk), size)]
        given = [[s for s in ins.fields if record >> ins.control[s + "_valid"] & 1] for record in records]
        if not all(given):
            raise Refusal("protocol", "an event without a valid bit")
        beat, done = time.monotonic(), 0
        for record, streams in zip(records, given):
            # A sign of life between events, none within one: a model that hangs must show.
            if time.monotonic() - beat >= 0.25:
                beat = time.monotonic()
                self.send(PROGRESS, {"cycles": done})
            done += 1
            for stream in streams:
                answer += self.guarded(lambda: self.responses(stream, ins.unpack(stream, record)))
        self.send(ANSWER, {"responses": len(answer), "cycles": 0}, b"".join(answer))

    def responses(self, stream, fields):
        """The records of what the model answers to an event."""
        outs, given = self.block.outs, self.model.event(stream, fields)
        try:
            pairs = [(name, dict(values)) for name, values in given]
        except (TypeError, ValueError):
            raise Wrong("event of stream %s returned %.200r; return a list [(STREAM, {FIELD: VALUE})], empty for no response" % (stream, given))
        for name, _ in pairs:
            if name not in outs.fields:
                raise Wrong("event of stream %s returned a response of %r, and %r is no output stream; there is %s"
                            % (stream, name, name, ", ".join(outs.fields)))
        return [outs.pack(name, values, name + "_valid").to_bytes(8 * outs.words, "little") for name, values in pairs]


def clear_way(path):
    """Removes the socket that a program left behind which is gone; refuses what is in use or no socket."""
    try:
        if not stat.S_ISSOCK(os.lstat(path).st_mode):
            raise ValueError("the file is not a socket; give another path")
    except FileNotFoundError:
        return
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(1)
        try:
            probe.connect(path)
        except ConnectionRefusedError:
            os.unlink(path)
            return
        except OSError as e:
            raise ValueError("the socket that is there is in use (%s); end its program or give another path" % e)
    raise ValueError("another program listens there; end it or give another path")


def listen(address):
    kind, _, where = address.partition(":")
    host, _, port = where.partition(":")
    if kind == "unix" and where:
        clear_way(where)
        server = socket.socket(socket.AF_UNIX)
        old = os.umask(0o177)
        try:
            server.bind(where)
        finally:
            os.umask(old)
    elif kind == "tcp" and host == "127.0.0.1" and port.isdigit():
        server = socket.socket()
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        server.bind((host, int(port)))
        address = "tcp:%s:%d" % server.getsockname()
    else:
        raise ValueError("it is no address; give unix:PATH or tcp:127.0.0.1:PORT")
    server.listen(socket.SOMAXCONN)
    return server, address


def ended(number, _):
    """SIGTERM and SIGINT end the program in order, so that its socket goes too."""
    sys.exit(128 + number)


def main(model, block, args=None):
    """Serves until the process is ended, each client in a thread with a model of its own."""
    p = argparse.ArgumentParser(description="golden program of the block %s, for goldwire cosim --golden ADDRESS" % block.name)
    p.add_argument("--listen", required=True, metavar="ADDRESS", help="unix:PATH or tcp:127.0.0.1:PORT")
    p.add_argument("--clients", type=int, default=64, metavar="N", help="how many clients are served at once (default 64)")
    given = p.parse_args(args)
    if not 1 <= given.clients <= 4096:
        p.error("--clients %d: give 1 to 4096" % given.clients)
    address, path, token, fresh = given.listen, None, os.environ.get("GW_TOKEN", ""), ""
    if not token and address.startswith("tcp:"):
        token = fresh = secrets.token_hex(16)
    guests = Guests(token, given.clients)
    try:
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, ended)
        server, address = listen(address)
        if address.startswith("unix:"):
            path = address[len("unix:"):]
            ours = os.lstat(path).st_ino
        params = ",".join("%s=%d" % p for p in sorted(block.params.items()))
        print("listening %s block %s params %s%s" % (address, block.name, params or "-", fresh and " token " + fresh), flush=True)
        while True:
            try:
                conn, _ = server.accept()
                threading.Thread(target=Conversation(conn, block, model, guests).serve, daemon=True).start()
            except (OSError, RuntimeError) as e:  # out of descriptors or threads, or a client that left meanwhile
                print("connection not taken: %s" % e, file=sys.stderr, flush=True)
                time.sleep(0.05)
    except (OSError, ValueError) as e:
        print("%s: %s" % (address, e), file=sys.stderr)
        sys.exit(2)
    finally:
        try:
            if path and os.lstat(path).st_ino == ours:
                os.unlink(path)
        except OSError:
            pass
