package pcap

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"
	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event/ackparse"
	"github.com/goldwire/goldwire/vectors/stim"
)

// frameOf returns a frame of n bytes from one address to another; odd ones are IPv6 with a tag.
func frameOf(i, n int) []byte {
	b := bytes.Repeat([]byte{byte(i)}, n)
	copy(b, []byte{2, 0, 0, 0, 0, byte(i), 2, 0, 0, 0, 1, byte(i)})
	if i%2 == 0 {
		binary.BigEndian.PutUint16(b[12:], 0x0800)
		copy(b[26:], []byte{10, 0, 0, byte(i), 10, 1, 0, byte(i)})
		return b
	}
	binary.BigEndian.PutUint16(b[12:], 0x8100)
	binary.BigEndian.PutUint16(b[16:], 0x86dd)
	copy(b[18+8:], append(bytes.Repeat([]byte{0xfd}, 15), byte(i)))
	copy(b[18+24:], append(bytes.Repeat([]byte{0xfe}, 15), byte(i)))
	return b
}

// packets writes n frames, 100 ns apart, and returns the file.
func packets(t *testing.T, n int, write func(w *bytes.Buffer) func(gopacket.CaptureInfo, []byte) error) string {
	var b bytes.Buffer
	put := write(&b)
	for i := range n {
		f := frameOf(i, 100+i)
		require.NoError(t, put(gopacket.CaptureInfo{Timestamp: time.Unix(7, int64(100*i)), CaptureLength: len(f),
			Length: len(f)}, f))
	}
	return fileOf(t, b.Bytes())
}

func fileOf(t *testing.T, b []byte) string {
	path := filepath.Join(t.TempDir(), "x.pcap")
	require.NoError(t, os.WriteFile(path, b, 0o644))
	return path
}

func nanos(w *bytes.Buffer) func(gopacket.CaptureInfo, []byte) error {
	p := pcapgo.NewWriterNanos(w)
	_ = p.WriteFileHeader(1<<18, layers.LinkTypeEthernet)
	return p.WritePacket
}

func micros(w *bytes.Buffer) func(gopacket.CaptureInfo, []byte) error {
	p := pcapgo.NewWriter(w)
	_ = p.WriteFileHeader(1<<18, layers.LinkTypeEthernet)
	return p.WritePacket
}

func ng(w *bytes.Buffer) func(gopacket.CaptureInfo, []byte) error {
	p, _ := pcapgo.NewNgWriter(w, layers.LinkTypeEthernet)
	return func(ci gopacket.CaptureInfo, b []byte) error {
		err := p.WritePacket(ci, b)
		_ = p.Flush()
		return err
	}
}

// play returns the frames of a source and the gaps before them, and its error.
func play(t *testing.T, source string, events int) (frames [][]byte, gaps []int, err error) {
	suite := stim.Suite{Schema: ackparse.Schema(), Sources: Sources(ackparse.Schema(), func(s *stim.Script, f []byte) {
		frames = append(frames, bytes.Clone(f))
		ackparse.PackRx(&ackparse.Rx{Last: true}, s.Put(0, 0))
	}, func(s *stim.Script) { ackparse.PackCfg(&ackparse.Cfg{Kind: ackparse.KindRead}, s.Put(1, 0)) })}
	src, err := suite.Open(source, stim.Options{Events: events})
	if err != nil {
		return nil, nil, err
	}
	defer src.Close()
	played := 0
	for {
		ep, ok := src.Next()
		if !ok {
			break
		}
		require.LessOrEqual(t, ep.Len, perEpisode+1)
		var it stim.Item
		for ep.Items(&it) {
			if it.Lane == 0 {
				gaps = append(gaps, int(it.Gap))
				played++
			}
		}
	}
	if src.Err() == nil {
		require.Equal(t, len(frames), played)
	}
	return frames, gaps, src.Err()
}

// TestFramesOfCaptures: every format gives every frame, byte for byte and in order, whatever number of events is asked
// for.
func TestFramesOfCaptures(t *testing.T) {
	for name, write := range map[string]func(*bytes.Buffer) func(gopacket.CaptureInfo, []byte) error{
		"nanoseconds": nanos, "microseconds": micros, "pcapng": ng} {
		t.Run(name, func(t *testing.T) {
			frames, gaps, err := play(t, Prefix+packets(t, 600, write), 0)
			require.NoError(t, err)
			require.Equal(t, 600, len(frames))
			for i, f := range frames {
				require.Equal(t, frameOf(i, 100+i), f, "frame %d", i)
				require.Zero(t, gaps[i])
			}
			frames, _, err = play(t, Prefix+packets(t, 600, write), 300)
			require.NoError(t, err)
			require.Equal(t, 600, len(frames), "a capture is played whole")
		})
	}
}

