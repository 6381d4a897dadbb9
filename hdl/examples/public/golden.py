#!/usr/bin/env python3
"""Golden program for secret_impl, written from the behaviour that README.md describes.

As a program, with --listen unix:PATH or tcp:127.0.0.1:PORT: answers goldwire cosim --golden. Without: reads
lines "a b x" in hex, one per transfer from power-on, and compares x. Exit codes: 0 all equal, 1 a difference
(the first is printed), 2 a line that cannot be read or no line at all.
"""

import os
import sys

MASK = 0xFFFFFFFF


class Secret:
    """The block, from power-on. A reset of the handshake does not change it."""

    def __init__(self):
        self.total = 0

    def step(self, a, b):
        """Takes one pair of 32-bit numbers and returns the answer."""
        x = b if self.total > 10 else (a + b + 9) & MASK
        self.total = (self.total + a) & MASK
        return x

    def event(self, _, fields):
        """Answers one event from Goldwire."""
        return [("rsp", {"x": self.step(fields["a"], fields["b"])})]


def listen():
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../bridge/py"))
    import gwserve
    # The hash is what `goldwire schema show --hash hdl/examples/public/schema.yaml` prints.
    gwserve.main(Secret, gwserve.Block("secret", "dd8ef6ff9065cc05", ins={"ev": [("a", 32), ("b", 32)]}, outs={"rsp": [("x", 32)]}))


def main():
    block = Secret()
    count = 0
    for line in sys.stdin:
        try:
            a, b, x = (int(word, 16) for word in line.split())
        except ValueError:
            print(f"golden.py: line {count + 1} is not three hex numbers: {line.strip()!r}", file=sys.stderr)
            return 2
        want = block.step(a, b)
        if x != want:
            print(f"transfer {count}: a {a:#x}, b {b:#x}: x {x:#x}, want {want:#x}")
            return 1
        count += 1
    if count == 0:
        print("golden.py: no transfer to compare: pipe lines \"a b x\" into it", file=sys.stderr)
        return 2
    print(f"{count} transfers equal")
    return 0


if __name__ == "__main__":
    sys.exit(main() if len(sys.argv) == 1 else listen())
