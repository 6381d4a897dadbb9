#!/usr/bin/env python3
"""Client of a golden-model server, written from bridge/PROTOCOL.md with nothing but the standard library.

    goldwire serve --block ccc --listen unix:/tmp/gold.sock

    gold = gwclient.Client("unix:/tmp/gold.sock")
    gold.ask([("ev", {"kind": 0, "ctx": 3})])            # [("rsp", {"kind": 0, ...})], fields not given being 0
    gold.reset()                                         # with the device

    python3 gwclient.py unix:/tmp/gold.sock ev kind=0 ctx=3 -- ev kind=5 ctx=3 size=4096

prints the responses as JSON.
"""
import json
import os
import socket
import struct
import sys

from gwserve import crc32c, pack, unpack  # the same frames from the other end

HELLO, CONFIGURE, CONFIGURED, PROGRESS, ERROR, BYE = 1, 2, 3, 15, 17, 18
ASK, ANSWER, DESCRIBE, DESCRIBED = 19, 20, 21, 22


SILENCE = 30  # seconds without a sign of life after which the server counts as hung


class Trouble(Exception):
    """What a person has to mend, in one line."""


class Client:
    def __init__(self, address):
        self.conn = connect(address)
        self.conn.settimeout(SILENCE)
        self.sent = self.received = 0
        self.hello = h = self.expect(HELLO)[0]
        keys = ("version", "block", "schema_hash", "params", "in_words", "out_words")
        missing = [k for k in keys[:2] + keys[4:] if k not in h]
        if missing:
            raise Trouble("the server's hello has no %s" % ", ".join(missing))
        if h["version"] != 1:
            raise Trouble("protocol version differs: ours 1, the server's %s" % h["version"])
        self.send(HELLO, dict({k: h.get(k, "") for k in keys}, token=os.environ.get("GW_TOKEN", "")))
        layout = self.request(DESCRIBE, DESCRIBED)[0]
        self.inputs, self.outputs = parse(layout.get("in", "")), parse(layout.get("out", ""))
        self.reset()

    def reset(self):
        """The model begins anew."""
        self.request(CONFIGURE, CONFIGURED)

    def send(self, kind, message=None, words=()):
        ctrl = pack(message) if message else b""
        bulk = struct.pack("<%dQ" % len(words), *words)
        head = struct.pack("<4sHBBIIIII", b"GWB1", 1, kind, 0, self.sent, len(ctrl), len(bulk), 0, crc32c(ctrl + bulk))
        try:
            self.conn.sendall(head + struct.pack("<I", crc32c(head)) + ctrl + bulk)
        except (BrokenPipeError, ConnectionResetError):
            self.expect(ERROR)  # why it went
        except socket.timeout:
            raise Trouble("the server took nothing of what was sent for %d seconds; look whether it hangs" % SILENCE)
        self.sent += 1

    def read(self, n):
        out = b""
        while len(out) < n:
            try:
                part = self.conn.recv(n - len(out))
            except socket.timeout:
                raise Trouble("the server gave no sign of life for %d seconds; look whether it hangs" % SILENCE)
            except OSError as e:
                raise Trouble("the server closed the connection: %s" % e)
            if not part:
                raise Trouble("the server closed the connection")
            out += part
        return out

    def expect(self, want):
        while True:
            head = self.read(32)
            magic, version, kind, flags, seq, ctrl, bulk, reserved, crc, head_crc = struct.unpack("<4sHBBIIIIII", head)
            if magic != b"GWB1":
                raise Trouble("not a bridge frame; check that the address is of a Goldwire server")
            if version != 1 or head_crc != crc32c(head[:28]) or seq != self.received or bulk % 8 or ctrl > 65536 or bulk > 268435456:
                raise Trouble("damaged frame: %s" % head.hex())
            self.received += 1
            payload = self.read(ctrl + bulk)
            if crc != crc32c(payload):
                raise Trouble("damaged payload")
            try:
                message = unpack(payload[:ctrl])
            except ValueError as e:
                raise Trouble("damaged message: %s" % e)
            if kind == ERROR:
                raise Trouble("the server reports %s: %s" % (message.get("kind"), " ".join(str(message.get("text")).split())))
            if kind == want:
                return message, struct.unpack("<%dQ" % (bulk // 8), payload[ctrl:])
            if kind != PROGRESS:
                raise Trouble("the server sent a frame of type %d, not %d" % (kind, want))

    def request(self, kind, want, message=None, words=()):
        self.send(kind, message, words)
        return self.expect(want)

    def ask(self, events):
        """The responses, (stream, {field: value}), to events (stream, {field: value})."""
        words = []
        for stream, values in events:
            if stream + "_valid" not in self.inputs["control"]:
                raise Trouble("the block has no input stream %s; there is %s" % (stream, ", ".join(self.inputs["field"])))
            record = 1 << self.inputs["control"][stream + "_valid"]
            fields = self.inputs["field"].get(stream, {})
            for name, value in values.items():
                if name not in fields:
                    raise Trouble("stream %s has no field %s; there is %s" % (stream, name, ", ".join(fields)))
                width, word, bit, signed = fields[name]
                if not (-(1 << width - 1) if signed else 0) <= value < 1 << width - signed:
                    raise Trouble("%s.%s = %d does not fit its %d bits" % (stream, name, value, width))
                record |= (value & (1 << width) - 1) << 64 * word + bit
            words += [record >> 64 * i & (1 << 64) - 1 for i in range(self.hello["in_words"])]
        message, words = self.request(ASK, ANSWER, {"events": len(events)}, words)
        size, out, count = self.hello["out_words"], [], message.get("responses", 0)
        if len(words) != count * size:
            raise Trouble("an answer of %s responses carries %d words" % (count, len(words)))
        for i in range(count):
            record = sum(w << 64 * k for k, w in enumerate(words[i * size:(i + 1) * size]))
            for stream, fields in self.outputs["field"].items():
                if record >> self.outputs["control"][stream + "_valid"] & 1:
                    out.append((stream, {name: field(record, *where) for name, where in fields.items()}))
        return out

    def close(self):
        self.request(BYE, BYE)
        self.conn.close()


def connect(address):
    kind, _, where = address.partition(":")
    host, _, port = where.partition(":")
    try:
        if kind == "unix" and where:
            conn = socket.socket(socket.AF_UNIX)
            conn.connect(where)
            return conn
        if kind == "tcp" and host == "127.0.0.1" and port.isdigit() and int(port) < 65536:
            return socket.create_connection((host, int(port)))
    except OSError as e:
        raise Trouble("no server answers at %s (%s); start one: goldwire serve --block B --listen %s" % (address, e, address))
    raise Trouble("address %s: give unix:PATH or tcp:127.0.0.1:PORT" % address)


def parse(lines):
    layout = {"control": {}, "field": {}}
    for line in lines.splitlines():
        what, *rest = line.split() or [""]
        try:
            if what == "control":
                name, bit = rest
                layout["control"][name] = int(bit)
            elif what == "field":
                stream, name, width, word, bit, signed = rest
                layout["field"].setdefault(stream, {})[name] = int(width), int(word), int(bit), int(signed)
        except ValueError:
            raise Trouble("the layout's line cannot be read: %s" % line)
    return layout


def field(record, width, word, bit, signed):
    value = record >> 64 * word + bit & (1 << width) - 1
    return value - (1 << width) if signed and value >> width - 1 else value


def event(words):
    """(stream, {field: value}) of the words of one event on the command line."""
    if not words:
        raise Trouble("an event without a stream: give STREAM FIELD=VALUE..., and -- between events")
    values = {}
    for word in words[1:]:
        name, _, value = word.partition("=")
        try:
            values[name] = int(value, 0)
        except ValueError:
            raise Trouble("%s is not FIELD=NUMBER" % word)
    return words[0], values


def main(address, *words):
    events, rest = [], list(words)
    while "--" in rest:
        at = rest.index("--")
        events.append(event(rest[:at]))
        rest = rest[at + 1:]
    events.append(event(rest))
    client = Client(address)
    for stream, values in client.ask(events):
        print(json.dumps({"stream": stream, **values}))
    client.close()


if __name__ == "__main__":
    if len(sys.argv) < 3:
        print(__doc__.strip(), file=sys.stderr)
        sys.exit(2)
    try:
        main(*sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:  # whoever reads has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except Trouble as e:
        print("gwclient.py: %s" % e, file=sys.stderr)
        sys.exit(2)