// TestGaps: time stamps become waits, from the second frame of an episode on.
func TestGaps(t *testing.T) {
	_, gaps, err := play(t, Prefix+packets(t, 258, nanos)+"?gaps", 0)
	require.NoError(t, err)
	for i, g := range gaps {
		want := 100
		if i == 0 || i == perEpisode {
			want = 0
		}
		require.Equal(t, want, g, "frame %d", i)
	}
}

// TestAddresses: a condition selects the frames of an address at its place in the header, and no others.
func TestAddresses(t *testing.T) {
	path := packets(t, 20, nanos)
	for cond, want := range map[string]int{"to=02:00:00:00:00:05": 5, "from=02:00:00:00:01:06": 6, "from=10.0.0.8": 8,
		"to=10.1.0.4": 4, "from=fdfd:fdfd:fdfd:fdfd:fdfd:fdfd:fdfd:fd03": 3,
		"to=fefe:fefe:fefe:fefe:fefe:fefe:fefe:fe07&gaps": 7, "from=10.0.0.2&to=10.1.0.2": 2} {
		frames, _, err := play(t, Prefix+path+"?"+cond, 0)
		require.NoError(t, err, cond)
		require.Equal(t, [][]byte{frameOf(want, 100+want)}, frames, cond)
	}
}

// TestBadCaptures: whatever would leave a run without the frames that the user means is one clear error.
func TestBadCaptures(t *testing.T) {
	path := packets(t, 20, nanos)
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	snapped := packets(t, 0, func(w *bytes.Buffer) func(gopacket.CaptureInfo, []byte) error {
		put := nanos(w)
		_ = put(gopacket.CaptureInfo{CaptureLength: 60, Length: 1500}, make([]byte, 60))
		return put
	})
	wifi := packets(t, 0, func(w *bytes.Buffer) func(gopacket.CaptureInfo, []byte) error {
		p := pcapgo.NewWriter(w)
		_ = p.WriteFileHeader(1<<18, layers.LinkTypeIEEE802_11)
		return p.WritePacket
	})
	withFCS := bytes.Clone(whole)
	withFCS[23] |= 0x44 // 4 bytes of FCS: bits 26 and 28 to 31 of the link type
	fcs := fileOf(t, withFCS)
	mixed := packets(t, 1, func(w *bytes.Buffer) func(gopacket.CaptureInfo, []byte) error {
		p, err := pcapgo.NewNgWriter(w, layers.LinkTypeEthernet)
		require.NoError(t, err)
		raw, err := p.AddInterface(pcapgo.NgInterface{LinkType: layers.LinkTypeRaw})
		require.NoError(t, err)
		return func(ci gopacket.CaptureInfo, b []byte) error {
			require.NoError(t, p.WritePacket(ci, b))
			ci.InterfaceIndex = raw
			require.NoError(t, p.WritePacket(ci, b))
			return p.Flush()
		}
	})
	for _, c := range []struct{ source, want string }{
		{path + ".absent", "no such file"},
		{"", "no file is named; write pcap:FILE"},
		{fileOf(t, nil), "the file has 0 bytes: it is not a capture"},
		{fileOf(t, []byte("# text of some kind, long enough for a header")), "it is neither pcap nor pcapng"},
		{wifi, "only captures of Ethernet can be played"},
		{packets(t, 0, nanos), "the capture holds no frame"},
		{fileOf(t, whole[:len(whole)-7]), "after frame 19: the capture is damaged"},
		{fileOf(t, append(bytes.Clone(whole), 1, 2, 3)), "after frame 20: the capture is damaged"},
		{fcs, "its frames end with an FCS"},
		{mixed, "link type"},
		{snapped, "frame 1: only 60 of its 1500 bytes were captured"},
		{path + "?to=10.9.9.9", "none of 20 frames has the addresses"},
		{path + "?to=nobody", `address "nobody": want a MAC, IPv4 or IPv6 address`},
		{path + "?slow", `condition "slow": unknown; known: gaps, from=ADDR, to=ADDR`},
	} {
		_, _, err := play(t, Prefix+c.source, 0)
		require.ErrorContains(t, err, c.want)
		require.Equal(t, 1, strings.Count(err.Error(), "source pcap:"), err)
	}
	// Wherever the last frame ends, what is missing is missed.
	for cut := 1; cut < 16+119; cut++ {
		_, _, err := play(t, Prefix+fileOf(t, whole[:len(whole)-cut]), 0)
		require.ErrorContains(t, err, "after frame 19: the capture is damaged", "%d bytes are missing", cut)
	}
}
