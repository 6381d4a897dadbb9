package codecov

import (
	"bytes"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
)

// real returns the coverage of two runs of txstate, with other seeds.
func real(t *testing.T) (a, b *File) {
	t.Helper()
	a, err := ReadFile("testdata/txstate-1.dat")
	require.NoError(t, err)
	b, err = ReadFile("testdata/txstate-2.dat")
	require.NoError(t, err)
	return a, b
}

func TestMergeIsThatOfVerilator(t *testing.T) {
	tool, err := exec.LookPath("verilator_coverage")
	if err != nil {
		t.Skip("no verilator_coverage")
	}
	a, b := real(t)
	all, err := Merge(a, b)
	require.NoError(t, err)
	require.Equal(t, uint64(2), all.Builds[0].Runs)
	file := filepath.Join(t.TempDir(), "merged.dat")
	out, err := exec.Command(tool, "--write", file, "testdata/txstate-1.dat", "testdata/txstate-2.dat").CombinedOutput()
	require.NoError(t, err, "%s", out)
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	all.Builds = nil // comments, which the tool drops
	var got bytes.Buffer
	require.NoError(t, all.Write(&got))
	require.Greater(t, strings.Count(got.String(), "\n"), 50)
	require.Equal(t, string(want), got.String())
}

func TestMergeRefuses(t *testing.T) {
	a, b := real(t)
	_, err := Merge()
	require.ErrorContains(t, err, "no files")
	b.Builds[0].Build = "other"
	_, err = Merge(a, b)
	require.ErrorContains(t, err, "block txstate: one file is of build b1, another of build other")
	b.Builds = nil
	_, err = Merge(a, b)
	require.ErrorContains(t, err, "names no build")
	a, b = real(t)
	for key := range b.Counts {
		delete(b.Counts, key)
		break
	}
	_, err = Merge(a, b)
	require.ErrorContains(t, err, "other points")
}

func TestReadRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "no points",
		header + "\n":                   "no points",
		"nonsense\n":                    "no coverage of Verilator",
		header + "\nC 'x' 1":            "ends within",
		header + "\nC 'x' -1\n":         "count",
		header + "\nC x 1\n":            "neither",
		header + "\n# goldwire {}\n":    "must be there",
		header + "\n# goldwire {\"\n\n": "line 2",
	} {
		_, err := Read(strings.NewReader(text))
		require.ErrorContains(t, err, want, "%q", text)
	}
	_, err := ReadFile("testdata/none.dat")
	require.ErrorIs(t, err, os.ErrNotExist)
	require.Equal(t, uint64(math.MaxUint64), plus(math.MaxUint64, 2))
}

// point returns a key as Verilator writes it.
func point(line, name, lines, instance string) string {
	return "\x01f\x02a.sv\x01l\x02" + line + "\x01n\x021\x01page\x02v_branch/m\x01o\x02" + name + "\x01S\x02" + lines +
		"\x01h\x02" + instance
}

func TestViewCountsLinesOnceAndInstancesApart(t *testing.T) {
	f := &File{Counts: map[string]uint64{point("3", "if", "3-4,7", "TOP.a"): 0, point("3", "if", "3-4,7", "TOP.b"): 2,
		point("3", "else", "9", "TOP.a"): 0, point("3", "else", "9", "TOP.b"): 0}}
	v, err := NewView(f, nil)
	require.NoError(t, err)
	require.Equal(t, Share{Points: 4, Hit: 3}, v.Total.Lines)
	require.Equal(t, Share{Points: 2, Hit: 1}, v.Total.Branches)
	require.Equal(t, Share{Points: 2}, v.Instances[0].Branches)
	require.Equal(t, Share{Points: 2, Hit: 1}, v.Instances[1].Branches)
	require.Equal(t, []string{"branch a.sv:3 else"}, v.Missed)
	var b bytes.Buffer
	require.NoError(t, LCOV(&b, f, nil))
	require.Equal(t, strings.Fields("TN: SF:a.sv BRDA:3,0,0,0 BRDA:3,0,1,2 BRF:2 BRH:1 DA:3,2 DA:4,2 DA:7,2 DA:9,0 LF:4 "+
		"LH:3 end_of_record"), strings.Fields(b.String()))
	s := v.Section()
	require.Equal(t, Key, s.Key)
	o, _ := s.Outcome()
	require.Equal(t, "within bounds", string(o))
}

