"""Golden program of the block tiny. GOLDEN selects its error: silent, off, ends or mute."""

import os
import sys

sys.path.insert(0, sys.argv.pop(1))  # bridge/py
import gwserve  # noqa: E402

WRONG = os.environ.get("GOLDEN", "")


class Tiny:
    """The block from power-on."""

    def __init__(self):
        self.seen = 0

    def event(self, _, fields):
        """Answers one event."""
        self.seen += 1
        if WRONG == "silent":
            return []
        if WRONG == "ends" and self.seen > 40:
            sys.exit(3)
        total = fields["a"] + fields["b"]
        if WRONG == "off" and self.seen == 40:
            total ^= 1
        if WRONG == "mute" and self.seen > 40:
            return []
        return [("rsp", {"a": fields["a"], "sum": total})]


gwserve.main(Tiny, gwserve.Block("tiny", os.environ["TINY_HASH"], ins={"ev": [("a", 8), ("b", 8)]}, outs={"rsp": [("a", 8), ("sum", 9)]}))
