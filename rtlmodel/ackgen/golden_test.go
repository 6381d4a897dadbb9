package ackgen

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	port "github.com/goldwire/goldwire/vectors/event/ackgen"
)

// goldens are packets written by hand, one after the other, and their answers as the contract has them. Each job ends
// 400 ticks after its packet came; bit 3 of CONTROL is set for the last one.
var goldens = []struct {
	name, frame, answer string
	ind                 port.Ind
}{
	{"an ordered packet too far, tagged and marked: it opens the PDC and gets a NACK", `
		02 00 00 00 00 02 02 00 00 00 00 01 81 00 a0 64
		08 00 45 03 00 2c 00 01 40 00 40 11 1f b0 0a 01
		02 03 0a 04 05 06 c1 23 12 b9 00 18 40 f9 70 04
		00 00 00 00 10 02 12 34 a0 02 de ad be ef`, `
		02 00 00 00 00 01 02 00 00 00 00 02 81 00 a0 64
		08 00 45 b8 00 2c 00 00 40 00 40 11 1e fc 0a 04
		05 06 0a 01 02 03 c1 23 12 b9 00 18 91 7c 50 20
		0d 00 00 00 10 02 00 01 12 34 00 00 00 00`,
		port.Ind{Verdict: port.VerdictRefused, NackCode: port.NackCodeRodOoo, Pdcid: 1, PSN: 0x1002, Opened: true,
			Answered: true}},
	{"the first packet of that PDC, resent, without a checksum", `
		02 00 00 00 00 02 02 00 00 00 00 01 08 00 45 00
		00 2b 00 02 40 00 40 11 1f b3 0a 01 02 03 0a 04
		05 06 c1 24 12 b9 00 17 00 00 18 14 00 00 00 00
		10 00 12 34 00 00 aa bb cc`, `
		02 00 00 00 00 01 02 00 00 00 00 02 08 00 45 b8
		00 3c 00 00 40 00 40 11 1e ec 0a 04 05 06 0a 01
		02 03 c1 24 12 b9 00 28 ac 5b 40 10 00 00 00 00
		10 00 00 01 12 34 00 80 00 01 00 00 00 00 00 00
		00 00 01 90 00 00 00 01 00 00`,
		port.Ind{Verdict: port.VerdictAccepted, Pdcid: 1, PSN: 0x1000, Answered: true}},
	{"the first packet of another source, native and over IPv6, with the last PSN", `
		02 00 00 00 00 02 02 00 00 00 00 01 86 dd 60 00
		be ef 00 14 fd 40 20 01 0d b8 00 00 00 00 00 00
		00 00 00 00 00 01 20 01 0d b8 00 00 00 00 00 00
		00 00 00 00 00 02 c0 01 00 00 68 04 00 00 ff ff
		ff ff 00 07 00 00 00 00 00 00`, `
		02 00 00 00 00 01 02 00 00 00 00 02 86 dd 6b 80
		00 00 00 24 fd 40 20 01 0d b8 00 00 00 00 00 00
		00 00 00 00 00 02 20 01 0d b8 00 00 00 00 00 00
		00 00 00 00 00 01 c0 01 00 00 40 00 00 00 ff ff
		ff ff 00 02 00 07 00 80 00 01 00 00 00 00 00 00
		00 00 01 90 00 00 00 01 00 00`,
		port.Ind{Verdict: port.VerdictAccepted, Pdcid: 2, PSN: 0xFFFFFFFF, Opened: true, Answered: true}},
	{"a marked packet with ar beyond a gap", `
		02 00 00 00 00 02 02 00 00 00 00 01 86 dd 60 30
		00 00 00 10 fd 40 20 01 0d b8 00 00 00 00 00 00
		00 00 00 00 00 01 20 01 0d b8 00 00 00 00 00 00
		00 00 00 00 00 02 c0 02 00 00 10 08 00 00 00 00
		00 03 00 07 00 02`, `
		02 00 00 00 00 01 02 00 00 00 00 02 86 dd 6b 80
		00 00 00 24 fd 40 20 01 0d b8 00 00 00 00 00 00
		00 00 00 00 00 02 20 01 0d b8 00 00 00 00 00 00
		00 00 00 00 00 01 c0 02 00 00 40 20 00 04 ff ff
		ff ff 00 02 00 07 00 80 00 01 00 00 00 00 00 00
		00 08 01 90 00 00 00 01 00 01`,
		port.Ind{Verdict: port.VerdictAccepted, Pdcid: 2, PSN: 3, Answered: true}},
	{"a probe that asks from two PSNs below on", `
		02 00 00 00 00 02 02 00 00 00 00 01 86 dd 60 00
		00 00 00 14 fd 40 20 01 0d b8 00 00 00 00 00 00
		00 00 00 00 00 01 20 01 0d b8 00 00 00 00 00 00
		00 00 00 00 00 02 c0 03 00 00 5b 10 be ef 00 00
		00 03 00 07 00 02 ff ff ff fe`, `
		02 00 00 00 00 01 02 00 00 00 00 02 86 dd 6b 80
		00 00 00 24 fd 40 20 01 0d b8 00 00 00 00 00 00
		00 00 00 00 00 02 20 01 0d b8 00 00 00 00 00 00
		00 00 00 00 00 01 c0 03 00 00 40 18 be ef ff ff
		ff ff 00 02 00 07 00 80 ff ff 00 00 00 00 00 00
		00 23 01 90 00 00 00 01 00 01`,
		port.Ind{Verdict: port.VerdictProbed, Pdcid: 2, PSN: 3, Answered: true}},
	{"a packet trimmed at the last hop", `
		02 00 00 00 00 02 02 00 00 00 00 01 86 dd 64 80
		00 00 00 10 fd 40 20 01 0d b8 00 00 00 00 00 00
		00 00 00 00 00 01 20 01 0d b8 00 00 00 00 00 00
		00 00 00 00 00 02 c0 04 00 00 10 00 00 00 00 00
		00 00 00 07 00 02`, `
		02 00 00 00 00 01 02 00 00 00 00 02 86 dd 6b 80
		00 00 00 14 fd 40 20 01 0d b8 00 00 00 00 00 00
		00 00 00 00 00 02 20 01 0d b8 00 00 00 00 00 00
		00 00 00 00 00 01 c0 04 00 00 50 00 02 00 00 00
		00 00 00 02 00 07 00 00 00 00`,
		port.Ind{Verdict: port.VerdictRefused, NackCode: port.NackCodeTrimmedLasthop, Pdcid: 2, Answered: true}},
	{"the CLOSE of the first PDC, with a plain ACK that is padded", `
		02 00 00 00 00 02 02 00 00 00 00 01 08 00 45 01
		00 2c 00 03 00 00 40 11 5f b0 0a 01 02 03 0a 04
		05 06 c1 25 12 b9 00 18 3f 26 5a 20 55 55 00 00
		10 01 12 34 00 01 00 00 00 00`, `
		02 00 00 00 00 01 02 00 00 00 00 02 08 00 45 b8
		00 28 00 00 40 00 40 11 1f 00 0a 04 05 06 0a 01
		02 03 c1 25 12 b9 00 14 b6 a3 38 00 00 00 00 00
		10 01 00 01 12 34 00 00 00 00 00 00`,
		port.Ind{Verdict: port.VerdictClosed, Pdcid: 1, PSN: 0x1001, Answered: true}},
}