func TestExclusionsThatAreStale(t *testing.T) {
	f := &File{Counts: map[string]uint64{point("3", "if", "3", "TOP.a"): 2, point("3", "else", "9", "TOP.a"): 0}}
	dir := t.TempDir()
	file := filepath.Join(dir, "x.yaml")
	load := func(text string) (map[string]bool, error) {
		require.NoError(t, os.WriteFile(file, []byte("exclusions:\n"+text), 0o644))
		x, err := LoadExclusions(dir, file)
		if err != nil {
			return nil, err
		}
		return x.Apply(f)
	}
	out, err := load("  - {file: a.sv, point: else, reason: cannot be}\n")
	require.NoError(t, err)
	v, err := NewView(f, out)
	require.NoError(t, err)
	require.Equal(t, Share{Points: 1, Hit: 1, Excluded: 1}, v.Total.Branches)
	require.Empty(t, v.Missed)
	_, err = load("  - {file: a.sv, text: x, reason: r}\n")
	require.ErrorContains(t, err, "no such file")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.sv"), []byte("\n\nif (x)\n"), 0o644))
	_, err = load("  - {file: a.sv, text: x, point: else, reason: r}\n") // the file is found from the root
	require.NoError(t, err)
	for text, want := range map[string]string{
		"  - {file: a.sv, point: if, reason: r}\n":                "was hit",
		"  - {file: b.sv, point: if, reason: r}\n":                "matches no point",
		"  - {file: a.sv, point: else}\n":                         "needs a reason",
		"  - {file: a.sv, reason: r}\n":                           "needs a text",
		"  - {point: else, reason: r}\n":                          "needs a file",
		"  - {file: a.sv, point: else, reason: r, nonsense: 1}\n": "nonsense",
	} {
		_, err := load(text)
		require.ErrorContains(t, err, want, text)
	}
}

