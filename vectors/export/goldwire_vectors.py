"""Reads golden vectors exported by `goldwire vectors export`; standard library only.

    import goldwire_vectors
    for r in goldwire_vectors.records("exported"):      # folder of readmemh/python, or a .csv or .jsonl file
        print(r["number"], r["ev.kind"], r.get("rsp.cwnd"))

A record is a dict: "number", the control bits by name, and "stream.field" for each field of a stream that
carries something. Values are ints, signed where the field is; codes of an enum are their names where they
have one. On the command line it prints a file's records as JSON Lines:

    python3 goldwire_vectors.py exported
"""
import csv
import itertools
import json
import os
import sys


def _memory(folder):
    with open(os.path.join(folder, "layout.json")) as f:
        layout = json.load(f)
    total, n = layout["totals"]["records"], 0
    with open(os.path.join(folder, "in.hex")) as fin, open(os.path.join(folder, "out.hex")) as fout:
        for n, lines in enumerate(itertools.zip_longest(fin, fout), 1):
            if None in lines:
                raise ValueError("in.hex and out.hex have different lengths")
            record = {"number": n - 1}
            for text, fields in zip(lines, (layout["in"], layout["out"])):
                word = int(text, 16)
                for f in fields:
                    if "valid" in f and not record[f["valid"]]:
                        continue
                    v = word >> f["lsb"] & (1 << f["width"]) - 1
                    if f.get("signed") and v >> f["width"] - 1:
                        v -= 1 << f["width"]
                    record[f["name"]] = layout["enums"].get(f.get("enum"), {}).get(str(v), v)
            yield record
    if n != total:
        raise ValueError(f"{n} records, layout.json says {total}")


def _value(text):
    try:
        return int(text, 0)
    except ValueError:
        return text


def _csv(path):
    with open(path, newline="") as f:
        for row in csv.DictReader(f):
            number = next(iter(row))
            yield {"number": int(row.pop(number)), **{k: _value(v) for k, v in row.items() if v != ""}}


def _jsonl(path):
    with open(path) as f:
        for line in f:
            record = {}
            for k, v in json.loads(line).items():
                if isinstance(v, dict):
                    record.update((f"{k}.{field}", _value(x) if isinstance(x, str) else x) for field, x in v.items())
                else:
                    record["number" if k in ("transaction", "cycle") else k] = v
            yield record


def records(path):
    """Yields the records of a folder with in.hex and out.hex, of a .csv or of a .jsonl file. Raises OSError, or
    ValueError where they are not as `goldwire vectors export` writes them."""
    read = _memory if os.path.isdir(path) else _csv if path.endswith(".csv") else _jsonl
    try:
        yield from read(path)
    except (ValueError, KeyError, TypeError, AttributeError, csv.Error) as e:
        raise ValueError(f"{path} is not as goldwire vectors export writes it: {e!r}; export again") from e


def main(args):
    if len(args) != 2:
        print(f"usage: {args[0]} FOLDER|FILE.csv|FILE.jsonl: print its records as JSON lines", file=sys.stderr)
        return 2
    try:
        for each in records(args[1]):
            print(json.dumps(each))
        sys.stdout.flush()
    except BrokenPipeError:  # whoever reads has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError) as e:
        print(f"{os.path.basename(args[0])}: {e}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
