package wave

import (
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/explain/vcd"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/trimmer"
)

// dumped is a design's dump of the cycles from 10 on.
func dumped(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "design.vcd")
	require.NoError(t, os.WriteFile(path, []byte("$timescale 1ps $end\n$scope module TOP $end\n"+
		"$var wire 32 ! rsp_cwnd_o [31:0] $end\n$upscope $end\n$enddefinitions $end\n#10000\nb111 !\n"), 0o644))
	return path
}

// response returns an output record with a response.
func response(r ccc.Response) []uint64 {
	out := make([]uint64, ccc.OutWords)
	ccc.PackResponse(&r, out)
	out[0] |= ccc.OutRspValid
	return out
}

// all are the bits of every output.
func all(l *event.Layout) []uint64 {
	m := make([]uint64, l.Out.Words)
	m[0] = l.Out.ControlMask()
	for i := range l.Outputs() {
		for w, b := range l.Outputs()[i].Mask {
			m[w] |= b
		}
	}
	return m
}

// shown returns the value of a track at the end of each of its cycles, by its name in the scope goldwire.
func shown(t *testing.T, path, name string) (out []string) {
	t.Helper()
	r, done, err := vcd.Open(path)
	require.NoError(t, err)
	defer done()
	id := ""
	for _, s := range r.Signals() {
		if s.Name == "goldwire."+name {
			id = s.ID
		}
	}
	require.NotEmpty(t, id, name)
	for {
		_, ok, err := r.Next()
		require.NoError(t, err)
		if !ok {
			return out[:len(out)-1] // the end of the last cycle
		}
		out = append(out, r.Value(id))
	}
}

// The track of the differences is 0 only where something was compared: each other reason has a value of its own.
func TestDifference(t *testing.T) {
	b := ccc.Schema()
	l := event.NewLayout(b)
	idle, in := make([]uint64, ccc.OutWords), make([]uint64, ccc.InWords)
	in[0] = ccc.InRstN
	right := response(ccc.Response{Kind: ccc.KindAck, Ctx: 3, Cwnd: 9000})
	wrong := response(ccc.Response{Kind: ccc.KindAck, Ctx: 3, Cwnd: 9001})
	controls := make([]uint64, ccc.OutWords)
	controls[0] = l.Out.ControlMask()
	w := New(b)
	for i, c := range []Cycle{
		{Want: right, Got: right, Known: all(l), Compared: all(l)},
		{Want: right, Got: wrong, Known: all(l), Compared: all(l)},
		{Want: right, Got: wrong, Known: all(l)}, // nobody compared them
		{Got: wrong},
		{Want: right, Known: all(l), Compared: all(l)}, // the design did not run
		{Want: right, Got: wrong, Known: all(l), Compared: all(l), Excused: true},
		{Want: idle, Got: wrong, Known: controls, Compared: controls},
		{Want: right, Got: wrong, Known: all(l), Compared: controls},
	} {
		c.N, c.In = uint64(10+i), in
		w.Cycle(&c)
	}
	w.Failed(18, "an assertion failed")
	w.Cycle(&Cycle{N: 18, In: in})
	path := filepath.Join(t.TempDir(), "w.vcd")
	_, err := w.Write(path, dumped(t), 11)
	require.NoError(t, err)
	require.Equal(t, []string{"0", "1", "x", "x", "x", "0", "1", "0", "1"}, shown(t, path, "difference.any"))
	require.Equal(t, []string{"0", "1", "x", "x", "x", "0", "x", "x", "x"}, shown(t, path, "difference.rsp_cwnd"))
	require.Equal(t, []string{"0", "0", "x", "x", "x", "0", "1", "0", "x"}, shown(t, path, "difference.rsp_valid"))
	require.Equal(t, []string{"s-", "srsp_cwnd:want=9000,got=9001,+1LSB", "snot_compared", "snot_compared",
		"snot_compared", "swithin_the_tolerances", "srsp_valid:want=0,got=1", "s-", "san_assertion_failed"},
		shown(t, path, "difference.text"))
	require.Equal(t, []uint64{11, 16, 18}, w.Differs())
	require.Equal(t, 5, w.Compared())
	cwnd := shown(t, path, "expected.rsp_cwnd")
	require.Equal(t, "b"+vcd.Binary(9000, 32), cwnd[0])
	require.Equal(t, "bx", cwnd[3], "nothing was expected")
	require.Equal(t, "bx", cwnd[6], "only the handshake was")
	got := shown(t, path, "design.rsp_cwnd")
	require.Equal(t, "b"+vcd.Binary(9001, 32), got[1])
	require.Equal(t, "bx", got[4], "the design did not run")
	require.Equal(t, "s-", shown(t, path, "responses.rsp_design")[4])
	require.Equal(t, "snot_known", shown(t, path, "state.of")[0])
}