func unhex(t *testing.T, text string) []byte {
	b, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
	require.NoError(t, err)
	return b
}

func TestGoldenFrames(t *testing.T) {
	w := newWorld(t)
	b := newBench(t, 4)
	w.now = Instant{Tick: 400}
	for i, tc := range goldens {
		if i == len(goldens)-1 {
			w.set(port.RegControl, 8)
			b.m.receiver.cfg[port.RegControl] = 8
		}
		frame, want := unhex(t, tc.frame), unhex(t, tc.answer)
		reason, ind, answer := w.frame(frame)
		require.Equal(t, "PASSED", reason, tc.name)
		require.Equal(t, tc.ind, ind, tc.name)
		require.Equal(t, hexOf(want), hexOf(answer), tc.name)

		// The clocked model: its packet comes at tick 0.
		b.m.time = Instant{}
		tc.ind.Tag = 0x89ABCDEF
		beats := beatsOf(rubbish, frame, tc.ind.Tag)
		b.m.receiver.cfg[port.RegTick] = 1 << 16
		s := b.run(beats, nil, takes, len(beats)+1)
		require.Empty(t, s.ind)
		b.m.time.Tick = 400
		s = b.run(nil, nil, takes, 40)
		require.Equal(t, []port.Ind{tc.ind}, s.ind, tc.name)
		var got []byte
		for k, x := range s.tx {
			require.Equal(t, tc.ind.Tag, x.Tag)
			require.Equal(t, k == len(s.tx)-1, x.Last)
			for i := range 64 {
				v := byte(x.Data[i/8] >> (8 * (i % 8)))
				if x.Keep>>i&1 == 1 {
					got = append(got, v)
				} else {
					require.Zero(t, v)
				}
			}
		}
		require.Equal(t, hexOf(want), hexOf(got), tc.name)
	}
}
