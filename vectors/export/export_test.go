package export

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/format"
)

func lines(t *testing.T, path string) []string {
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

func TestMemoryImagesHoldTheRecords(t *testing.T) {
	for _, per := range []string{format.PerCycle, format.PerTransaction} {
		data := laneFile(t, per, 200)
		dir := exported(t, data, "readmemh")
		in, out := lines(t, filepath.Join(dir, "in.hex")), lines(t, filepath.Join(dir, "out.hex"))
		r, err := format.NewReader(bytes.NewReader(data))
		require.NoError(t, err)
		n := 0
		for rec, err := range r.All() {
			require.NoError(t, err)
			a, err := fromHex(in[n], len(rec.In))
			require.NoError(t, err)
			b, err := fromHex(out[n], len(rec.Out))
			require.NoError(t, err)
			require.Equal(t, rec.In, a)
			require.Equal(t, rec.Out, b)
			n++
		}
		require.Len(t, in, n)
		require.Len(t, out, n)
		table := strings.Join(lines(t, filepath.Join(dir, "layout.md")), "\n")
		require.Contains(t, table, "| 575:64 | 512 | pkt.data |")
		require.Contains(t, table, "| 5 | FULL |")
	}
}

func TestCSVAndJSONLinesAgree(t *testing.T) {
	for _, per := range []string{format.PerCycle, format.PerTransaction} {
		data := laneFile(t, per, 300)
		f, err := os.Open(filepath.Join(exported(t, data, "csv"), "lane.csv"))
		require.NoError(t, err)
		defer f.Close()
		rows, err := csv.NewReader(f).ReadAll()
		require.NoError(t, err)
		require.Equal(t, per, rows[0][0])
		objects := lines(t, filepath.Join(exported(t, data, "jsonl"), "lane.jsonl"))
		require.Len(t, objects, len(rows)-1)
		for i, row := range rows[1:] {
			var o map[string]any
			dec := json.NewDecoder(strings.NewReader(objects[i]))
			dec.UseNumber()
			require.NoError(t, dec.Decode(&o), objects[i])
			flat := map[string]string{}
			for k, v := range o {
				if fields, ok := v.(map[string]any); ok {
					for name, x := range fields {
						flat[k+"."+name] = fmt.Sprint(x)
					}
					continue
				}
				flat[k] = fmt.Sprint(v)
			}
			for c, name := range rows[0] {
				require.Equal(t, row[c], flat[name], "row %d, %s", i, name)
				delete(flat, name)
			}
			require.Empty(t, flat)
		}
		require.Equal(t, "drawn, 0", rows[1][1], "a comma in a name is quoted")
	}
}

// A table comes with a description of its values: widths, binary points, units and forms.
func TestColumnsBesideTables(t *testing.T) {
	for _, kind := range []string{"csv", "jsonl"} {
		data := laneFile(t, format.PerTransaction, 60)
		dir := exported(t, data, kind)
		text, err := os.ReadFile(filepath.Join(dir, "lane.columns.json"))
		require.NoError(t, err)
		var side struct {
			Header  map[string]any
			Columns []map[string]any
			Enums   map[string]map[string]string
		}
		require.NoError(t, json.Unmarshal(text, &side))
		var names []string
		for _, c := range side.Columns {
			names = append(names, fmt.Sprint(c["name"]))
		}
		if kind == "csv" {
			head := strings.Split(lines(t, filepath.Join(dir, "lane.csv"))[0], ",")
			require.Equal(t, head[2:], names)
		}
		last := side.Columns[len(side.Columns)-1]
		require.Equal(t, map[string]any{"name": "drop.top", "dir": "out", "width": 6., "signed": true, "q": "Q2.4",
			"unit": "us", "form": "decimal", "doc": "the top"}, last)
		require.Equal(t, "code", side.Columns[slices.Index(names, "drop.why")]["form"])
		require.Equal(t, "hex", side.Columns[slices.Index(names, "cut.data")]["form"])
		require.Equal(t, "FULL", side.Enums["why"]["5"])
		require.Equal(t, format.PerTransaction, side.Header["per"])
		require.NotContains(t, string(text), "streams:", "the schema is not repeated")
	}
	layout, err := os.ReadFile(filepath.Join(exported(t, laneFile(t, format.PerTransaction, 60), "readmemh"),
		"layout.json"))
	require.NoError(t, err)
	require.Contains(t, string(layout), `"q": "Q2.4"`)
}

// Python reads the same records from all forms, and refuses incomplete images.
func TestPythonReader(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	for _, per := range []string{format.PerCycle, format.PerTransaction} {
		data := laneFile(t, per, 150)
		dir := exported(t, data, "python")
		script := filepath.Join(dir, "goldwire_vectors.py")
		read := func(path string) ([]map[string]any, string) {
			var errs bytes.Buffer
			cmd := exec.Command(python, script, path)
			cmd.Stderr = &errs
			out, _ := cmd.Output()
			var all []map[string]any
			for _, l := range strings.Split(strings.TrimSpace(string(out)), "\n") {
				var o map[string]any
				dec := json.NewDecoder(strings.NewReader(l))
				dec.UseNumber()
				require.NoError(t, dec.Decode(&o), "%s\n%s", l, errs.String())
				all = append(all, o)
			}
			return all, errs.String()
		}
		memory, errs := read(dir)
		require.Empty(t, errs)
		table, errs := read(filepath.Join(exported(t, data, "csv"), "lane.csv"))
		require.Empty(t, errs)
		objects, errs := read(filepath.Join(exported(t, data, "jsonl"), "lane.jsonl"))
		require.Empty(t, errs)
		require.Equal(t, objects, table)
		require.Len(t, memory, len(table))
		// The keys of each form, other than the fields, are those that the reader's docstring lists.
		beside := func(o map[string]any) (names []string) {
			for k := range o {
				if !strings.Contains(k, ".") {
					names = append(names, k)
				}
			}
			slices.Sort(names)
			return names
		}
		bits := []string{"cfg_ready", "cfg_valid", "cut_ready", "cut_valid", "drop_ready", "drop_valid", "number",
			"pkt_ready", "pkt_valid", "rst_n"}
		require.Equal(t, bits, beside(memory[0]))
		if bits = append(bits, "episode"); per == format.PerTransaction {
			bits = []string{"episode", "number", "rst_n"}
		}
		require.ElementsMatch(t, bits, beside(table[0]))
		r, err := format.NewReader(bytes.NewReader(data))
		require.NoError(t, err)
		l := r.Layout()
		n := 0
		for rec, err := range r.All() {
			require.NoError(t, err)
			for k, v := range table[n] {
				if k != "episode" {
					require.Equal(t, v, memory[n][k], "record %d, %s", n, k)
				}
			}
			if rec.Out[0]&l.Out.Control("drop_valid") != 0 {
				s := l.Out.Slot("drop", "top")
				require.Equal(t, fmt.Sprint(s.Field.Signed64(s.Get(rec.Out))), fmt.Sprint(memory[n]["drop.top"]))
			}
			n++
		}
		require.Equal(t, n, len(memory))
	}
}

// A user's mistake or an incomplete file gives one line and exit code 2, after the records that could be read.
func TestPythonReaderErrors(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	data := laneFile(t, format.PerTransaction, 60)
	write := func(t *testing.T, path, text string) {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	shorten := func(name string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			path := filepath.Join(dir, name)
			all := lines(t, path)
			last := all[len(all)-1]
			write(t, path, strings.Join(all[:len(all)-1], "\n")+"\n"+last[:len(last)/2])
		}
	}
	holding := func(name, text string) func(*testing.T, string) {
		return func(t *testing.T, dir string) { write(t, filepath.Join(dir, name), text) }
	}
	for name, c := range map[string]struct {
		kind, arg string // arg: inside the folder of the export
		spoil     func(t *testing.T, dir string)
		want      string
	}{
		"nothing there": {"csv", "none.csv", nil, "none.csv: No such file or directory"},
		"other folder":  {"csv", "", nil, "layout.json: No such file or directory"},
		"vector file":   {"csv", "lane.gwv", nil, "export it first: goldwire vectors export --to python "},
		"cut row":       {"csv", "lane.csv", shorten("lane.csv"), " columns"},
		"empty table":   {"csv", "lane.csv", holding("lane.csv", ""), "the first line is not that"},
		"other table":   {"csv", "lane.csv", holding("lane.csv", "a,b\n1,2\n"), "the first line is not that"},
		"no number":     {"csv", "lane.csv", holding("lane.csv", "cycle\nx\n"), "invalid literal"},
		"cut line":      {"jsonl", "lane.jsonl", shorten("lane.jsonl"), ": not a JSON object"},
		"list":          {"jsonl", "lane.jsonl", holding("lane.jsonl", "[1]\n"), "line 1: not a JSON object"},
		"bytes":         {"jsonl", "lane.jsonl", holding("lane.jsonl", "\xff\xfe"), "lane.jsonl: not a text file"},
		"cut layout":    {"python", "", shorten("layout.json"), "layout.json: not written by goldwire vectors export"},
		"layout of other": {"python", "", holding("layout.json", "{}"),
			"layout.json: not written by goldwire vectors export"},
		"lost line": {"python", "", func(t *testing.T, dir string) {
			path := filepath.Join(dir, "in.hex")
			all := lines(t, path)
			write(t, path, strings.Join(all[:len(all)-1], "\n")+"\n")
		}, "in.hex and out.hex have different lengths"},
		"lost lines": {"python", "", func(t *testing.T, dir string) {
			for _, n := range []string{"in.hex", "out.hex"} {
				path := filepath.Join(dir, n)
				all := lines(t, path)
				write(t, path, strings.Join(all[:len(all)-1], "\n")+"\n")
			}
		}, " records, layout.json says "},
		"no hex": {"python", "", func(t *testing.T, dir string) {
			path := filepath.Join(dir, "out.hex")
			all := lines(t, path)
			all[3] = "xyz"
			write(t, path, strings.Join(all, "\n")+"\n")
		}, "out.hex line 4: not a hex word"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := exported(t, data, c.kind)
			if c.spoil != nil {
				c.spoil(t, dir)
			}
			script := filepath.Join(t.TempDir(), "goldwire_vectors.py")
			write(t, script, pythonReader)
			var errs bytes.Buffer
			cmd := exec.Command(python, script, filepath.Join(dir, c.arg))
			cmd.Stderr = &errs
			_, err := cmd.Output()
			require.Error(t, err)
			require.Equal(t, 2, cmd.ProcessState.ExitCode(), errs.String())
			require.Equal(t, 1, strings.Count(errs.String(), "\n"), errs.String())
			require.True(t, strings.HasPrefix(errs.String(), "goldwire_vectors.py: "), errs.String())
			require.Contains(t, errs.String(), c.want)
		})
	}
	cmd := exec.Command(python, "-c", pythonReader)
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	require.Equal(t, 2, cmd.ProcessState.ExitCode())
	require.Contains(t, string(out), "usage: ")
	// A reader that stops early is not an error.
	script := filepath.Join(t.TempDir(), "goldwire_vectors.py")
	write(t, script, pythonReader)
	out, err = exec.Command("bash", "-c", "set -o pipefail; "+python+" "+script+" "+
		exported(t, laneFile(t, format.PerTransaction, 2000), "python")+" | head -1").CombinedOutput()
	require.NoError(t, err, string(out))
	require.Equal(t, 1, strings.Count(string(out), "\n"), string(out))
}

