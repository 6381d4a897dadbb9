package schemagen

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
)

const root = "../../../.."

// The files in the tree are what the schemas say; the mend is in the message.
func TestTreeIsUpToDate(t *testing.T) {
	files, err := All(root)
	require.NoError(t, err)
	for _, f := range files {
		have, err := os.ReadFile(filepath.Join(root, f.Path))
		require.NoError(t, err, "run make gen")
		require.Equal(t, string(f.Text), string(have), "%s is not what its schema gives: run make gen", f.Path)
	}
}

// Nothing stale: a file of a block that is gone, or of another name, is nobody's.
func TestNothingElseInGen(t *testing.T) {
	files, err := All(root)
	require.NoError(t, err)
	known := map[string]bool{}
	for _, f := range files {
		known[f.Path] = true
	}
	have, err := os.ReadDir(filepath.Join(root, "hdl/gen"))
	require.NoError(t, err)
	for _, e := range have {
		require.True(t, known["hdl/gen/"+e.Name()], "hdl/gen/%s follows from no schema: remove it", e.Name())
	}
	ports, err := filepath.Glob(filepath.Join(root, "rtlmodel/*/ports_gen.go"))
	require.NoError(t, err)
	require.NotEmpty(t, ports)
	for _, p := range ports {
		rel, err := filepath.Rel(root, p)
		require.NoError(t, err)
		require.True(t, known[filepath.ToSlash(rel)], "%s follows from no schema: remove it", rel)
	}
}

func TestWriteTouchesOnlyWhatDiffers(t *testing.T) {
	dir := t.TempDir()
	files := []File{{"a/x", []byte("1")}, {"a/y", []byte("2")}}
	changed, err := Write(dir, files)
	require.NoError(t, err)
	require.Equal(t, []string{"a/x", "a/y"}, changed)
	files[1].Text = []byte("3")
	changed, err = Write(dir, files)
	require.NoError(t, err)
	require.Equal(t, []string{"a/y"}, changed)
}

func TestAllRefuses(t *testing.T) {
	dir := t.TempDir()
	_, err := All(dir)
	require.ErrorContains(t, err, "no vectors/event/<block>/schema.yaml")
	path := filepath.Join(dir, "vectors/event/other/schema.yaml")
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(odd), 0o600))
	_, err = All(dir)
	require.ErrorContains(t, err, `block "odd" stands in the folder "other"`)
	require.NoError(t, os.WriteFile(path, []byte("block: other\nports: 3\n"), 0o600))
	_, err = All(dir)
	require.ErrorContains(t, err, `schema other: line 2: unknown key "ports" of a block`)
}

func TestNames(t *testing.T) {
	for in, want := range map[string]string{
		"rtt_valid": "RTTValid", "m": "M", "md_applied": "MDApplied", "qa_fired": "QAFired",
		"ACK_GEN_TRIGGER": "AckGenTrigger",
		"NEW_DATA":        "NewData", "NO_ECN": "NoECN", "last_rcvd0": "LastRcvd0",
		"TARGET_QDELAY": "TargetQDelay", "ctx": "Ctx",
	} {
		require.Equal(t, want, camel(in))
	}
}

// odd has what the present blocks have not: several streams a direction, fields wider than a word,
// signed fields of odd and full width, a one-bit enum, no parameters.
const odd = `block: odd
title: a block for tests
doc: every unusual shape
enums:
  - {name: flag, width: 1, doc: one bit, values: [{name: OFF, value: 0, doc: off}, {name: SET, value: 1, doc: on}]}
streams:
  - {name: ev, dir: in, doc: first, fields: [{name: a, width: 5, signed: true, doc: a},
      {name: wide, width: 129, doc: w}, {name: f, width: 1, enum: flag, doc: f}]}
  - {name: aux, dir: in, doc: second, fields: [{name: b, width: 64, signed: true, doc: b},
      {name: c, width: 33, signed: true, doc: c}]}
  - {name: rsp, dir: out, doc: third, fields: [{name: x, width: 61, doc: x}, {name: y, width: 100, doc: y}]}
  - {name: log, dir: out, doc: fourth, fields: [{name: z, width: 7, doc: z}]}
words:
  - {addr: 0, fields: [{name: s, lsb: 3, width: 9, signed: true}, {name: e, lsb: 63, width: 1, enum: flag}]}
`

// oddTest runs inside the generated package of odd.
const oddTest = `package odd

import (
	"fmt"
	"testing"

	"github.com/goldwire/goldwire/vectors/event"
)

func Test(t *testing.T) {
	l := event.NewLayout(Schema())
	in := make([]uint64, InWords)
	for i := range in { in[i] = ^uint64(0) }
	PackEvent(&Event{A: -3, Wide: [3]uint64{1, 2, 7}, F: FlagSet}, in)
	PackAux(&Aux{B: -9, C: -1 << 32}, in)
	var e Event
	var a Aux
	UnpackEvent(in, &e)
	UnpackAux(in, &a)
	if fmt.Sprint(e, a) != "{-3 [1 2 1] SET} {-9 -4294967296}" { t.Fatal(e, a) }
	if got := l.In.Slot("ev", "a").Get(in); got != 29 { t.Fatal(got) }
	if in[0]&InControl != InControl { t.Fatal("with several streams packing leaves control bits alone") }
	want, got := make([]uint64, OutWords), make([]uint64, OutWords)
	for w := range want {
		for b := range 64 {
			for ctl := range 16 {
				want[0], got[0] = uint64(ctl), uint64(ctl)
				got[w] ^= 1 << b
				if EqualOut(want, got) != l.Equal(want, got) { t.Fatal(w, b, ctl) }
				got[w] ^= 1 << b
			}
		}
	}
	x := Words{}
	x.SetWord(0, ^uint64(0))
	if x.S != -1 || x.E != FlagSet || x.Word(0) != WordMask[0] { t.Fatal(x) }
}
`

// The Go text for unusual shapes compiles and does what the layout says. It is laid over the module
// without touching the tree.
func TestGoOfUnusualShapes(t *testing.T) {
	b, err := event.Parse([]byte(odd))
	require.NoError(t, err)
	files, err := Generate(b)
	require.NoError(t, err)
	dir, abs := t.TempDir(), mustAbs(t, root)
	var overlay []string
	add := func(name, text string) {
		tmp := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(tmp, []byte(text), 0o600))
		overlay = append(overlay, `"`+filepath.Join(abs, "vectors/event/odd", name)+`": "`+tmp+`"`)
	}
	for _, f := range files {
		if strings.HasSuffix(f.Path, ".go") && strings.HasPrefix(f.Path, "vectors/") {
			add(filepath.Base(f.Path), string(f.Text))
		}
	}
	add("schema.yaml", odd)
	add("odd_test.go", oddTest)
	list := filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(list, []byte(`{"Replace": {`+strings.Join(overlay, ",")+`}}`), 0o600))
	// Built apart and run from elsewhere: the package's folder exists in the overlay only.
	bin := filepath.Join(dir, "odd.test")
	cmd := exec.Command("go", "test", "-c", "-vet=off", "-overlay", list, "-o", bin, "./vectors/event/odd")
	cmd.Dir = abs
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	out, err = exec.Command(bin).CombinedOutput()
	require.NoError(t, err, "%s", out)
}

func mustAbs(t *testing.T, path string) string {
	t.Helper()
	abs, err := filepath.Abs(path)
	require.NoError(t, err)
	return abs
}
