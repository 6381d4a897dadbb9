#!/usr/bin/env python3
"""Client of a golden-model server, written from bridge/PROTOCOL.md with nothing but the standard library.

    goldwire serve --block ccc --listen unix:/tmp/gold.sock
    python3 client.py unix:/tmp/gold.sock ev kind=0 ctx=3 -- ev kind=5 ctx=3 size=4096

asks for the responses to some events, fields not given being 0, and prints each as JSON.
"""
import json
import os
import socket
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../py"))
from gwserve import crc32c, pack, unpack  # noqa: E402: the same frames from the other end

HELLO, CONFIGURE, CONFIGURED, PROGRESS, ERROR, BYE = 1, 2, 3, 15, 17, 18
ASK, ANSWER, DESCRIBE, DESCRIBED = 19, 20, 21, 22


class Client:
    def __init__(self, address):
        kind, _, where = address.partition(":")
        if kind == "unix":
            self.conn = socket.socket(socket.AF_UNIX)
            self.conn.connect(where)
        else:
            host, _, port = where.partition(":")
            self.conn = socket.create_connection((host, int(port)))
        self.sent = self.received = 0
        self.hello = h = self.expect(HELLO)[0]
        ours = {k: h[k] for k in ("version", "block", "schema_hash", "params", "in_words", "out_words")}
        self.send(HELLO, dict(ours, token=os.environ.get("GW_TOKEN", "")))
        layout = self.request(DESCRIBE, DESCRIBED)[0]
        self.inputs, self.outputs = parse(layout["in"]), parse(layout["out"])
        self.request(CONFIGURE, CONFIGURED)

    def send(self, kind, message=None, words=()):
        ctrl = pack(message) if message else b""
        bulk = struct.pack("<%dQ" % len(words), *words)
        head = struct.pack("<4sHBBIIIII", b"GWB1", 1, kind, 0, self.sent, len(ctrl), len(bulk), 0, crc32c(ctrl + bulk))
        self.conn.sendall(head + struct.pack("<I", crc32c(head)) + ctrl + bulk)
        self.sent += 1

    def read(self, n):
        out = b""
        while len(out) < n:
            part = self.conn.recv(n - len(out))
            if not part:
                raise EOFError("the server closed the connection")
            out += part
        return out

    def expect(self, want):
        while True:
            head = self.read(32)
            magic, version, kind, flags, seq, ctrl, bulk, reserved, crc, head_crc = struct.unpack("<4sHBBIIIIII", head)
            if magic != b"GWB1" or version != 1 or head_crc != crc32c(head[:28]) or seq != self.received:
                raise ValueError("damaged frame: %s" % head.hex())
            self.received += 1
            payload = self.read(ctrl + bulk)
            if crc != crc32c(payload):
                raise ValueError("damaged payload")
            message = unpack(payload[:ctrl])
            if kind == ERROR:
                raise RuntimeError("%(kind)s: %(text)s" % message)
            if kind == want:
                return message, struct.unpack("<%dQ" % (bulk // 8), payload[ctrl:])
            if kind != PROGRESS:
                raise ValueError("frame of type %d, not %d" % (kind, want))

    def request(self, kind, want, message=None, words=()):
        self.send(kind, message, words)
        return self.expect(want)

    def ask(self, events):
        """The responses, (stream, {field: value}), to events (stream, {field: value})."""
        words = []
        for stream, values in events:
            record = 1 << self.inputs["control"][stream + "_valid"]
            fields = self.inputs["field"][stream]
            for name, value in values.items():
                width, word, bit, _ = fields[name]
                record |= (value & (1 << width) - 1) << 64 * word + bit
            words += [record >> 64 * i & (1 << 64) - 1 for i in range(self.hello["in_words"])]
        message, words = self.request(ASK, ANSWER, {"events": len(events)}, words)
        size, out = self.hello["out_words"], []
        for i in range(message["responses"]):
            record = sum(w << 64 * k for k, w in enumerate(words[i * size:(i + 1) * size]))
            for stream, fields in self.outputs["field"].items():
                if record >> self.outputs["control"][stream + "_valid"] & 1:
                    out.append((stream, {name: field(record, *where) for name, where in fields.items()}))
        return out

    def close(self):
        self.request(BYE, BYE)
        self.conn.close()


def parse(lines):
    layout = {"control": {}, "field": {}}
    for line in lines.splitlines():
        what, *rest = line.split()
        if what == "control":
            layout["control"][rest[0]] = int(rest[1])
        elif what == "field":
            layout["field"].setdefault(rest[0], {})[rest[1]] = tuple(int(x) for x in rest[2:6])
    return layout


def field(record, width, word, bit, signed):
    value = record >> 64 * word + bit & (1 << width) - 1
    return value - (1 << width) if signed and value >> width - 1 else value


def main(args):
    events = []
    for group in " ".join(args[1:]).split(" -- "):
        stream, *values = group.split()
        events.append((stream, {k: int(v, 0) for k, _, v in (x.partition("=") for x in values)}))
    client = Client(args[0])
    for stream, values in client.ask(events):
        print(json.dumps({"stream": stream, **values}))
    client.close()


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(sys.argv[1:])
