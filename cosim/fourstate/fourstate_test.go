package fourstate

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// The exported bench of a small block sees every dropped reset of two of its modules, and passes on the RTL itself,
// which Run checks first; a campaign that drops nothing is an error.
func TestDroppedResetsAreSeen(t *testing.T) {
	for _, tool := range []string{"iverilog", "vvp"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed; make tools installs it", tool)
		}
	}
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	goldwire := filepath.Join(t.TempDir(), "goldwire")
	out, err := exec.CommandContext(t.Context(), "go", "build", "-o", goldwire, "../cmd/goldwire").CombinedOutput()
	require.NoError(t, err, "%s", out)
	benches, err := Benches(root)
	require.NoError(t, err)
	const block = "txstate"
	s := Spec{Root: root, Block: block, Benches: benches[block][:1], Goldwire: goldwire, Work: t.TempDir(), Jobs: 2,
		Match: regexp.MustCompile(`^gw_(in_fifo|credit)\.sv$`)}
	got, err := Run(t.Context(), s)
	require.NoError(t, err)
	require.Len(t, got, 3)
	for _, v := range got {
		require.Equal(t, 1, v.Bench, "%+v", v)
		require.Contains(t, v.Seen, "x", "an unknown value is what differs: %+v", v)
	}
	s.Match = regexp.MustCompile(`^nothing$`)
	_, err = Run(t.Context(), s)
	require.ErrorContains(t, err, "no reset to drop")
	s.Match, s.Benches = nil, nil
	_, err = Run(t.Context(), s)
	require.ErrorIs(t, err, ErrFourState)
}
