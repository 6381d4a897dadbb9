package fault

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Resets misses no reset of a block: a plain scan of the text counts as many assignments under !rst_ni and as many
// resets of instances in each file.
func TestResetsAreComplete(t *testing.T) {
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	schemas, err := filepath.Glob(filepath.Join(root, "vectors", "event", "*", "schema.yaml"))
	require.NoError(t, err)
	require.NotEmpty(t, schemas)
	port := regexp.MustCompile(`\.rst_ni\s*\(`)
	for _, file := range schemas {
		block := filepath.Base(filepath.Dir(file))
		d, err := Load(root, block)
		require.NoError(t, err)
		got := map[string]int{}
		for _, f := range d.Resets() {
			require.True(t, f.guardable(), "%s", f)
			got[f.File]++
		}
		want := map[string]int{}
		for _, m := range d.Modules {
			if d.inner[m.File] {
				continue // the block within drops them
			}
			text, err := os.ReadFile(filepath.Join(d.RTL.Dir, d.RTL.Module(m.Name)))
			require.NoError(t, err)
			var code strings.Builder
			for line := range strings.Lines(string(text)) {
				line, _, _ = strings.Cut(line, "//")
				code.WriteString(line + "\n")
			}
			plain, _, _ := strings.Cut(code.String(), "`ifdef GW_ASSERT")
			n := len(port.FindAllString(plain, -1))
			for _, branch := range strings.Split(plain, "if (!rst_ni)")[1:] {
				end := regexp.MustCompile(`;`)
				if strings.HasPrefix(strings.TrimSpace(branch), "begin") {
					end = regexp.MustCompile(`\bend\b`)
				}
				if strings.HasPrefix(strings.TrimSpace(branch), "for") { // its head has two of them
					branch = branch[strings.Index(branch, ")"):]
				}
				at := end.FindStringIndex(branch)
				require.NotNil(t, at, "%s", m.File)
				n += strings.Count(branch[:at[0]], "<=")
			}
			if n > 0 {
				want[m.File] = n
			}
		}
		require.NotEmpty(t, want)
		require.Equal(t, want, got, block)
	}
}
