package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/cli"
	"github.com/goldwire/goldwire/vectors/event"
	gwv "github.com/goldwire/goldwire/vectors/format"
)

// goldwire runs a command with the real backend.
func goldwire(t *testing.T, args ...string) outcome {
	t.Helper()
	return goldwireFrom(t, nil, args...)
}

func goldwireFrom(t *testing.T, stdin []byte, args ...string) outcome {
	t.Helper()
	var out, errs bytes.Buffer
	code := execute(t.Context(), &cli.App{Backend: cli.NewBackend(), Stdin: bytes.NewReader(stdin), Stdout: &out,
		Stderr: &errs}, args)
	return outcome{code, out.String(), errs.String()}
}

// must runs a command that must pass, and returns what it printed.
func must(t *testing.T, args ...string) string {
	t.Helper()
	o := goldwire(t, args...)
	require.Equal(t, cli.ExitPass, o.code, "%v: %s%s", args, o.stdout, o.stderr)
	return o.stdout
}

// made generates a small file of the txstate block in dir.
func made(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if !slices.Contains(args, "--events") {
		args = append([]string{"--events", "3000"}, args...)
	}
	must(t, append([]string{"vectors", "gen", "--block", "txstate", "--param", "NumPdcs=4", "--param", "Depth=16",
		"-o", path}, args...)...)
	return path
}

func TestVectorsHelpTeaches(t *testing.T) {
	for _, c := range []string{"", " gen", " suite", " info", " show", " diff", " verify", " cut", " merge", " export",
		" bench"} {
		o := call(t, newFake(), strings.Fields("vectors"+c+" --help")...)
		require.Equal(t, cli.ExitPass, o.code)
		require.Contains(t, o.stdout, "Examples:\n  ")
		path := filepath.Join("testdata", "help", strings.ReplaceAll("goldwire vectors"+c, " ", "_")+".txt")
		if *update {
			require.NoError(t, os.WriteFile(path, []byte(o.stdout), 0o644))
		}
		want, err := os.ReadFile(path)
		require.NoError(t, err, "run go test with -update to write it")
		require.Equal(t, string(want), o.stdout)
	}
}

func TestVectorsUsageErrors(t *testing.T) {
	dir := t.TempDir()
	f := made(t, dir, "f.gwv")
	cycle := made(t, dir, "cycle.gwv", "--per", "cycle")
	other := filepath.Join(dir, "other.gwv")
	must(t, "vectors", "gen", "--block", "ccc", "--events", "100", "-o", other)
	text := filepath.Join(dir, "text")
	require.NoError(t, os.WriteFile(text, []byte("not vectors at all"), 0o644))
	for _, c := range []struct {
		args string
		want []string
	}{
		{"vectors", []string{"no command given"}},
		{"vectors generate", []string{`unknown command "generate"`}},
		{"vectors gen", []string{"-o: no file given"}},
		{"vectors gen --block cc -o x", []string{`did you mean "ccc"?`}},
		{"vectors gen --source randon -o x", []string{`did you mean "random"?`}},
		{"vectors gen --level huge -o x", []string{"give smoke"}},
		{"vectors gen --per second -o x", []string{"give transaction or cycle"}},
		{"vectors gen --block egress --per transaction -o x",
			[]string{"block egress", "2 input streams", "give --per cycle"}},
		{"vectors gen --events 0 -o x", []string{"--events 0"}},
		{"vectors gen --tick 3ns -o x", []string{"1ns or 128ns"}},
		{"vectors gen --param NumContexts=1 -o x", []string{"NumContexts: 1 is not in 2..65536"}},
		{"vectors gen -o /nonexistent/x.gwv", []string{"folder /nonexistent does not exist"}},
		{"vectors suite", []string{"-o: no folder given"}},
		{"vectors suite --level big -o " + dir, []string{"give smoke"}},
		{"vectors suite --block no -o " + dir, []string{`unknown block "no"`}},
		{"vectors suite -o " + text, []string{"cannot be created"}},
		{"vectors info", []string{"missing FILE"}},
		{"vectors info /nonexistent", []string{"give the path of a .gwv file"}},
		{"vectors info " + text, []string{"not a vector file"}},
		{"vectors info " + dir, []string{dir}},
		{"vectors verify --most 0 " + f, []string{"--most 0"}},
		{"vectors show --number 7..3 " + f, []string{"--number", "5..10"}},
		{"vectors show --number x " + f, []string{"--number"}},
		{"vectors show --most 0 " + f, []string{"--most 0"}},
		{"vectors show --context x " + f, []string{"--context"}},
		{"vectors show --where pcd=1 " + f, []string{`no field "pcd"`}},
		{"vectors show --where kind=SEN " + f, []string{"SEND", "not a code"}},
		{"vectors show --fields ev.pcd " + f, []string{`did you mean "ev.pdc"?`}},
		{"vectors diff " + f, []string{"two vector files"}},
		{"vectors diff - -", []string{"only one file"}},
		{"vectors diff " + f + " " + other, []string{"two blocks"}},
		{"vectors diff " + f + " " + cycle, []string{"per transaction", "per cycle"}},
		{"vectors cut " + f, []string{"-o"}},
		{"vectors cut -o x " + f, []string{"nothing to cut"}},
		{"vectors cut --from 5 --to 4 -o x " + f, []string{"empty"}},
		{"vectors cut --from 9999 -o " + dir + "/x " + f, []string{"has 3000 records"}},
		{"vectors cut --episode nothing -o " + dir + "/x " + f, []string{`--episode "nothing"`}},
		{"vectors cut --episode random/0 --to 7 -o x " + f, []string{"excludes --from"}},
		{"vectors cut --from 3 -o x -", []string{"cannot be read twice"}},
		{"vectors merge", []string{"missing FILE"}},
		{"vectors merge " + f, []string{"-o"}},
		{"vectors merge -o " + dir + "/x " + f + " " + other, []string{"block ccc", "has txstate"}},
		{"vectors merge -o " + dir + "/x " + f + " " + cycle, []string{"records per cycle"}},
		{"vectors export " + f, []string{"--to", "readmemh, csv, jsonl, sv, vhdl, python"}},
		{"vectors export --to sv " + f, []string{"-o: no folder"}},
		{"vectors export --to sv -o " + text + " " + f, []string{"cannot be created"}},
	} {
		t.Run(c.args, func(t *testing.T) {
			o := goldwire(t, strings.Fields(c.args)...)
			if c.args == "vectors" {
				require.Equal(t, cli.ExitBroken, o.code)
				require.Contains(t, o.stderr, c.want[0])
				return
			}
			requireBroken(t, o, c.want...)
		})
	}
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 4, "nothing is left of what failed")
}