// TestCollectRefuses leaves out, one after the other, what the simulator writes.
func TestCollectRefuses(t *testing.T) {
	block, err := event.Load("../../../vectors/event/txstate/schema.yaml")
	require.NoError(t, err)
	l := event.NewLayout(block)
	zeros := func(words int) string { return strings.Repeat("00", words*8) }
	in, out := zeros(l.In.Words), zeros(l.Out.Words)
	toggles := "in - 192 " + in + " " + in + "\nout - 192 " + out + " " + out +
		"\nreg top__DOT__u_a__DOT__x_q 3 05 02\nend\n"
	raw, err := os.ReadFile("testdata/txstate-1.dat")
	require.NoError(t, err)
	lines := header + "\n" + string(raw[bytes.Index(raw, []byte("\nC '"))+1:])
	whole := toggles
	left := func(end, lines, toggles string) string {
		path := filepath.Join(t.TempDir(), "code")
		for name, text := range map[string]string{"": end, ".lines": lines, ".toggles": toggles} {
			if text != "" {
				require.NoError(t, os.WriteFile(path+name, []byte(text), 0o644))
			}
		}
		return path
	}
	collect := func(end, lines, toggles string) (*File, error) {
		return Collect(&Left{Block: block, Build: "b1", Lines: left(end, lines, toggles), LineCycles: 100,
			Toggles: left("cycles 900\nregisters 1\n", "", whole), ToggleCycles: 900})
	}
	end := "cycles 100\nregisters 1\n"
	f, err := collect(end, lines, toggles)
	require.NoError(t, err)
	// Two work trees that name their files alike leave coverage that can be added.
	var trees []*File
	for _, root := range []string{"/one", "/two"} {
		there := strings.ReplaceAll(lines, fileMark+"hdl/", fileMark+root+"/hdl/")
		require.NotEqual(t, lines, there)
		x, err := Collect(&Left{Block: block, Build: "b1", Lines: left(end, there, toggles), LineCycles: 100,
			Toggles: left("cycles 900\nregisters 1\n", "", whole), ToggleCycles: 900,
			Source: func(path string) string { return strings.TrimPrefix(path, root+"/") }})
		require.NoError(t, err)
		require.Equal(t, f.Counts, x.Counts)
		trees = append(trees, x)
	}
	_, err = Merge(trees...)
	require.NoError(t, err)
	key := point("3", "if", "3", "TOP.a")
	two := &File{Counts: map[string]uint64{key: 1, strings.Replace(key, "\x02a.sv", "\x02b.sv", 1): 2}}
	require.ErrorContains(t, two.rename(func(string) string { return "a.sv" }), "two points have one name")
	require.Len(t, two.Counts, 2)
	v, err := NewView(f, nil)
	require.NoError(t, err)
	require.Equal(t, 3, v.Total.Toggles.Hit, "x_q rose in bits 0 and 2 and fell in bit 1")
	require.Contains(t, v.Missed, "toggle TOP.top.u_a.x_q[1]:0->1")
	for _, x := range [][4]string{
		{"", lines, toggles, "left no coverage"},
		{"cycles 99\nregisters 1\n", lines, toggles, "99 cycles, the run compared 100"},
		{"cycles 100\n", lines, toggles, "is not its end"},
		{end, "", toggles, "no such file"},
		{end, header + "\n", toggles, "no points"},
		{end, string(raw), toggles, "of an earlier run"},
		{end, lines, "", "no such file"},
		{end, lines, strings.TrimSuffix(toggles, "end\n"), "ends early"},
		{end, lines, strings.Replace(toggles, "reg top__DOT__u_a__DOT__x_q 3 05 02\n", "", 1), "0 of 1 registers"},
		{end, lines, strings.Replace(toggles, " 3 05", " 9 05", 1), "9 bits in 1 bytes"},
	} {
		_, err := collect(x[0], x[1], x[2])
		require.ErrorContains(t, err, x[3])
	}

	// The build that counts toggles alone adds to the points of the other one, and may not be missing.
	both := func(end, toggles string) (*File, error) {
		return Collect(&Left{Block: block, Build: "b1", Lines: left("cycles 100\nregisters 1\n", lines, toggles),
			Toggles: left(end, "", toggles), LineCycles: 100, ToggleCycles: 900})
	}
	f, err = both("cycles 900\nregisters 1\n", toggles)
	require.NoError(t, err)
	require.Equal(t, []Build{{Block: "txstate", Build: "b1", Cycles: 900, LineCycles: 100, Runs: 1}}, f.Builds)
	v, err = NewView(f, nil)
	require.NoError(t, err)
	require.Equal(t, 3, v.Total.Toggles.Hit)
	for end, want := range map[string]string{"": "left no coverage", "cycles 899\nregisters 1\n": "the run compared 900",
		"cycles 900\nregisters 2\n": "1 of 2 registers"} {
		_, err := both(end, toggles)
		require.ErrorContains(t, err, want)
	}
	_, err = Collect(&Left{Block: block, Build: "b1", Lines: left(end, lines, toggles)})
	require.ErrorContains(t, err, "0 of 0 cycles")
}

// A toggle that only the other build saw counts, and a register that only that one has is no point.
func TestTogglesOfBothBuilds(t *testing.T) {
	f := &File{Counts: map[string]uint64{"a": 0, "b": 1}}
	f.join(&File{Counts: map[string]uint64{"a": 1, "b": 1, "c": 1}})
	require.Equal(t, map[string]uint64{"a": 1, "b": 1}, f.Counts)
}