func TestConditions(t *testing.T) {
	data := laneFile(t, format.PerTransaction, 400)
	r, err := format.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	tab := NewTable(r.Block(), r.Header().Per)
	hits := map[string]int{}
	texts := []string{"why=FULL", "why=5", "cfg.why=full", "drop.top<0", "drop.top>=0", "drop.top=-1", "last=1",
		"pkt.last=1", "rst_n=0",
		"pkt.data>0x1" + strings.Repeat("0", 127), "cfg.why!=FULL", "v<=0xffffffffffffffff"}
	conds := map[string]Condition{}
	for _, s := range texts {
		conds[s], err = tab.ParseCondition(s)
		require.NoError(t, err, s)
	}
	want := map[string]int{}
	l := r.Layout()
	for rec, err := range r.All() {
		require.NoError(t, err)
		for s, c := range conds {
			if c.Match(rec) {
				hits[s]++
			}
		}
		count := func(key string, yes bool) {
			if yes {
				want[key]++
			}
		}
		cfg, drop := rec.In[0]&l.In.Control("cfg_valid") != 0, rec.Out[0]&l.Out.Control("drop_valid") != 0
		pkt, cut := rec.In[0]&l.In.Control("pkt_valid") != 0, rec.Out[0]&l.Out.Control("cut_valid") != 0
		full := cfg && l.In.Slot("cfg", "why").Get(rec.In) == 5
		count("cfg.why=full", full)
		count("cfg.why!=FULL", cfg && !full)
		either := full || drop && l.Out.Slot("drop", "why").Get(rec.Out) == 5
		count("why=FULL", either)
		count("why=5", either)
		top := l.Out.Slot("drop", "top").Get(rec.Out)
		count("drop.top<0", drop && top >= 32)
		count("drop.top>=0", drop && top < 32)
		count("drop.top=-1", drop && top == 63)
		lastIn := pkt && l.In.Slot("pkt", "last").Get(rec.In) == 1
		count("pkt.last=1", lastIn)
		count("last=1", lastIn || cut && l.Out.Slot("cut", "last").Get(rec.Out) == 1)
		count("rst_n=0", rec.In[0]&1 == 0)
		count("pkt.data>0x1"+strings.Repeat("0", 127), pkt && rec.In[l.In.Slot("pkt", "data").Word+7]>>60 >= 1)
		count("v<=0xffffffffffffffff", cfg && rec.In[l.In.Slot("cfg", "v").Word+1]&63 == 0)
	}
	require.Equal(t, want, hits)
	require.NotZero(t, want["drop.top=-1"])
	for s, text := range map[string]string{"why": "give FIELD=VALUE", "nope=1": `no field "nope"`,
		"why=EMPTY": "NONE, FULL", "last=x": "not a number"} {
		_, err := tab.ParseCondition(s)
		require.ErrorContains(t, err, text)
	}
	_, err = tab.Context(1)
	require.ErrorContains(t, err, "no field ctx, pdc, port")
}

