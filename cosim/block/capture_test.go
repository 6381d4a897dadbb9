package block_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"
	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/vectors/drive"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/ackparse"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/frame"
)

// TestCapturesPlayAtEveryPacketBlock: each frame of a capture is one packet at each block that takes packets, and what
// the parser makes of an acknowledgement in it is what was written.
func TestCapturesPlayAtEveryPacketBlock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.pcap")
	file, err := os.Create(path)
	require.NoError(t, err)
	w := pcapgo.NewWriterNanos(file)
	require.NoError(t, w.WriteFileHeader(1<<16, layers.LinkTypeEthernet))
	const frames = 300
	r := stim.Seeded(1, "capture", "test", 0)
	for i := range frames {
		f := frame.Good(i%3, i%2 == 0, 0)
		f.WithPDS(&frame.PDS{Type: frame.Ack, PSN: uint32(i), SPDCID: 1, DPDCID: 2})
		b := f.Bytes(&r, nil)
		require.NoError(t, w.WritePacket(gopacket.CaptureInfo{CaptureLength: len(b), Length: len(b)}, b))
	}
	require.NoError(t, file.Close())
	blocks := 0
	for _, name := range block.Blocks() {
		if len(block.FileSources(name)) == 0 {
			continue
		}
		blocks++
		b, err := block.Lookup(name)
		require.NoError(t, err)
		params, err := b.Schema.Values(nil)
		require.NoError(t, err)
		src, err := b.Stimulus.Open("pcap:"+path, stim.Options{})
		require.NoError(t, err)
		lay := event.NewLayout(b.Schema)
		rx := lay.Inputs()[0]
		in, out := make([]uint64, lay.In.Words), make([]uint64, lay.Out.Words)
		whole, records := 0, []uint32{}
		for ep, ok := src.Next(); ok; ep, ok = src.Next() {
			m, err := b.NewModel(params)
			require.NoError(t, err)
			d := drive.NewDriver(lay)
			d.Begin(ep)
			for d.Drive(in) {
				m.Cycle(in, out)
				d.Observe(out)
				if rx.Moves(in, out) && rx.Ends(in) {
					whole++
				}
				if name == "ackparse" && out[0]&ackparse.OutRecValid != 0 && in[0]&ackparse.InRecReady != 0 {
					var rec ackparse.Rec
					ackparse.UnpackRec(out, &rec)
					records = append(records, rec.PSN)
				}
			}
		}
		require.NoError(t, src.Err())
		src.Close()
		require.Equal(t, frames, whole, name)
		if name == "ackparse" {
			require.Len(t, records, frames)
			for i, psn := range records {
				require.Equal(t, uint32(i), psn)
			}
		}
	}
	require.Equal(t, 6, blocks)
}
