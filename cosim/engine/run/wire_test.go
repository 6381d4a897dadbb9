package run

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gopacket/gopacket/pcapgo"
	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch/launchtest"
	"github.com/goldwire/goldwire/cosim/engine/packets"
	"github.com/goldwire/goldwire/golden/packet"
	"github.com/goldwire/goldwire/vectors/event"
)

// flips is a model that turns a bit of one beat at tx.
type flips struct {
	event.Model
	l    *event.Layout
	open bool // a packet continues
	beat int  // number of the beat that begins a packet
	once bool
	seen int
}

func (f *flips) Cycle(in, out []uint64) {
	f.Model.Cycle(in, out)
	const destination = 36 // byte of an untagged IPv4 frame that the UDP checksum covers
	if in[0]&f.l.Reset() == 0 {
		f.open = false
		return
	}
	open, tx, data := f.open, outputOf(f.l, "tx"), f.l.Out.Slot("tx", "data").Word
	if tx.Moves(out, in) {
		f.open = !tx.Ends(out)
	}
	if !tx.Offered(out) || open {
		return
	}
	if b := out[data+1]; b>>32&0xffffff != 0x450008 { // type IPv4, five words
		return
	}
	if f.seen++; f.seen == f.beat || !f.once && f.seen > f.beat {
		out[data+destination/8] ^= 1 << (8 * (destination % 8))
	}
}

// outputOf returns an output stream by its name.
func outputOf(l *event.Layout, name string) *event.Port {
	i := slices.IndexFunc(l.Outputs(), func(p event.Port) bool { return p.Name == name })
	return &l.Outputs()[i]
}

// Every packet of every source that comes in sound leaves sound, and a bit flipped on the way is noticed.
func TestPacketsOfARunAreJudged(t *testing.T) {
	t.Parallel()
	for _, block := range []string{"trimmer", "intmd", "switchport"} {
		for _, source := range []string{"directed", "random", "fabric:incast32"} {
			for _, broken := range []bool{false, true} {
				if broken && source == "directed" && !long() {
					continue
				}
				run, err := newEngine(t.Context(), Config{Root: "../../..", Block: block, Source: source, Events: 6000, Seed: 2,
					ModelOnly: true})
				require.NoError(t, err)
				e := run.way.(*lockstep)
				require.NoError(t, e.fresh())
				if broken {
					f := &flips{Model: e.play.Model, l: e.judge.Layout(), beat: 50}
					e.play.Model = f
				}
				_, err = e.from(t.Context(), 0)
				require.NoError(t, err)
				require.NoError(t, e.watch.Packets.Check())
				if broken {
					require.NotNil(t, e.watch.Packets.Found(), "%s %s", block, source)
					require.Contains(t, e.watch.Packets.Found().Text, "came in sound and leaves with a wrong UDP checksum")
				} else {
					require.Nil(t, e.watch.Packets.Found(), "%s %s", block, source)
				}
			}
		}
	}
}

// Every packet that a NIC makes is that of its note. Where no host changes templates under way, each is read.
func TestMadePacketsOfARunAreJudged(t *testing.T) {
	t.Parallel()
	for _, source := range []string{"directed", "random", "fabric:incast32"} {
		run, err := newEngine(t.Context(), Config{Root: "../../..", Block: "nic", Source: source, Events: 6000, Seed: 2,
			ModelOnly: true})
		require.NoError(t, err)
		e := run.way.(*lockstep)
		require.NoError(t, e.fresh())
		_, err = e.from(t.Context(), 0)
		require.NoError(t, err)
		require.Nil(t, e.watch.Packets.Found(), source)
		judged, skipped := e.watch.Packets.Judged(), e.watch.Packets.Skipped()
		t.Logf("%s: %d packets judged, %d skipped", source, judged, skipped)
		require.Greater(t, judged, 4*skipped, source)
		if source == "fabric:incast32" {
			require.Zero(t, skipped)
		}
	}
}

