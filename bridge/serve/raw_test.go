package serve

import (
	"net"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/wire"
)

// raw is a client that says what a test wants, right or wrong.
type raw struct {
	t testing.TB
	c net.Conn
	r *wire.Reader
	w *wire.Writer
}

// connect returns a raw client that has read the server's hello and said nothing. The place of a client that has just
// left may still be taken: it waits for one.
func connect(t testing.TB, address string) (*raw, wire.Hello) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(time.Millisecond) {
		c, err := net.Dial("unix", address[len("unix:"):])
		require.NoError(t, err)
		t.Cleanup(func() { c.Close() })
		require.NoError(t, c.SetDeadline(time.Now().Add(2*time.Minute)))
		k := &raw{t, c, wire.NewReader(c, wire.DefaultLimits()), wire.NewWriter(c)}
		f, err := k.r.Next()
		require.NoError(t, err)
		if f.Type == wire.TypeError && time.Now().Before(end) {
			c.Close()
			continue
		}
		var h wire.Hello
		require.Equal(t, wire.TypeHello, f.Type)
		require.NoError(t, f.Decode(&h))
		return k, h
	}
}

// talk returns a raw client whose hello was accepted, with a model.
func talk(t testing.TB, address string) *raw {
	t.Helper()
	k, h := connect(t, address)
	k.say(wire.TypeHello, h)
	k.call(wire.TypeConfigure, wire.Configure{}, wire.TypeConfigured, nil)
	return k
}

func (k *raw) say(t wire.Type, ctrl any, bulk ...[]uint64) {
	k.t.Helper()
	require.NoError(k.t, k.w.Write(t, ctrl, bulk...))
}

// read takes the next frame that is no sign of life, which must be of the type.
func (k *raw) read(want wire.Type, ctrl any) *wire.Frame {
	k.t.Helper()
	f, err := k.r.Next()
	for err == nil && f.Type == wire.TypeProgress {
		f, err = k.r.Next()
	}
	require.NoError(k.t, err)
	if f.Type == wire.TypeError && want != wire.TypeError {
		var m wire.Failure
		_ = f.Decode(&m)
		require.Fail(k.t, "refused", "%+v", m)
	}
	require.Equal(k.t, want, f.Type)
	if ctrl != nil {
		require.NoError(k.t, f.Decode(ctrl))
	}
	return f
}

func (k *raw) call(t wire.Type, ctrl any, want wire.Type, reply any, bulk ...[]uint64) *wire.Frame {
	k.t.Helper()
	k.say(t, ctrl, bulk...)
	return k.read(want, reply)
}

// refused takes an error of the kind, and what it says.
func (k *raw) refused(kind, text string) {
	k.t.Helper()
	var m wire.Failure
	k.read(wire.TypeError, &m)
	require.Equal(k.t, kind, m.Kind, m.Text)
	require.Contains(k.t, m.Text, text)
}

// ended requires that the server hangs up.
func (k *raw) ended() {
	k.t.Helper()
	_, err := k.r.Next()
	require.Error(k.t, err)
	require.NotErrorIs(k.t, err, os.ErrDeadlineExceeded)
}