// A file that turns out to be damaged, a full disk and a caller that stops each give an error.
func TestWriteErrors(t *testing.T) {
	data := laneFile(t, format.PerCycle, 200)
	for _, kind := range Kinds {
		bad := bytes.Clone(data)
		bad[len(bad)*3/4] ^= 1
		r, err := format.NewReader(bytes.NewReader(bad))
		require.NoError(t, err)
		_, err = Write(t.Context(), dirSink(t.TempDir()), kind, r)
		require.ErrorIs(t, err, format.ErrDamaged, kind)

		r, err = format.NewReader(bytes.NewReader(data))
		require.NoError(t, err)
		_, err = Write(t.Context(), func(string) (io.WriteCloser, error) { return fullDisk{}, nil }, kind, r)
		require.ErrorIs(t, err, errFull, kind)

		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		r, err = format.NewReader(bytes.NewReader(data))
		require.NoError(t, err)
		_, err = Write(ctx, dirSink(t.TempDir()), kind, r)
		require.ErrorIs(t, err, context.Canceled, kind)
	}
	r, err := format.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	_, err = Write(t.Context(), dirSink(t.TempDir()), "vcd", r)
	require.ErrorContains(t, err, "readmemh, csv, jsonl, sv, vhdl, python")
}

var errFull = errors.New("disk full")

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }
func (fullDisk) Close() error              { return nil }

