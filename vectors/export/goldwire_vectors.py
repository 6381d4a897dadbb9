"""Reads golden vectors exported by `goldwire vectors export`; standard library only.

    import goldwire_vectors
    for r in goldwire_vectors.records("exported"):      # folder of readmemh/python, or a .csv or .jsonl file
        print(r["number"], r["ev.kind"], r.get("rsp.cwnd"))

A record is a dict: "number", the control bits by name, and "stream.field" for each field of a stream that
carries something. Rows of .csv and .jsonl also have "episode"; rows of transactions have "rst_n" as their only
control bit, and a stream carries something if its fields are present. Values are ints, signed if the field is
signed; a code of an enum is given by its name if it has one. On the command line the module prints the records
of a file as JSON Lines:

    python3 goldwire_vectors.py exported
"""
import csv
import itertools
import json
import os
import sys


def _memory(folder):
    with open(os.path.join(folder, "layout.json")) as f:
        try:
            layout = json.load(f)
            total, n, enums = layout["totals"]["records"], 0, layout["enums"]
            sides = [[(f["name"], f["lsb"], f["width"], f.get("valid"), f.get("signed"), enums.get(f.get("enum"), {})) for f in layout[s]]
                     for s in ("in", "out")]
        except (ValueError, LookupError, TypeError, AttributeError) as e:
            raise ValueError(f"{f.name}: not written by goldwire vectors export ({e})") from e
    with open(os.path.join(folder, "in.hex")) as fin, open(os.path.join(folder, "out.hex")) as fout:
        for n, lines in enumerate(itertools.zip_longest(fin, fout), 1):
            if None in lines:
                raise ValueError(f"{folder}: in.hex and out.hex have different lengths")
            record = {"number": n - 1}
            for text, fields, file in zip(lines, sides, (fin, fout)):
                try:
                    word = int(text, 16)
                except ValueError:
                    raise ValueError(f"{file.name} line {n}: not a hex word") from None
                for name, lsb, width, valid, signed, names in fields:
                    if valid and not record[valid]:
                        continue
                    v = word >> lsb & (1 << width) - 1
                    if signed and v >> width - 1:
                        v -= 1 << width
                    record[name] = names.get(str(v), v)
            yield record
    if n != total:
        raise ValueError(f"{folder}: {n} records, layout.json says {total}")


def _value(text):
    try:
        return int(text, 0)
    except ValueError:
        return text


def _csv(path):
    with open(path, newline="") as f:
        rows = csv.DictReader(f)
        if not rows.fieldnames or rows.fieldnames[0] not in ("transaction", "cycle"):
            raise ValueError(f"{path}: the first line is not that of goldwire vectors export --to csv")
        for row in rows:
            if None in row or None in row.values():
                raise ValueError(f"{path} line {rows.line_num}: not {len(rows.fieldnames)} columns")
            yield {"number": int(row.pop(rows.fieldnames[0])), **{k: _value(v) for k, v in row.items() if v != ""}}


def _jsonl(path):
    with open(path) as f:
        for n, line in enumerate(f, 1):
            record = {}
            try:
                items = json.loads(line).items()
            except (ValueError, AttributeError):
                raise ValueError(f"{path} line {n}: not a JSON object") from None
            for k, v in items:
                if isinstance(v, dict):
                    record.update((f"{k}.{field}", _value(x) if isinstance(x, str) else x) for field, x in v.items())
                else:
                    record["number" if k in ("transaction", "cycle") else k] = v
            yield record


def records(path):
    """Yields the records of a folder with in.hex and out.hex, of a .csv or of a .jsonl file.

    Raises OSError, or ValueError for an incomplete export or a file that is not an export of vectors.
    """
    if os.path.isdir(path):
        return _memory(path)
    if path.endswith(".gwv"):
        raise ValueError(f"{path}: export it first: goldwire vectors export --to python {path} -o FOLDER")
    return _csv(path) if path.endswith(".csv") else _jsonl(path)


def _main(args):
    if len(args) != 1:
        return "usage: goldwire_vectors.py FOLDER|FILE.csv|FILE.jsonl: print its records as JSON Lines"
    try:
        for each in records(args[0]):
            print(json.dumps(each))
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of stdout has stopped
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except UnicodeDecodeError:
        return f"{args[0]}: not a text file"
    except OSError as e:
        return f"{e.filename or args[0]}: {e.strerror}"
    except (ValueError, csv.Error) as e:
        return str(e)
    return ""


if __name__ == "__main__":
    wrong = _main(sys.argv[1:])
    if wrong:
        print("goldwire_vectors.py:", wrong, file=sys.stderr)
        sys.exit(2)