func TestVectorsAreReproducibleFromTheirHeader(t *testing.T) {
	dir := t.TempDir()
	for _, args := range [][]string{{"--seed", "5"}, {"--per", "cycle", "--level", "smoke"}, {"--source", "directed"},
		{"--source", "fabric:incast32", "--tick", "128ns"}} {
		path := made(t, dir, "a.gwv", args...)
		first, err := os.ReadFile(path)
		require.NoError(t, err)
		var info struct {
			Args   []string
			Totals gwv.Totals
		}
		require.NoError(t, json.Unmarshal([]byte(must(t, "vectors", "info", "--json", path)), &info))
		again := filepath.Join(dir, "b.gwv")
		must(t, append(info.Args, "-o", again)...)
		second, err := os.ReadFile(again)
		require.NoError(t, err)
		require.True(t, bytes.Equal(first, second), "%v", info.Args)
		require.NotContains(t, string(first), dir)
		require.Contains(t, must(t, "vectors", "verify", path), "agree with today's model")
		require.Contains(t, must(t, "vectors", "diff", path, again), "the same ")
		require.Contains(t, must(t, "vectors", "info", path), info.Totals.Digest)
	}
}

// The header's level is the amount it names, or none.
func TestVectorsLevelIsTheAmount(t *testing.T) {
	f := filepath.Join(t.TempDir(), "f.gwv")
	for _, c := range []struct {
		args          []string
		level, events string
	}{
		{[]string{"--level", "smoke"}, "level      smoke", "--events 2000 --level smoke"},
		{[]string{"--level", "smoke", "--events", "2k"}, "level      smoke", "--events 2000 --level smoke"},
		{[]string{"--level", "smoke", "--events", "10"}, "", "--events 10 --param"},
	} {
		must(t, append([]string{"vectors", "gen", "--block", "ccc", "-o", f}, c.args...)...)
		info := must(t, "vectors", "info", f)
		require.Contains(t, info, c.events)
		if c.level == "" {
			require.NotContains(t, info, "level")
		}
		require.Contains(t, info, c.level)
	}
}