// Output is a function of the file: two exports are equal byte for byte.
func TestExportsAreDeterministic(t *testing.T) {
	for _, kind := range Kinds {
		data := laneFile(t, format.PerTransaction, 200)
		a, b := exported(t, data, kind), exported(t, data, kind)
		names, err := os.ReadDir(a)
		require.NoError(t, err)
		require.NotEmpty(t, names)
		for _, n := range names {
			require.Equal(t, lines(t, filepath.Join(a, n.Name())), lines(t, filepath.Join(b, n.Name())), n.Name())
		}
	}
}

func BenchmarkJSONLines(b *testing.B) {
	data := laneFile(b, format.PerTransaction, 2000)
	for b.Loop() {
		r, err := format.NewReader(bytes.NewReader(data))
		require.NoError(b, err)
		_, err = Write(b.Context(), func(string) (io.WriteCloser, error) { return nothing{}, nil }, "jsonl", r)
		require.NoError(b, err)
	}
}

type nothing struct{}

func (nothing) Write(p []byte) (int, error) { return len(p), nil }
func (nothing) Close() error                { return nil }

func TestWideValues(t *testing.T) {
	b, err := event.Parse([]byte(lane))
	require.NoError(t, err)
	l := event.NewLayout(b)
	rec := &format.Record{In: make([]uint64, l.In.Words), Out: make([]uint64, l.Out.Words)}
	rec.In[0] = l.In.Control("rst_n") | l.In.Control("cfg_valid")
	v := l.In.Slot("cfg", "v")
	rec.In[v.Word], rec.In[v.Word+1] = 0x0123456789abcdef, 0x2a
	l.In.Slot("cfg", "why").Set(rec.In, 5)
	tab := NewTable(b, format.PerTransaction)
	for _, name := range []string{"plain/0", "\x00\a\x7f\"\\", "caf\u00e9"} {
		var o struct{ Episode string }
		require.NoError(t, json.Unmarshal(tab.AppendLine(nil, rec, name), &o))
		require.Equal(t, name, o.Episode)
	}
	require.Equal(t, `{"transaction":0,"episode":"e\"1","rst_n":1,"cfg":{"why":"FULL","v":"0x2a0123456789abcdef"}}`+
		"\n", string(tab.AppendLine(nil, rec, `e"1`)))
}