// One bad packet is noticed, even where the library checks only a share.
func TestOneBadPacketIsSeen(t *testing.T) {
	t.Parallel()
	for _, beat := range []int{2000, 2001} {
		run, err := newEngine(t.Context(), Config{Root: "../../..", Block: "trimmer", Source: "fabric:incast32", Events: 6000,
			Seed: 2, ModelOnly: true})
		require.NoError(t, err)
		e := run.way.(*lockstep)
		require.NoError(t, e.fresh())
		f := &flips{Model: e.play.Model, l: e.judge.Layout(), beat: beat, once: true}
		e.play.Model = f
		_, err = e.from(t.Context(), 0)
		require.NoError(t, err)
		require.Greater(t, f.seen, beat)
		require.NotNil(t, e.watch.Packets.Found())
		require.Contains(t, e.watch.Packets.Found().Text, "came in sound and leaves with a wrong UDP checksum")
	}
}

// capture plays a source on model and RTL and writes the RTL's output packets. It returns the file and the number of
// frames.
func capture(t *testing.T, cfg Config) (string, int) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "out.pcap")
	f, err := os.Create(file)
	require.NoError(t, err)
	w, err := packet.NewPcap(f)
	require.NoError(t, err)
	n := 0
	cfg.Frames = func(f packets.Frame) error {
		n++
		return w.Write(f.Bytes, int64(f.Cycle))
	}
	_, err = Run(t.Context(), cfg)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	return file, n
}

// Two independent parsers read the RTL's output without an error of length or checksum.
func TestCaptureOfTheDevice(t *testing.T) {
	t.Parallel()
	for _, block := range []string{"trimmer", "intmd", "switchport"} {
		t.Run(block, func(t *testing.T) {
			if block == "switchport" {
				launchtest.Long(t, "the other two, whose designs other tests build")
			}
			file, n := capture(t, Config{Root: "../../..", Block: block, Source: "fabric:incast32", Events: 3000, Seed: 1,
				Transport: "shm"})
			require.Greater(t, n, 300)
			f, err := os.Open(file)
			require.NoError(t, err)
			defer f.Close()
			r, err := pcapgo.NewReader(f)
			require.NoError(t, err)
			read := 0
			for {
				b, _, err := r.ReadPacketData()
				if err == io.EOF {
					break
				}
				require.NoError(t, err)
				v := packet.Judge(b)
				require.True(t, v.UDP && v.Sound(), "frame %d: %s: %x", read, v.Fault(), b)
				read++
			}
			require.Equal(t, n, read)
			python, err := exec.LookPath("python3")
			if err != nil {
				t.Skip("no python3 for the second parser")
			}
			out, err := exec.Command(python, "testdata/pcapcheck.py", file).CombinedOutput()
			require.NoError(t, err, "%s", out)
			require.Equal(t, strconv.Itoa(n), strings.TrimSpace(string(out)))
			spoil(t, file)
			out, err = exec.Command(python, "testdata/pcapcheck.py", file).CombinedOutput()
			require.Error(t, err)
			require.Contains(t, string(out), "frame 0: UDP checksum")
		})
	}
}

// spoil flips a bit in the UDP payload of a capture's first frame.
func spoil(t *testing.T, file string) {
	t.Helper()
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	b[24+16+50] ^= 4
	require.NoError(t, os.WriteFile(file, b, 0o644))
}

// For a device that differs, a capture holds the packets before the difference. An error of the writer is part of the
// run's.
func TestCaptureEndsAtTheFirstDifference(t *testing.T) {
	t.Parallel()
	dir := launchtest.RTL(t, "../../..", "gw_credit.sv", "avail_o = (used_q != Max)", "avail_o = (used_q < Max - 1'b1)")
	whole := Config{Root: "../../..", Block: "trimmer", Source: "random", Events: 2000, Seed: 1, NoShrink: true}
	_, all := capture(t, whole)
	broken := whole
	broken.RTLDir = dir
	n := 0
	var last uint64
	broken.Frames = func(f packets.Frame) error { n, last = n+1, f.Cycle; return nil }
	res, err := Run(t.Context(), broken)
	require.NoError(t, err)
	require.NotNil(t, res.FirstMismatch)
	require.Less(t, n, all)
	require.LessOrEqual(t, last, res.Cycles)
	whole.Frames = func(packets.Frame) error { return errors.New("disk full") }
	_, err = Run(t.Context(), whole)
	require.ErrorContains(t, err, "frames of the device: disk full")
}