// A wave in which nothing was compared shows x throughout.
func TestNothingCompared(t *testing.T) {
	w := New(ccc.Schema())
	out := response(ccc.Response{})
	for n := range uint64(5) {
		w.Cycle(&Cycle{N: n, In: make([]uint64, ccc.InWords), Got: out, Want: out})
	}
	path := filepath.Join(t.TempDir(), "w.vcd")
	_, err := w.Write(path, dumped(t), 0)
	require.NoError(t, err)
	r, done, err := vcd.Open(path)
	require.NoError(t, err)
	defer done()
	for {
		_, ok, err := r.Next()
		require.NoError(t, err)
		if !ok {
			break
		}
		for _, s := range r.Signals() {
			if strings.HasPrefix(s.Name, "goldwire.difference.") && s.Kind == "wire" {
				require.Equal(t, "x", r.Value(s.ID), s.Name)
			}
		}
	}
	require.Zero(t, w.Compared())
	require.Empty(t, w.Differs())

	_, err = New(ccc.Schema()).Write(path, dumped(t), 0)
	require.ErrorContains(t, err, "no cycle")
}

// played is a wave of ccc with events, responses and state.
func played(t *testing.T) (*Wave, *Files) {
	t.Helper()
	b := ccc.Schema()
	l := event.NewLayout(b)
	w := New(b)
	w.Title, w.Concern = "a title", "ctx=7"
	for n := range uint64(40) {
		in := make([]uint64, ccc.InWords)
		ccc.PackEvent(&ccc.Event{Kind: ccc.KindAck, Ctx: 7, Now: 1 << 47, RcvdBytes: uint32(n)}, in)
		in[0] |= ccc.InRstN | ccc.InEvValid
		want := response(ccc.Response{Kind: ccc.KindAck, Action: ccc.ActionMD, Inflight: -5, AvgDelay: 3<<15 + n})
		want[0] |= ccc.OutEvReady
		got := response(ccc.Response{Kind: ccc.KindAck, Action: ccc.ActionNoop, Inflight: -6, AvgDelay: 3<<15 + n})
		got[0] |= ccc.OutEvReady
		words := make([]uint64, ccc.NumWords)
		words[0], words[10] = n&0x3f, 5<<15
		w.Cycle(&Cycle{N: 10 + n, In: in, Want: want, Got: got, Known: all(l), Compared: all(l), State: words})
	}
	files, err := w.Write(filepath.Join(t.TempDir(), "w.vcd"), dumped(t), 30)
	require.NoError(t, err)
	return w, files
}