// A file without records checks nothing, and nothing passes on it.
func TestVectorsWithoutRecordsPassNothing(t *testing.T) {
	dir := t.TempDir()
	f := made(t, dir, "f.gwv", "--events", "10")
	data, err := os.ReadFile(f)
	require.NoError(t, err)
	r, err := gwv.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	var none, mute bytes.Buffer
	w, err := gwv.NewWriter(&none, *r.Header())
	require.NoError(t, err)
	_, err = w.Close()
	require.NoError(t, err)
	h := *r.Header()
	h.Pairing = gwv.PairOrder
	w, err = gwv.NewWriter(&mute, h)
	require.NoError(t, err)
	for rec, err := range r.All() {
		require.NoError(t, err)
		clear(rec.Out)
		require.NoError(t, w.Write(rec.In, rec.Out))
	}
	_, err = w.Close()
	require.NoError(t, err)
	empty, still := filepath.Join(dir, "empty.gwv"), filepath.Join(dir, "still.gwv")
	require.NoError(t, os.WriteFile(empty, none.Bytes(), 0o666))
	require.NoError(t, os.WriteFile(still, mute.Bytes(), 0o666))
	out := filepath.Join(dir, "out")
	requireBroken(t, goldwire(t, "vectors", "verify", empty), "empty.gwv: it has no records, so nothing was checked")
	requireBroken(t, goldwire(t, "vectors", "export", "--to", "sv", empty, "-o", out), "empty.gwv: ",
		"it would check nothing")
	requireBroken(t, goldwire(t, "vectors", "export", "--to", "sv", still, "-o", out), "still.gwv: ",
		"no response in 10 records")
	require.NoDirExists(t, out)

	// A file whose cycles are all in reset is refused too.
	cycles, resets := made(t, dir, "c.gwv", "--per", "cycle"), filepath.Join(dir, "r.gwv")
	must(t, "vectors", "cut", "--to", "1", cycles, "-o", resets)
	requireBroken(t, goldwire(t, "vectors", "verify", resets),
		"r.gwv: it has no response in 2 cycles, so nothing was checked")
	requireBroken(t, goldwire(t, "vectors", "export", "--to", "sv", resets, "-o", out), "r.gwv: ",
		"it would check nothing")
	require.NoDirExists(t, out)
}

func TestVectorsShow(t *testing.T) {
	f := made(t, t.TempDir(), "f.gwv")
	out := must(t, "vectors", "show", "--number", "5..7", "--fields", "ev.kind,ev.pdc,rsp.found", f)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	require.Len(t, lines, 4)
	require.Equal(t, []string{"transaction", "episode", "ev.kind", "ev.pdc", "rsp.found"}, strings.Fields(lines[0]))
	require.Equal(t, []string{"5", "random/0"}, strings.Fields(lines[1])[:2])

	out = must(t, "vectors", "show", "--json", "--most", "0", "--context", "2", "--where", "ev.kind=ACK",
		"--where", "rsp.rtt_valid=1", f)
	n := 0
	for _, l := range strings.Split(strings.TrimSpace(out), "\n") {
		var o struct {
			Ev struct {
				Kind string
				PDC  int
			}
			Rsp struct {
				RTTValid int `json:"rtt_valid"`
			}
		}
		require.NoError(t, json.Unmarshal([]byte(l), &o))
		require.Equal(t, "ACK", o.Ev.Kind)
		require.Equal(t, 2, o.Ev.PDC)
		require.Equal(t, 1, o.Rsp.RTTValid)
		n++
	}
	require.NotZero(t, n)
	require.Equal(t, "no transaction matches\n", must(t, "vectors", "show", "--where", "psn>0xffffffffff", f))
	data, err := os.ReadFile(f)
	require.NoError(t, err)
	o := goldwireFrom(t, data, "vectors", "show", "--number", "0", "-")
	require.Equal(t, cli.ExitPass, o.code, o.stderr)
	require.Contains(t, o.stdout, "random/0")
	require.Contains(t, must(t, "vectors", "show", "--most", "3", made(t, t.TempDir(), "c.gwv", "--per", "cycle")),
		"cycle  episode")
}

// spoiled copies a file with one expected value changed in some records.
func spoiled(t *testing.T, path, to string, records ...uint64) {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	r, err := gwv.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	var buf bytes.Buffer
	w, err := gwv.NewWriter(&buf, *r.Header())
	require.NoError(t, err)
	slot := r.Layout().Out.Slot("rsp", "psn")
	for rec, err := range r.All() {
		require.NoError(t, err)
		if rec.Mark != nil {
			w.Mark(rec.Mark.Name, rec.Mark.Seed)
		}
		for _, n := range records {
			if rec.Number == n {
				slot.Set(rec.Out, slot.Get(rec.Out)+1)
			}
		}
		require.NoError(t, w.Write(rec.In, rec.Out))
	}
	_, err = w.Close()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(to, buf.Bytes(), 0o644))
}

