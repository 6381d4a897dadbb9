package cover

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
)

// portsOf returns a block with streams of one field, given as "in NAME, out NAME".
func portsOf(t *testing.T, streams string) *event.Block {
	t.Helper()
	text := "block: some\ntitle: a block for tests\nstreams:\n"
	for _, s := range strings.Split(streams, ", ") {
		dir, name, _ := strings.Cut(s, " ")
		text += fmt.Sprintf("  - {name: %s, dir: %s, fields: [{name: x, width: 8}]}\n", name, dir)
	}
	b, err := event.Parse([]byte(text))
	require.NoError(t, err)
	return b
}

// What is counted by control bits and spread later is what counting stream by stream gives, waits included.
func TestStreamsCountEachHandshake(t *testing.T) {
	for _, b := range []*event.Block{portsOf(t, "in a, in b, out c, out d"),
		portsOf(t, "in a, in b, in c, out d, out e, out f, out g")} {
		var p Plan
		var s Streams
		s.Define(&p, b, 3)
		hits, want := make([]uint64, len(p.bins)), map[string]uint64{}
		l := event.NewLayout(b)
		type line struct {
			name         string
			valid, ready func(in, out uint64) bool
			held         int
		}
		var lines []line
		for _, st := range append(b.StreamsOf(event.In), b.StreamsOf(event.Out)...) {
			x := line{name: st.Name}
			if st.Dir == event.In {
				v, r := l.In.Control(st.Name+"_valid"), l.Out.Control(st.Name+"_ready")
				x.valid, x.ready = func(in, _ uint64) bool { return in&v != 0 }, func(_, out uint64) bool { return out&r != 0 }
			} else {
				v, r := l.Out.Control(st.Name+"_valid"), l.In.Control(st.Name+"_ready")
				x.valid, x.ready = func(_, out uint64) bool { return out&v != 0 }, func(in, _ uint64) bool { return in&r != 0 }
			}
			lines = append(lines, x)
		}
		end := func(x *line) {
			if x.held > 0 {
				want[fmt.Sprintf("%s_waits_cycles/%s", x.name,
					Labels("1 2_to_7 8_to_63 64_or_more")[Bit(x.held > 1)+Bit(x.held > 7)+Bit(x.held > 63)])]++
			}
			x.held = 0
		}
		r := rand.New(rand.NewPCG(5, 6))
		for n := range 60_000 {
			if n%997 < 2 { // resets of two cycles
				s.Reset(hits)
				for i := range lines {
					end(&lines[i])
				}
				continue
			}
			// Readies are rare for a while, so that there are waits of every length.
			in, out := r.Uint64(), r.Uint64()
			for i := range lines {
				x := &lines[i]
				set := func(inBit, outBit uint64, on bool) {
					in, out = in&^inBit, out&^outBit
					if on {
						in, out = in|inBit, out|outBit
					}
				}
				valid, ready := x.held > 0 || r.IntN(2) == 0, r.IntN(1+n/500%100) == 0
				if b.Stream(x.name).Dir == event.In {
					set(l.In.Control(x.name+"_valid"), 0, valid)
					set(0, l.Out.Control(x.name+"_ready"), ready)
				} else {
					set(0, l.Out.Control(x.name+"_valid"), valid)
					set(l.In.Control(x.name+"_ready"), 0, ready)
				}
			}
			s.Cycle(hits, in, out)
			var moved []string
			for i := range lines {
				x := &lines[i]
				v, y := x.valid(in, out), x.ready(in, out)
				want[fmt.Sprintf("%s_valid_ready/%d.%d", x.name, Bit(v), Bit(y))]++
				require.Equal(t, v && y, s.Moved(i))
				switch {
				case v && y:
					end(x)
					for _, m := range moved {
						want[fmt.Sprintf("transfers_of_two_streams/%s.%s", m, x.name)]++
					}
					moved = append(moved, x.name)
				case v:
					x.held++
				}
			}
			set := "none"
			for i, m := range moved {
				if set += "+" + m; i == 0 {
					set = m
				}
			}
			want["transfers_in_one_cycle/"+set]++
		}
		s.Fold(hits)
		s.Fold(hits) // the second finds nothing
		for i := range p.bins {
			name := p.bins[i].name
			if len(name) > 6 && name[:6] == "reset_" {
				continue
			}
			require.Equal(t, want[name], hits[i], "%s of %s", name, b.Name)
		}
	}
}
