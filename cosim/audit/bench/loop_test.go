package bench

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A run that did not do what is measured gives no figure.
func TestLoopMeasuresWhatItNames(t *testing.T) {
	rtl, _ := Loops()[0].runs()
	nic, _ := (&Loop{NIC: true}).runs()
	text := func(flows, done int, devices string) []byte {
		return fmt.Appendf(nil, `{"flows": %d, "done": %d, "cc_events": 4000, "devices": %s}`, flows, done, devices)
	}
	ahead := `[{"cc": "nscc-rtl", "events": 4010, "cycles": 4100, "step": false}]`
	for _, x := range []struct {
		run  loopRun
		text []byte
	}{{rtl[0], text(3, 3, ahead)}, {nic[0], text(3, 3, ahead)}, {nic[1], text(3, 3, "null")}} {
		rate, err := x.run.rate(x.text, 10*time.Millisecond)
		require.NoError(t, err)
		require.InDelta(t, 400_000, rate, 1e-6)
	}
	for name, c := range map[string]struct {
		text []byte
		run  loopRun
		cpu  time.Duration
		want string
	}{
		"no JSON":           {[]byte("3 of 3"), rtl[0], time.Second, "invalid character"},
		"no flow":           {text(0, 0, ahead), rtl[0], time.Second, "0 of 0 flows done"},
		"a flow missing":    {text(3, 2, ahead), rtl[0], time.Second, "2 of 3 flows done"},
		"no device":         {text(3, 3, "null"), rtl[0], time.Second, "nothing was measured"},
		"no device of NICs": {text(3, 3, "null"), nic[0], time.Second, "nothing was measured"},
		"an idle device":    {text(3, 3, `[{"events": 0}]`), rtl[0], time.Second, "nothing was measured"},
		"a device too many": {text(3, 3, ahead), nic[1], time.Second, "nothing was measured"},
		"no event":          {[]byte(`{"flows": 3, "done": 3}`), nic[1], time.Second, "nothing was measured"},
		"steps for ahead":   {text(3, 3, `[{"events": 9, "step": true}]`), rtl[0], time.Second, "something else"},
		"ahead for steps":   {text(3, 3, ahead), rtl[1], time.Second, "something else"},
		"another design":    {text(3, 3, `[{"events": 9, "step": true, "left": "event 3"}]`), rtl[1], time.Second, "event 3"},
		"no processor time": {text(3, 3, ahead), rtl[0], 0, "no processor time"},
	} {
		_, err := c.run.rate(c.text, c.cpu)
		require.ErrorContains(t, err, c.want, name)
	}
}

func TestLoopsHaveTheirBound(t *testing.T) {
	for _, l := range Loops() {
		if !l.NIC {
			require.EqualValues(t, 400_000, l.Bound, l.Name)
		}
		require.Positive(t, l.Rounds)
	}
}
