"""Runs test_txstate.py in Icarus or Verilator: python3 hdl/examples/cocotb/run.py --sim icarus

Makes the vectors, serves the model and builds the design, all under build/cocotb. Exits with 0 if every answer of the
design is the model's. --measure runs both simulators and goldwire cosim on the same events and writes MEASURED.md.
"""
import argparse
import json
import os
import resource
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
GOLDWIRE = os.environ.get("GOLDWIRE", str(ROOT / "build/goldwire"))


def batches(folder):
    """The events of exported vectors between one reset and the next, their fields as numbers."""
    from goldwire_vectors import records
    kinds = json.loads(Path(folder, "layout.json").read_text())["enums"]["kind"]
    codes = {name: int(code) for code, name in kinds.items()}
    events = []
    for record in records(folder):
        if not record["rst_n"] and events:
            yield events
            events = []
        if record["ev_valid"]:
            events.append({k[3:]: codes.get(v, v) for k, v in record.items() if k.startswith("ev.")})
    if events:
        yield events


def goldwire(*args):
    return subprocess.run([GOLDWIRE, *args], check=True, cwd=ROOT, stdout=subprocess.PIPE, text=True).stdout


def cpu():
    """The processor time of all programs that have run from here, in seconds: the load of the machine counts little."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def sources(rtl):
    """The RTL of txstate, what it is made of first."""
    gen = ROOT / "hdl/gen"
    return [*gen.glob("*_types.sv"), *gen.glob("*_pkg.sv"), *sorted((rtl / "common").glob("*.sv")),
            *(rtl / "txstate").glob("*.sv"), gen / "txstate_top.sv"]


def play(sim, rtl, source):
    """Runs the test; returns its events and the processor seconds that it took. Exits if it fails."""
    from cocotb_tools.check_results import get_results
    from cocotb_tools.runner import get_runner
    work = ROOT / "build/cocotb" / sim
    work.mkdir(parents=True, exist_ok=True)
    goldwire("vectors", "gen", "--block", "txstate", "--per", "transaction", *source, "-o", str(work / "v.gwv"))
    subprocess.run(["rm", "-rf", str(work / "vectors")], check=True)
    goldwire("vectors", "export", "--to", "python", str(work / "v.gwv"), "-o", str(work / "vectors"))
    (work / "results.xml").unlink(missing_ok=True)  # of an earlier run
    runner = get_runner(sim)
    runner.build(sources=sources(rtl), hdl_toplevel="txstate_top", build_dir=work, always=True,
                 timescale=("1ns", "1ps"), log_file=work / "build.log",
                 build_args={"icarus": ["-g2012"], "verilator": ["-O3", "-Wno-fatal"]}[sim])
    address = f"unix:{work}/gold.sock"
    server = subprocess.Popen([GOLDWIRE, "serve", "--block", "txstate", "--listen", address],
                              stdout=subprocess.PIPE, text=True)
    try:
        server.stdout.readline()  # it listens
        sys.path[:0] = [str(HERE), str(ROOT / "bridge/py"), str(work / "vectors")]
        os.environ.update(GOLD=address, PYTHONPATH=os.pathsep.join(sys.path),
                          PYTHONDONTWRITEBYTECODE="1")
        before = cpu()
        results = runner.test(hdl_toplevel="txstate_top", test_module="test_txstate", build_dir=work, test_dir=work,
                              results_xml=str(work / "results.xml"))
    finally:
        server.terminate()
        server.wait()
    seconds = cpu() - before
    tests, failed = get_results(results)
    if tests != 1 or failed:
        sys.exit(f"run.py: {tests} tests, {failed} failed")
    return sum(len(b) for b in batches(str(work / "vectors"))), seconds


def need():
    """Exits unless cocotb 2 and goldwire are there."""
    try:
        import cocotb
    except ImportError:
        sys.exit("run.py: cocotb is not installed: apt-get install python3-cocotb, or pip install cocotb")
    if int(cocotb.__version__.split(".")[0]) < 2:
        sys.exit(f"run.py: cocotb {cocotb.__version__} is too old: want 2.0 or newer")
    if not os.access(GOLDWIRE, os.X_OK):
        sys.exit(f"run.py: {GOLDWIRE} cannot be run: make build, or give its path as GOLDWIRE")


def measure(source):
    rows = []
    for sim in ("icarus", "verilator"):
        events, seconds = play(sim, ROOT / "hdl/rtl", source)
        rows.append((f"cocotb, {sim}, with goldwire serve", events, seconds))
    for _ in range(2):  # the first builds the design
        before = cpu()
        goldwire("cosim", "--block", "txstate", *source)
        seconds = cpu() - before
    rows.append(("goldwire cosim, Verilator", events, seconds))
    versions = [subprocess.run(v, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout.splitlines()[0]
                for v in (["verilator", "--version"], ["iverilog", "-V"])]
    import cocotb
    text = "# cocotb beside goldwire cosim\n\nWritten by `python3 hdl/examples/cocotb/run.py --measure`: "
    text += f"events of txstate,\n{' '.join(source)}, from start to verdict, the design built before.\n"
    text += "Seconds are those of all processors.\n\n"
    text += f"{os.cpu_count()} cores; cocotb {cocotb.__version__}; " + ";\n".join(versions) + ".\n\n"
    text += "| what | events | seconds | events/s |\n|---|---|---|---|\n"
    text += "".join(f"| {what} | {n:,} | {s:.1f} | {n / s:,.0f} |\n" for what, n, s in rows)
    (HERE / "MEASURED.md").write_text(text)


if __name__ == "__main__":
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--sim", choices=("icarus", "verilator"), default="icarus")
    p.add_argument("--rtl", type=Path, default=ROOT / "hdl/rtl", help="an edited copy of hdl/rtl")
    p.add_argument("--events", type=int, default=5000)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--measure", action="store_true", help="write MEASURED.md")
    a = p.parse_args()
    need()
    what = ["--source", "random", "--seed", str(a.seed), "--events", str(a.events)]
    if a.measure:
        measure(what)
    else:
        print("run.py: the answers to all %d events agree" % play(a.sim, a.rtl.resolve(), what)[0])