func TestVectorsDiffAndVerifyFindDifferences(t *testing.T) {
	dir := t.TempDir()
	f, bad := made(t, dir, "f.gwv"), filepath.Join(dir, "bad.gwv")
	spoiled(t, f, bad, 1000, 1001, 2500)
	o := goldwire(t, "vectors", "diff", "--most", "1", f, bad)
	require.Equal(t, cli.ExitMismatch, o.code)
	require.Contains(t, o.stdout, "transaction 1000 (random/")
	require.NotContains(t, o.stdout, "transaction 1001")
	require.Contains(t, o.stdout, "3 of 3000 transactions differ\n  rsp.psn: 3\n")

	o = goldwire(t, "vectors", "verify", "--most", "2", bad)
	require.Equal(t, cli.ExitMismatch, o.code)
	require.Contains(t, o.stdout, "transaction 1001 (random/")
	require.NotContains(t, o.stdout, "transaction 2500")
	require.Contains(t, o.stdout, "rsp.psn: file ")
	require.Contains(t, o.stdout, "3 of 3000 transactions differ from today's model")

	short := filepath.Join(dir, "short.gwv")
	must(t, "vectors", "cut", "--to", "2000", f, "-o", short)
	o = goldwire(t, "vectors", "diff", short, f)
	require.Equal(t, cli.ExitMismatch, o.code)
	require.Contains(t, o.stdout, "ends after 2001 transactions")
	require.Contains(t, o.stdout, "has 3000")
}

// rewritten copies a file with its records edited; edit returns false for records to leave out.
func rewritten(t *testing.T, path, to string, edit func(l *event.Layout, rec *gwv.Record) bool) string {
	t.Helper()
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	r, err := gwv.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	var buf bytes.Buffer
	w, err := gwv.NewWriter(&buf, *r.Header())
	require.NoError(t, err)
	for rec, err := range r.All() {
		require.NoError(t, err)
		if !edit(r.Layout(), rec) {
			continue
		}
		if rec.Mark != nil {
			w.Mark(rec.Mark.Name, rec.Mark.Seed)
		}
		require.NoError(t, w.Write(rec.In, rec.Out))
	}
	_, err = w.Close()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(to, buf.Bytes(), 0o666))
	return to
}

// A response that only one of two files has differs in every field, whichever file has it.
func TestVectorsDiffOfAbsentResponse(t *testing.T) {
	dir := t.TempDir()
	f := made(t, dir, "f.gwv")
	mute := rewritten(t, f, filepath.Join(dir, "mute.gwv"), func(l *event.Layout, rec *gwv.Record) bool {
		if rec.Number == 700 {
			require.NotZero(t, rec.Out[0]&l.Out.Control("rsp_valid"))
			clear(rec.Out)
		}
		return true
	})
	for _, files := range [][]string{{f, mute}, {mute, f}} {
		o := goldwire(t, append([]string{"vectors", "diff"}, files...)...)
		require.Equal(t, cli.ExitMismatch, o.code)
		require.Contains(t, o.stdout, "transaction 700 (random/")
		require.Contains(t, o.stdout, "1 of 3000 transactions differ\n")
		require.Contains(t, o.stdout, "  rsp.psn: 1\n")
	}
}

func TestVectorsCutAndMerge(t *testing.T) {
	dir := t.TempDir()
	for _, per := range []string{"transaction", "cycle"} {
		f := made(t, dir, "f.gwv", "--per", per)
		var info struct{ Totals gwv.Totals }
		read := func(path string) gwv.Totals {
			info.Totals = gwv.Totals{}
			require.NoError(t, json.Unmarshal([]byte(must(t, "vectors", "info", "--json", path)), &info))
			return info.Totals
		}
		all := read(f)
		require.Greater(t, all.Episodes, uint64(1))

		// A stretch that begins within an episode begins with that episode, and verifies on its own.
		part := filepath.Join(dir, "part.gwv")
		o := goldwire(t, "vectors", "cut", "--from", fmt.Sprint(all.Records-10), f, "-o", part)
		require.Equal(t, cli.ExitPass, o.code, o.stderr)
		require.Contains(t, o.stderr, "is within an episode")
		must(t, "vectors", "verify", part)
		require.EqualValues(t, 1, read(part).Episodes)

		one := filepath.Join(dir, "one.gwv")
		must(t, "vectors", "cut", "--episode", "random/0", f, "-o", one)
		must(t, "vectors", "verify", one)
		two := filepath.Join(dir, "two.gwv")
		must(t, "vectors", "cut", "--from", fmt.Sprint(read(one).Records), f, "-o", two)

		// Both parts together equal the whole.
		merged := filepath.Join(dir, "merged.gwv")
		must(t, "vectors", "merge", one, two, "-o", merged)
		require.Contains(t, must(t, "vectors", "diff", f, merged), fmt.Sprintf("the same %d %ss", all.Records, per))
		must(t, "vectors", "verify", merged)
		require.Contains(t, must(t, "vectors", "info", merged), "goldwire vectors merge ")
	}
}