// The viewers' files show what differs first, enums by their names and numbers by their formats, with the cursor where
// it was asked for. Each track that they name is in the wave.
func TestViewers(t *testing.T) {
	_, files := played(t)
	text, err := os.ReadFile(files.GTKWave)
	require.NoError(t, err)
	save := string(text)
	require.Contains(t, save, " 30000 -1 -1", "the marker")
	require.Contains(t, save, "[timestart] 18000\n")
	require.Contains(t, save, "@2022\n^1 ")
	require.Contains(t, save, "+{rsp_action expected} goldwire.expected.rsp_action[3:0]\n")
	require.Contains(t, save, "@40000024\n[fpshift_count] 16\ngoldwire.state.avg_delay[47:0]\n")
	require.Contains(t, save, "@420\n+{rsp_inflight design} goldwire.design.rsp_inflight[31:0]\n")
	filter, err := os.ReadFile(filepath.Join(filepath.Dir(files.Wave), "enums", "ccc.action.txt"))
	require.NoError(t, err)
	require.Contains(t, string(filter), "A NACK_DEC\n")
	mapping, err := os.ReadFile(filepath.Join(filepath.Dir(files.Wave), ".surfer", "mappings", "ccc.action"))
	require.NoError(t, err)
	require.Contains(t, string(mapping), "Name = ccc.action\nBits = 4\n0 NONE\n")

	r, done, err := vcd.Open(files.Wave)
	require.NoError(t, err)
	defer done()
	names := map[string]bool{}
	for _, s := range r.Signals() {
		names[s.Name] = true
	}
	commands, err := os.ReadFile(files.Surfer)
	require.NoError(t, err)
	require.Contains(t, string(commands), "cursor_set 30000\n")
	seen := 0
	for line := range strings.Lines(save + string(commands)) {
		line = strings.TrimPrefix(strings.TrimSpace(line), "variable_add ")
		if i := strings.Index(line, "goldwire."); i >= 0 && !strings.Contains(line, "[treeopen]") &&
			(i == 0 || line[0] == '+') {
			name, _, _ := strings.Cut(line[i:], "[")
			require.True(t, names[name], name)
			seen++
		}
	}
	require.Greater(t, seen, 150)
}

// Texts name events, responses and what has fraction bits.
func TestTexts(t *testing.T) {
	_, files := played(t)
	require.Contains(t, shown(t, files.Wave, "events.ev")[3], "sACK,ctx=7,now=140737488355328,rcvd_bytes=3")
	require.Contains(t, shown(t, files.Wave, "responses.rsp_design")[0], "avg_delay=1.5")
	require.Equal(t, "sctx=7", shown(t, files.Wave, "state.of")[5])
	require.Equal(t, "b"+vcd.Binary(5<<15, 48), shown(t, files.Wave, "state.avg_delay")[0])
	require.Equal(t, "-0.5", Decimal(big.NewInt(-1<<15), 16))
	require.Equal(t, "10", Decimal(big.NewInt(10), 0))
}

// A field wider than 64 bits has all of its bits, the highest first.
func TestWideField(t *testing.T) {
	b := trimmer.Schema()
	l := event.NewLayout(b)
	w := New(b)
	out := make([]uint64, l.Out.Words)
	s := l.Out.Slot("tx", "data")
	out[s.Word], out[s.Word+7] = 1, 1<<63
	w.Cycle(&Cycle{N: 10, In: make([]uint64, l.In.Words), Want: out, Got: out, Known: all(l), Compared: all(l)})
	path := filepath.Join(t.TempDir(), "w.vcd")
	_, err := w.Write(path, dumped(t), 10)
	require.NoError(t, err)
	require.Equal(t, "b1"+strings.Repeat("0", 510)+"1", shown(t, path, "design.tx_data")[0])
}

// history returns the values of every signal of a dump at each time, by name.
func history(t *testing.T, path string) map[string]string {
	t.Helper()
	r, done, err := vcd.Open(path)
	require.NoError(t, err)
	defer done()
	out := map[string]string{}
	for {
		at, ok, err := r.Next()
		require.NoError(t, err)
		if !ok {
			return out
		}
		for _, s := range r.Signals() {
			v := r.Value(s.ID)
			if v != "" && v[0] == 'b' { // leading zeros may be left out
				if v = "b" + strings.TrimLeft(v[1:], "0"); strings.Trim(v, "x") == "b" && v != "b" {
					v = "bx"
				}
			}
			out[fmt.Sprintf("%d %s", at, s.Name)] = v
		}
	}
}

// GTKWave's own converters keep every value of every track on the way to FST and back.
func TestRoundTrip(t *testing.T) {
	for _, tool := range []string{"vcd2fst", "fst2vcd"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("NOT RUN: %s is missing; install the package gtkwave", tool)
		}
	}
	_, files := played(t)
	fst, back := files.Wave+".fst", files.Wave+".back.vcd"
	out, err := exec.Command("vcd2fst", files.Wave, fst).CombinedOutput()
	require.NoError(t, err, string(out))
	out, err = exec.Command("fst2vcd", "-f", fst, "-o", back).CombinedOutput()
	require.NoError(t, err, string(out))
	want := history(t, files.Wave)
	require.Greater(t, len(want), 40*150)
	require.Equal(t, want, history(t, back))
}
