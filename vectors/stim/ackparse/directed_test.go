package ackparse

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event/ackparse"
	"github.com/goldwire/goldwire/vectors/stim"
)

// TestAnswerOfAnotherPacketIsSeen: the record of a packet that its case calls dropped is not taken for that of the
// next.
func TestAnswerOfAnotherPacketIsSeen(t *testing.T) {
	l := language
	cases, err := l.Parse("x.txt", "case a\n  packet [ipv4 pds=3800_0000_00000064_0007_0009] -> dropped\n"+
		"  packet [ipv4 rud_req size=60] -> pds_type=ACK psn=100\n")
	require.NoError(t, err)
	for tag, wrong := range map[uint32]int{1<<16 + 1: 1, 1<<16 + 2: 0} { // of the first packet, of the second
		s := stim.NewScript(ackparse.InWords, nil)
		cases[0].Write(s)
		for i := range s.Used {
			in, out := append([]uint64(nil), s.Items[i].Words...), make([]uint64, ackparse.OutWords)
			in[0] |= ackparse.InRstN | ackparse.InRxValid | ackparse.InRecReady
			if i == s.Used-1 {
				ackparse.PackRec(&ackparse.Rec{PdsType: ackparse.PdsTypeAck, PSN: 100, Tag: tag}, out)
				out[0] |= ackparse.OutRecValid
			}
			out[0] |= ackparse.OutRxReady
			s.Judge.Cycle(in, out)
		}
		compared, found := s.Judge.Verdict()
		require.Equal(t, 3, compared)
		require.Len(t, found, wrong)
		if wrong > 0 {
			require.Contains(t, found[0], "an answer with tag 65537 where that of the item with 65538 is due")
		}
	}
}
