package casefile

import (
	"encoding/binary"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/frame"
)

// packets plays a scenario of one packet: it comes in whole and leaves as leave changes it. It returns what the judge
// finds wrong.
func packets(t *testing.T, line string, leave func(b []byte) []byte) []string {
	t.Helper()
	l := toyLanguage(t)
	var came []byte
	l.Send = func(s *stim.Script, p *Packet) {
		came = p.Data
		var b frame.Beat
		lay := event.NewLayout(l.Block)
		frame.Beats(&s.Rand, &b, p.Data, p.Empty, func(_ int, b *frame.Beat) {
			carry(lay.Inputs()[1], s.Put(1, p.Wait), b)
			if !b.Last {
				s.More()
			}
		})
	}
	all, err := l.Read(fstest.MapFS{"x/a.txt": {Data: []byte("case a\n" + line)}}, "x")
	require.NoError(t, err)
	su := stim.Suite{Schema: l.Block, Sources: []stim.Entry{stim.Directed(l.Block, func() []stim.Case {
		return []stim.Case{{Name: "a", Write: all[0].Write}}
	})}}
	src, err := su.Open("directed", stim.Options{Seed: 1})
	require.NoError(t, err)
	ep, _ := src.Next()
	lay := event.NewLayout(l.Block)
	cycle := func(fill func(in, out []uint64)) {
		in, out := make([]uint64, lay.In.Words), make([]uint64, lay.Out.Words)
		in[0] = lay.Reset() | lay.Readies()
		fill(in, out)
		ep.Judge.Cycle(in, out)
	}
	it := stim.Item{Words: make([]uint64, lay.In.Words)}
	for ep.NextItem(&it) {
		cycle(func(in, out []uint64) {
			p := &lay.Inputs()[1]
			p.Copy(in, it.Words)
			in[0] |= p.Valid
			out[0] |= p.Ready
		})
	}
	r := stim.Seeded(1, "casefile", "packets", 0)
	var b frame.Beat
	frame.Beats(&r, &b, leave(append([]byte(nil), came...)), false, func(_ int, b *frame.Beat) {
		cycle(func(_, out []uint64) {
			out[0] |= lay.Outputs()[1].Valid
			carry(lay.Outputs()[1], out, b)
		})
	})
	_, wrong := ep.Judge.Verdict()
	return wrong
}

// carry puts a beat into a record.
func carry(p event.Port, rec []uint64, b *frame.Beat) {
	data := slotOf(&p, "data")
	copy(rec[data.Word:data.Word+8], b.Data[:])
	slotOf(&p, "keep").Set(rec, b.Keep)
	slotOf(&p, "last").Set(rec, uint64(stim.Bit(b.Last)))
}

// trimmed cuts an IPv4 frame without tags to 64 bytes, as a switch does, and updates DSCP, lengths and checksums.
func trimmed(b []byte) []byte {
	be := binary.BigEndian
	b = b[:64]
	b[15] = 16<<2 | b[15]&3
	be.PutUint16(b[16:], 50)
	be.PutUint16(b[24:], 0)
	be.PutUint16(b[24:], ^frame.Fold(frame.Sum16(0, b[14:34])))
	be.PutUint16(b[38:], 30)
	be.PutUint16(b[40:], 0)
	be.PutUint16(b[40:], ^frame.Fold(frame.Sum16(frame.Sum16(17+30, b[26:34]), b[34:64])))
	return b
}

// Every byte of a leaving packet and its length are compared: any wrong one is found.
func TestEveryByteOfAPacketIsCompared(t *testing.T) {
	const line = "rx [ipv4 rud_req size=150] => cut=64 dscp=16 ip_len=50 udp_len=30 ip_sum=adjusted udp_sum=right"
	require.Empty(t, packets(t, line, trimmed))
	for i := range 64 {
		wrong := packets(t, line, func(b []byte) []byte {
			b = trimmed(b)
			b[i] ^= 1
			return b
		})
		require.NotEmpty(t, wrong, "byte %d", i)
		require.Contains(t, wrong[0], "a.txt line 2")
	}
	for name, leave := range map[string]func(b []byte) []byte{
		"short": func(b []byte) []byte { return trimmed(b)[:63] },
		"long":  func(b []byte) []byte { return append(trimmed(b), 0) },
		"whole": func(b []byte) []byte { return b },
		"no sum": func(b []byte) []byte {
			b = trimmed(b)
			b[40], b[41] = 0, 0
			return b
		},
	} {
		require.NotEmpty(t, packets(t, line, leave), name)
	}
}

