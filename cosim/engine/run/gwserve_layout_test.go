package run

import (
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/wire"
	"github.com/goldwire/goldwire/vectors/event"
)

// The layout of a golden program in Python equals the schema's, and fields of any width pass through it unchanged.
func TestGoldenProgramLayout(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not on PATH: the golden program was not run")
	}
	type field struct {
		Name   string
		Width  int
		Signed bool
	}
	rng := rand.New(rand.NewPCG(11, 12))
	widths := []int{1, 2, 5, 31, 32, 58, 60, 61, 62, 63, 64, 65, 128, 130}
	var blocks []*event.Block
	var given []map[string][]field
	for range 60 {
		text, in := "block: b\ntitle: t\nstreams:\n", map[string][]field{}
		for _, s := range []string{"ev", "rsp"} {
			text += fmt.Sprintf("  - {name: %s, dir: %s, fields: [", s, map[string]string{"ev": "in", "rsp": "out"}[s])
			for i := range 1 + rng.IntN(5) {
				f := field{fmt.Sprintf("f%d", i), widths[rng.IntN(len(widths))], rng.IntN(2) == 0}
				f.Signed = f.Signed && f.Width > 1 && f.Width <= 64
				text += fmt.Sprintf("{name: %s, width: %d, signed: %t}, ", f.Name, f.Width, f.Signed)
				in[s] = append(in[s], f)
			}
			text = strings.TrimSuffix(text, ", ") + "]}\n"
		}
		b, err := event.Parse([]byte(text))
		require.NoError(t, err)
		blocks, given = append(blocks, b), append(given, in)
	}
	data, err := json.Marshal(given)
	require.NoError(t, err)
	cmd := exec.Command(python, "-B", "-c", `
import json, sys
sys.path.insert(0, "../../../bridge/py")
import gwserve
for streams in json.load(sys.stdin):
    ins, outs = ({s: [(f["Name"], f["Width"]) +
	(("signed",) if f["Signed"] else ()) for f in streams[s]]} for s in ("ev", "rsp"))
    b = gwserve.Block("b", "0", ins=ins, outs=outs)
    cases = []
    for pick in (lambda lo, hi: lo, lambda lo, hi: hi, lambda lo, hi: lo // 3 + 1):
        values = {}
        for name, width, *signed in outs["rsp"]:
            lo, hi = (-(1 << width - 1), (1 << width - 1) - 1) if signed else (0, (1 << width) - 1)
            values[name] = min(max(pick(lo, hi), lo), hi)
        record = b.outs.pack("rsp", values, "rsp_valid")
        assert b.outs.unpack("rsp", record) == values, (values, b.outs.unpack("rsp", record))
        for name, width, *signed in outs["rsp"]:
            lo, hi = (-(1 << width - 1), (1 << width - 1) - 1) if signed else (0, (1 << width) - 1)
            for bad in (lo - 1, hi + 1, str(lo)):
                try:
                    b.outs.pack("rsp", {**values, name: bad}, "rsp_valid")
                except gwserve.Wrong:
                    continue
                raise SystemExit("%s = %r was taken for %d bits" % (name, bad, width))
        cases.append({"values": {k: str(v) for k, v in values.items()}, "record": str(record)})
    print(json.dumps({"in": b.ins.text(), "out": b.outs.text(), "words": [b.ins.words, b.outs.words], "cases": cases}))
`)
	cmd.Stdin = strings.NewReader(string(data))
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	require.Len(t, lines, len(blocks))
	for i, b := range blocks {
		var got struct {
			In, Out string
			Words   [2]int
			Cases   []struct {
				Values map[string]string
				Record string
			}
		}
		require.NoError(t, json.Unmarshal([]byte(lines[i]), &got))
		l := event.NewLayout(b)
		require.Equal(t, wire.RecordText(&l.In), got.In)
		require.Equal(t, wire.RecordText(&l.Out), got.Out)
		require.Equal(t, [2]int{l.In.Words, l.Out.Words}, got.Words)
		for _, c := range got.Cases {
			record, ok := new(big.Int).SetString(c.Record, 10)
			require.True(t, ok)
			words := make([]uint64, l.Out.Words)
			for w := range words {
				words[w] = new(big.Int).Rsh(record, uint(64*w)).Uint64()
			}
			require.Equal(t, l.Out.Control("rsp_valid"), words[0]&l.Out.ControlMask())
			for k := range l.Out.Slots {
				if s := &l.Out.Slots[k]; s.Field.Width <= 64 {
					want := fmt.Sprint(s.Get(words))
					if s.Field.Signed {
						want = fmt.Sprint(s.Field.Signed64(s.Get(words)))
					}
					require.Equal(t, c.Values[s.Field.Name], want)
				}
			}
		}
	}
}

// A layout that does not fit a message fails the request for it, but not the conversation.
func TestGoldenProgramLayoutTooLarge(t *testing.T) {
	t.Parallel()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not on PATH: the golden program was not run")
	}
	out, err := exec.Command(python, "-B", "-c", `
import sys
sys.path.insert(0, "../../../bridge/py")
import gwserve
class Conn:
    sent = b""
    def sendall(self, data):
        self.sent += data
for fields in (100, 4000):
    b = gwserve.Block("b", "0", ins={"ev": [("f%d" % i, 8) for i in range(fields)]}, outs={"rsp": [("y", 1)]})
    c = gwserve.Conversation(Conn(), b, None, gwserve.Guests())
    assert c.request(gwserve.DESCRIBE, {}, b"")
    print(c.conn.sent[6], b"it has no layout that fits a message" in c.conn.sent)
`).CombinedOutput()
	require.NoError(t, err, string(out))
	require.Equal(t, "22 False\n17 True\n", string(out))
}
