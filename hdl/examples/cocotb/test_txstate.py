"""txstate under cocotb 2: Goldwire's events drive it, and Goldwire's model answers what each must bring."""
import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, ReadOnly
from gwclient import Client
from run import batches


@cocotb.test()
async def every_answer_is_the_models(dut):
    if not __debug__:
        raise RuntimeError("python -O drops every assert: unset PYTHONOPTIMIZE")
    gold, draw, got, compared = Client(os.environ["GOLD"]), random.Random(1), [], 0
    rsp = {f: getattr(dut, f"rsp_{f}_o") for f in gold.outputs["field"]["rsp"]}

    async def cycle(event=None, rst_n=1):
        """Plays a cycle, with an event or without. Returns whether the event was taken."""
        await FallingEdge(dut.clk_i)
        dut.rst_ni.value, dut.ev_valid_i.value = rst_n, int(event is not None)
        dut.rsp_ready_i.value = ready = int(draw.random() < 0.7)
        for name, value in (event or {}).items():
            getattr(dut, f"ev_{name}_i").value = value
        await ReadOnly()  # what the next rising edge samples
        if rst_n and dut.rsp_valid_o.value and ready:
            got.append({name: int(handle.value) for name, handle in rsp.items()})
        return bool(rst_n and dut.ev_ready_o.value and event)

    Clock(dut.clk_i, 10, "ns").start()
    for events in batches("vectors"):  # each after a reset
        got.clear(), gold.reset()
        for _ in range(4):
            await cycle(rst_n=0)
        for event in events:
            waited = 0
            while not await cycle(event):
                assert (waited := waited + 1) < 10_000, "ev_ready_o stays low"
        quiet, before = 0, len(got)
        while quiet < 100:  # cycles in which no answer comes, not even one too many
            await cycle()
            quiet, before = (quiet + 1 if len(got) == before else 0), len(got)
        want = [answer for _, answer in gold.ask([("ev", event) for event in events])]
        for event, w, g in zip(events, want, got):
            assert g == w, f"{event} must bring {w}\nand brought {({k: g[k] for k in w if g[k] != w[k]})}"
        assert len(got) == len(want), f"{len(got)} answers to {len(events)} events, and the model gives {len(want)}"
        compared += len(got)
    gold.close()
    assert compared > 0, "nothing was compared"
    dut._log.info("PASS: %d answers compared", compared)
