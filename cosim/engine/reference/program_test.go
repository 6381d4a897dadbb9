package reference

import (
	"net"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/wire"
	"github.com/goldwire/goldwire/cosim/block"
	"github.com/goldwire/goldwire/vectors/event"
)

// small returns a small block of a user's.
func small(t *testing.T) *event.Block {
	t.Helper()
	b, err := event.Parse([]byte("block: b\ntitle: t\nstreams:\n  - {name: ev, dir: in, fields: [{name: x, width: 8}]}\n" +
		"  - {name: rsp, dir: out, fields: [{name: y, width: 8}]}\n"))
	require.NoError(t, err)
	return b
}

// What a program at the other end does wrong is said of the program and not of the design, in its own words where it
// sends some.
func TestErrorsOfAProgramNameIt(t *testing.T) {
	b := small(t)
	for name, c := range map[string]struct {
		serve func(net.Conn)
		want  string
		kind  error
	}{
		"leaves": {func(c net.Conn) { c.Close() }, "it closed the connection: its hello: EOF; its own output has the reason",
			nil},
		"silent": {func(net.Conn) {}, "the golden program did not answer: no hello from ", wire.ErrDUTStart},
		"reports": {func(c net.Conn) {
			_ = wire.NewWriter(c).Write(wire.TypeError, &wire.Failure{Kind: "busy", Text: "the DUT process ended"})
		}, "it reports: the DUT process ended", wire.ErrBusy},
		"garbage": {func(c net.Conn) { _, _ = c.Write(make([]byte, 64)) }, "its hello: ", wire.ErrMagic},
	} {
		t.Run(name, func(t *testing.T) {
			address := filepath.Join(t.TempDir(), "s")
			l, err := net.Listen("unix", address)
			require.NoError(t, err)
			defer l.Close()
			go func() {
				for {
					conn, err := l.Accept()
					if err != nil {
						return
					}
					t.Cleanup(func() { conn.Close() })
					c.serve(conn)
				}
			}()
			p := Given{Golden: "unix:" + address}
			ref, err := p.Start(t.Context(), &Setup{Block: &block.Block{Schema: b}, Timeout: 300 * time.Millisecond})
			require.Nil(t, ref)
			require.ErrorContains(t, err, "golden program at unix:"+address+": ")
			require.ErrorContains(t, err, c.want)
			if c.kind != nil {
				require.ErrorIs(t, err, c.kind)
			}
		})
	}
}
