package wire

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

// An error names the party that it is about, and leaves the words of others as they are.
func TestErrorNamesItsPeer(t *testing.T) {
	for kind, want := range map[error][2]string{
		ErrDUTExited: {"DUT process ended", "the golden program closed the connection"},
		ErrDUTHung:   {"DUT makes no progress", "the golden program makes no progress"},
		ErrDUTStart:  {"DUT did not connect", "the golden program did not answer"},
		ErrBlock:     {"block differs", "block differs"},
	} {
		for peer, text := range want {
			err := &Error{Kind: kind, What: "the DUT process ended, it printed", Peer: Peer(peer)}
			require.Equal(t, text+": the DUT process ended, it printed", err.Error())
			require.ErrorIs(t, err, kind)
		}
	}
	require.Equal(t, "the DUT reports: the DUT is full", DUT.Reported("the DUT is full"))
	require.Equal(t, "it reports: the DUT is full", Program.Reported("the DUT is full"))
	require.Equal(t, []string{"hello of the DUT", "its hello"}, []string{DUT.Hello(), Program.Hello()})
	require.Equal(t, []string{"the DUT", "the golden program"}, []string{DUT.String(), Program.String()})
	var e *Error
	require.True(t, errors.As(error(&Error{Kind: ErrDUTHung}), &e))
	require.Equal(t, DUT, e.Peer, "the design, where nothing else is given")
}