// Damage is named, the sound part can be saved, and no command leaves output of a damaged file.
func TestVectorsOfADamagedFile(t *testing.T) {
	dir := t.TempDir()
	f := filepath.Join(dir, "f.gwv")
	must(t, "vectors", "gen", "--block", "ccc", "--events", "30000", "-o", f)
	data, err := os.ReadFile(f)
	require.NoError(t, err)
	data[len(data)/2] ^= 0x10
	bad := filepath.Join(dir, "bad.gwv")
	require.NoError(t, os.WriteFile(bad, data, 0o644))
	for _, args := range [][]string{{"info", bad}, {"verify", bad}, {"diff", f, bad},
		{"show", "--where", "ctx=70000", bad},
		{"export", "--to", "sv", bad, "-o", filepath.Join(dir, "out")}, {"merge", bad, "-o", filepath.Join(dir, "m.gwv")}} {
		o := goldwire(t, append([]string{"vectors"}, args...)...)
		requireBroken(t, o, "bad.gwv: frame ", "checksum", "before it can be read", "vectors cut --to")
	}
	left, err := filepath.Glob(filepath.Join(dir, "out", "*"))
	require.NoError(t, err)
	require.Empty(t, left)
	hidden, err := filepath.Glob(filepath.Join(dir, "out", ".*tmp"))
	require.NoError(t, err)
	require.Empty(t, hidden)

	o := goldwire(t, "vectors", "info", bad)
	_, rest, _ := strings.Cut(o.stderr, "cut --to ")
	last, _, _ := strings.Cut(rest, " ")
	saved := filepath.Join(dir, "saved.gwv")
	must(t, "vectors", "cut", "--to", last, bad, "-o", saved)
	must(t, "vectors", "verify", saved)
}

func TestVectorsOfAnotherSchemaAreRefused(t *testing.T) {
	dir := t.TempDir()
	f := made(t, dir, "f.gwv")
	data, err := os.ReadFile(f)
	require.NoError(t, err)
	r, err := gwv.NewReader(bytes.NewReader(data))
	require.NoError(t, err)
	b := *r.Block()
	b.Constants = b.Constants[1:]
	h := *r.Header()
	h.SchemaHash = b.Hash()
	h.Schema, err = gwv.SchemaText(&b)
	require.NoError(t, err)
	old := filepath.Join(dir, "old.gwv")
	out, err := os.Create(old)
	require.NoError(t, err)
	w, err := gwv.NewWriter(out, h)
	require.NoError(t, err)
	_, err = w.Close()
	require.NoError(t, err)
	require.NoError(t, out.Close())
	requireBroken(t, goldwire(t, "vectors", "verify", old), "schema "+h.SchemaHash,
		"generate the file again with goldwire vectors gen --block txstate")
	// Such files can still be read and compared.
	must(t, "vectors", "show", old)
	o := goldwire(t, "vectors", "diff", old, f)
	require.Equal(t, cli.ExitMismatch, o.code)
	require.Contains(t, o.stdout, "schema: "+h.SchemaHash)
}

// Bytes of a packet are shown byte 0 first, and shown values can be searched for.
func TestVectorsShowBytesInWireOrder(t *testing.T) {
	f := filepath.Join(t.TempDir(), "f.gwv")
	must(t, "vectors", "gen", "--block", "trimmer", "--source", "directed/length/ipv4", "-o", f)
	args := []string{"vectors", "show", "--where", "rx_valid=1", "--most", "1", "--fields", "rx.data"}
	cells := strings.Fields(strings.Split(must(t, append(args, f)...), "\n")[1])
	shown := cells[len(cells)-1]
	require.Regexp(t, `^[0-9a-f]{16}(_[0-9a-f]{16}){7}$`, shown)
	require.Equal(t, "08004", shown[25:30], "type IPv4 and version stand behind the addresses")
	require.Contains(t, must(t, append(args, "--where", "rx.data="+shown, f)...), shown)
	o := goldwire(t, append(args, "--where", "rx.data="+shown[2:], f)...)
	require.Equal(t, cli.ExitBroken, o.code)
	require.Contains(t, o.stderr, "64 bytes in hex")
}