// A packet that passes unchanged is compared beat for beat, including the bytes that do not count.
func TestSameMeansEveryBit(t *testing.T) {
	same := func(b []byte) []byte { return b }
	wrong := packets(t, "rx [ipv6 rud_req size=150] => same", same) // the test draws other noise
	require.Contains(t, strings.Join(wrong, "\n"), "beat 0: keep has changed")
	require.Contains(t, strings.Join(wrong, "\n"), "beat 2: data has changed")
	require.NotContains(t, strings.Join(wrong, "\n"), "beat 1: data")
	require.Empty(t, packets(t, "rx [ipv4 rud_req size=64] => same", same)) // a beat without noise
	for i := range 64 {
		require.NotEmpty(t, packets(t, "rx [ipv4 rud_req size=64] => same", func(b []byte) []byte {
			b[i] ^= 0x80
			return b
		}))
	}
}

// Inserted bytes are compared where the mask has ones. A wrong checksum must stay wrong by the same amount.
func TestInsertionAndAdjustedSums(t *testing.T) {
	insert := func(change func(b []byte)) func(b []byte) []byte {
		return func(b []byte) []byte {
			b = append(b[:60:60], append([]byte{1, 2, 3, 4}, b[60:]...)...)
			change(b)
			return b
		}
	}
	const line = "rx [ipv4 rud_req size=192 no_sum] => insert=60:01020304/mask:ff00ffff"
	require.Empty(t, packets(t, line, insert(func([]byte) {})))
	require.Empty(t, packets(t, line, insert(func(b []byte) { b[61] = 9 })))
	require.NotEmpty(t, packets(t, line, insert(func(b []byte) { b[62] = 9 })))
	require.NotEmpty(t, packets(t, line, insert(func(b []byte) { b[64] ^= 1 })))
	for words, change := range map[string]func(b []byte){
		"ecn=3 ip_sum=adjusted":           func([]byte) {},
		"udp_len=30 udp_sum=adjusted":     func(b []byte) { b[38], b[39] = 0, 30 },
		"udp_len=9000 udp_sum=adjusted":   func(b []byte) { b[38], b[39] = 9000>>8, 9000&0xff },
		"dscp=9 udp_sum=zero":             func(b []byte) { b[15] = 9<<2 | b[15]&3 },
		"dscp=9 ip_sum=adjusted ecn=1":    func(b []byte) { b[15] = 9<<2 | 1 },
		"ip_len=50 ecn=2 ip_sum=adjusted": func(b []byte) { b[16], b[17] = 0, 50 },
	} {
		require.NotEmpty(t, packets(t, "rx [ipv4 rud_req size=192] => "+words, func(b []byte) []byte {
			change(b)
			return b
		}), words)
	}
}

func TestPacketDemandsThatCannotBe(t *testing.T) {
	for words, want := range map[string]string{
		"keep=0":                           "must say how the packet leaves",
		"same cut=64":                      "must say how the packet leaves",
		"cut=300":                          "the frame has 150 bytes",
		"cut=20 dscp=1 ip_len=3 udp_len=4": "change of byte 38: only 20 bytes are left",
		"ip_sum=right":                     "want adjusted",
		"udp_sum=good":                     "want right, adjusted or zero",
		"insert=10":                        "want PLACE:BYTES",
		"insert=10:0102/mask:01":           "the mask must be as long",
		"insert=200:01":                    "the frame has 150 bytes",
		"colour=1":                         "no field \"colour\"",
		"keep&0=1":                         "the mask leaves nothing",
	} {
		msg := panicOf(func() { packets(t, "rx [ipv4 rud_req size=150] => "+words, trimmed) })
		require.Contains(t, msg, want, words)
	}
	for words, want := range map[string]string{
		"[ipv5]":          "no family",
		"[ipv4 colour=1]": "no such word",
		"[ipv4 room=3]":   "no such word",
		"[ipv4 size=x]":   "\"x\" is not known",
	} {
		require.Contains(t, panicOf(func() { packets(t, "rx "+words+" => same", trimmed) }), want, words)
	}
	require.True(t, strings.Contains(panicOf(func() { packets(t, "rx [ipv4] paired => same", trimmed) }), "paired"))
}
