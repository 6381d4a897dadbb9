package packet

import (
	"bytes"
	"encoding/hex"
	"io"
	"strings"
	"testing"

	"github.com/gopacket/gopacket/pcapgo"
	"github.com/stretchr/testify/require"
)

// The examples in the contracts of trimmer and intmd.
const (
	trimmedExample = `02 00 00 00 00 02 02 00 00 00 00 01 08 00 45 42
		00 32 00 01 40 00 40 11 26 76 0a 00 00 01 0a 00
		00 02 c0 00 12 b9 00 1e f4 68 10 00 00 00 00 00
		00 64 00 07 00 09 00 01 02 03 04 05 06 07 08 09`
	insertedExample = `02 00 00 00 00 02 02 00 00 00 00 01 08 00 45 b8
		00 4c 00 01 40 00 40 11 25 e6 0a 00 00 01 0a 00
		00 02 c0 00 12 b9 00 38 ec 19 40 00 00 00 00 00
		00 64 00 07 00 09 00 00 00 00 00 00 00 00 00 00
		00 00 00 10 00 00 00 64 00 00 49 4e 01 05 12 fa
		00 03 41 23 45 60 03 f8 03 f4`
)

func frameOf(t testing.TB, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
	require.NoError(t, err)
	return b
}

func TestContractExamplesAreSound(t *testing.T) {
	for _, text := range []string{trimmedExample, insertedExample} {
		v := Judge(frameOf(t, text))
		require.NoError(t, v.Err)
		require.True(t, v.Sound(), "%+v", v)
		require.EqualValues(t, 4793, v.Dst)
	}
}

// A flip of any bit that a checksum covers is detected.
func TestFlipsAreSeen(t *testing.T) {
	good := frameOf(t, insertedExample)
	for i := 14; i < len(good); i++ {
		for bit := range 8 {
			b := bytes.Clone(good)
			b[i] ^= 1 << bit
			v := Judge(b)
			if i == 40 || i == 41 {
				continue // the checksum itself, in which 0 means none
			}
			require.False(t, v.Sound() && v.UDP && v.IPv4, "byte %d bit %d", i, bit)
		}
	}
	for n := 15; n < len(good); n++ {
		v := Judge(good[:n])
		require.False(t, v.Sound() && v.UDP, "%d bytes", n)
	}
}

func TestTelemetryOfTheExample(t *testing.T) {
	v := Judge(frameOf(t, insertedExample))
	tm, err := ReadTelemetry(v.Payload, 0x494e)
	require.NoError(t, err)
	require.Equal(t, Telemetry{Hops: 1, Room: 5, Flows: 3, Entries: []uint64{0x4123456003f803f4}}, tm)
	e := DecodeEntry(tm.Entries[0])
	require.Equal(t, 400.0, e.GbitPerS)
	require.EqualValues(t, 0x123456, e.TS)
	require.EqualValues(t, 130048, e.TxBytes)
	require.EqualValues(t, 80960, e.Queue)
	_, err = ReadTelemetry(v.Payload, 0x1111)
	require.ErrorContains(t, err, "no header")
	for _, at := range []int{36, 37} { // form and complement
		b := bytes.Clone(v.Payload)
		b[at] ^= 1
		_, err = ReadTelemetry(b, 0x494e)
		require.ErrorContains(t, err, "malformed")
	}
	_, err = ReadTelemetry(v.Payload[:45], 0x494e)
	require.ErrorContains(t, err, "1 entries claimed, room for 0")
}

// 50,000 bytes in 1,000 ns on a link of 400 Gbit/s, across both wraps.
func TestRateAcrossWraps(t *testing.T) {
	at := func(ts, tx uint64) Entry {
		return DecodeEntry(4<<60 | ts&(1<<24-1)<<36 | tx/TxQuantum&(1<<20-1)<<16 | 100)
	}
	before, after := at(1<<24-400, 1<<27-128*100), at(1<<24+600, 1<<27-128*100+128*390)
	require.EqualValues(t, 1000, after.Elapsed(before))
	require.EqualValues(t, 128*390, after.Sent(before))
	require.InDelta(t, 399.36, after.Rate(before), 1e-9)
	require.InDelta(t, 0.9984+8000*8/(400*12000.0), after.Utilisation(before, 12000), 1e-9)
	require.Zero(t, after.Rate(after))
}

func TestPcapReadsBack(t *testing.T) {
	var buf bytes.Buffer
	w, err := NewPcap(&buf)
	require.NoError(t, err)
	frame := frameOf(t, trimmedExample)
	require.NoError(t, w.Write(frame, 1234567891))
	r, err := pcapgo.NewReader(&buf)
	require.NoError(t, err)
	got, info, err := r.ReadPacketData()
	require.NoError(t, err)
	require.Equal(t, frame, got)
	require.EqualValues(t, 1234567891, info.Timestamp.UnixNano())
	_, _, err = r.ReadPacketData()
	require.ErrorIs(t, err, io.EOF)
}
