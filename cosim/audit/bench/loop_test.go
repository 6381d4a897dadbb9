package bench

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A run that did not do what is measured gives no figure.
func TestLoopMeasuresWhatItNames(t *testing.T) {
	l := &Loops()[0]
	text := func(flows, done int, devices string) []byte {
		return fmt.Appendf(nil, `{"flows": %d, "done": %d, "devices": %s}`, flows, done, devices)
	}
	ahead := `[{"cc": "nscc-rtl", "events": 4000, "cycles": 4100, "step": false}]`
	rate, err := l.rate(text(3, 3, ahead), false, 10*time.Millisecond)
	require.NoError(t, err)
	require.InDelta(t, 400_000, rate, 1e-6)
	for name, c := range map[string]struct {
		text []byte
		step bool
		cpu  time.Duration
		want string
	}{
		"no JSON":           {[]byte("3 of 3"), false, time.Second, "invalid character"},
		"no flow":           {text(0, 0, ahead), false, time.Second, "0 of 0 flows done"},
		"a flow missing":    {text(3, 2, ahead), false, time.Second, "2 of 3 flows done"},
		"no device":         {text(3, 3, "null"), false, time.Second, "nothing was measured"},
		"an idle device":    {text(3, 3, `[{"events": 0}]`), false, time.Second, "nothing was measured"},
		"steps for ahead":   {text(3, 3, `[{"events": 9, "step": true}]`), false, time.Second, "something else"},
		"ahead for steps":   {text(3, 3, ahead), true, time.Second, "something else"},
		"another design":    {text(3, 3, `[{"events": 9, "step": true, "left": "event 3"}]`), true, time.Second, "event 3"},
		"no processor time": {text(3, 3, ahead), false, 0, "no processor time"},
	} {
		_, err := l.rate(c.text, c.step, c.cpu)
		require.ErrorContains(t, err, c.want, name)
	}
}

func TestLoopsHaveTheirBound(t *testing.T) {
	for _, l := range Loops() {
		require.EqualValues(t, 400_000, l.Bound, l.Name)
		require.Positive(t, l.Rounds)
	}
}