// Fields that do not start at the lowest bit of their word, narrow signed fields and wide signed fields have the right
// values in text, in conditions and in the Python reader.
func TestPlacedAndSignedValues(t *testing.T) {
	b, err := event.Parse([]byte("block: b\ntitle: t\nstreams:\n" +
		"  - {name: ev, dir: in, fields: [{name: n, width: 4, signed: true}, {name: h, width: 57}, {name: w, width: 70}]}\n" +
		"  - {name: rsp, dir: out, fields: [{name: y, width: 58}, {name: s, width: 2, signed: true}, " +
		"{name: e, width: 64, signed: true}]}\n"))
	require.NoError(t, err)
	l := event.NewLayout(b)
	rec := &format.Record{In: make([]uint64, l.In.Words), Out: make([]uint64, l.Out.Words)}
	rec.In[0], rec.Out[0] = l.In.Control("rst_n")|l.In.Control("ev_valid"), l.Out.Control("rsp_valid")
	set := func(r *event.Record, half []uint64, stream, field string, v uint64) {
		r.Slot(stream, field).Set(half, v)
	}
	set(&l.In, rec.In, "ev", "n", 0xb)
	set(&l.In, rec.In, "ev", "h", 0x123456789abcdef)
	set(&l.Out, rec.Out, "rsp", "y", 0x2fedcba98765432)
	set(&l.Out, rec.Out, "rsp", "s", 2)
	set(&l.Out, rec.Out, "rsp", "e", ^uint64(0))
	require.NotZero(t, l.In.Slot("ev", "n").Bit)
	require.NotZero(t, l.Out.Slot("rsp", "y").Bit)
	tab := NewTable(b, format.PerTransaction)
	require.Equal(t,
		`{"transaction":0,"episode":"","rst_n":1,"ev":{"n":-5,"h":"0x123456789abcdef","w":"0x000000000000000000"},`+
			`"rsp":{"y":"0x2fedcba98765432","s":-2,"e":"0xffffffffffffffff"}}`+"\n", string(tab.AppendLine(nil, rec, "")))
	for text, want := range map[string]bool{
		"n=-5": true, "n<0": true, "n=11": false, "s<=-2": true, "e=-1": true, "e>0": false,
		"h=0x123456789abcdef": true, "y>=0x2fedcba98765432": true, "y>0x2fedcba98765432": false,
	} {
		c, err := tab.ParseCondition(text)
		require.NoError(t, err)
		require.Equal(t, want, c.Match(rec), text)
	}
	require.Equal(t, "0x2fedcba98765432", format.Hex(l.Out.Slot("rsp", "y"), rec.Out))
}
