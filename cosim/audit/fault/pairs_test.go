package fault

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/goldwire/goldwire/cosim/block"
)

// pair is an error of the model that a design is taken to share, so that comparing the two shows nothing.
type pair struct {
	Block   string `yaml:"block"`
	Name    string `yaml:"name"`
	File    string `yaml:"file"` // of the model
	Find    string `yaml:"find"` // occurs in it exactly once
	Replace string `yaml:"replace"`
}

// pairs returns the pairs of testdata/pairs.yaml, each checked to change its file in one place.
func pairs(t *testing.T) (all []pair) {
	text, err := os.ReadFile("testdata/pairs.yaml")
	require.NoError(t, err)
	dec := yaml.NewDecoder(bytes.NewReader(text))
	dec.KnownFields(true)
	require.NoError(t, dec.Decode(&all))
	seen := map[string]bool{}
	for _, p := range all {
		require.False(t, seen[p.Block+p.Name], "%s %s appears twice", p.Block, p.Name)
		seen[p.Block+p.Name] = true
		require.NotEqual(t, p.Find, p.Replace, p.Name)
		file, err := os.ReadFile(filepath.Join("../../..", p.File))
		require.NoError(t, err, p.Name)
		require.Equal(t, 1, strings.Count(string(file), p.Find), "%s %s: its text occurs once in %s", p.Block, p.Name, p.File)
	}
	return all
}

// The pairs still fit the model, and the list's head counts them by block.
func TestPairsFitTheModel(t *testing.T) {
	want := map[string]string{}
	text, err := os.ReadFile("testdata/pairs.yaml")
	require.NoError(t, err)
	head := regexp.MustCompile(`(?m)^# (\d+) pairs: .*$`).FindSubmatch(text)
	require.NotNil(t, head)
	for _, m := range regexp.MustCompile(`([a-z]+) (\d+)[,.]`).FindAllSubmatch(head[0], -1) {
		want[string(m[1])] = string(m[2])
	}
	got := map[string]int{}
	all := pairs(t)
	for _, p := range all {
		_, err := block.Lookup(p.Block)
		require.NoError(t, err)
		got[p.Block]++
	}
	require.Len(t, got, len(block.Blocks()), "each block has pairs")
	for b, n := range got {
		require.Equal(t, want[b], strconv.Itoa(n), "pairs of %s in the list's head", b)
	}
	require.Equal(t, strconv.Itoa(len(all)), string(head[1]))
}

// Each pair is found by what the check of its block plays, by a judge that knows neither model nor design. The model
// plays alone: whatever it answers, a design with the same error answers too. GOLDWIRE_PAIRS is the blocks, or all.
func TestPairsAreFound(t *testing.T) {
	blocks := os.Getenv("GOLDWIRE_PAIRS")
	if blocks == "" {
		t.Skip("links the command once for each pair: a quarter of an hour; set GOLDWIRE_PAIRS=all or ccc,egress")
	}
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	all, played := pairs(t), 0
	unchanged := linked(t, root, nil)
	for _, b := range block.Blocks() {
		if blocks != "all" && !strings.Contains(","+blocks+",", ","+b+",") {
			continue
		}
		played++
		t.Run(b, func(t *testing.T) {
			for _, source := range []string{"directed", "random"} { // what finds this one wrong proves nothing
				require.Empty(t, judgesOf(t, root, unchanged, b, source), "%s, unchanged", source)
			}
			for _, p := range all {
				if p.Block != b {
					continue
				}
				t.Run(p.Name, func(t *testing.T) {
					command := linked(t, root, &p)
					directed := judgesOf(t, root, command, p.Block, "directed")
					random := judgesOf(t, root, command, p.Block, "random")
					fmt.Printf("| %s | %s | %s | %s |\n", p.Block, p.Name, strings.Join(directed, ", "),
						strings.Join(random, ", "))
					require.NotEmpty(t, append(directed, random...), "no judge finds %s", p.Name)
				})
			}
		})
	}
	require.NotZero(t, played, "GOLDWIRE_PAIRS=%s names no block of the list", blocks)
}

// linked links the command with a pair planted in its model, or with none, and returns its file.
func linked(t *testing.T, root string, p *pair) string {
	t.Helper()
	dir, replace := t.TempDir(), map[string]string{}
	if p != nil {
		from, wrong := filepath.Join(root, p.File), filepath.Join(dir, "wrong.go")
		text, err := os.ReadFile(from)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(wrong, []byte(strings.Replace(string(text), p.Find, p.Replace, 1)), 0o644))
		replace[from] = wrong
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	list, command := filepath.Join(dir, "over.json"), filepath.Join(dir, "goldwire")
	require.NoError(t, os.WriteFile(list, overlay, 0o644))
	build := exec.CommandContext(t.Context(), "go", "build", "-overlay", list, "-o", command, "./cosim/cmd/goldwire")
	build.Dir = root
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	return command
}

// judgesOf plays a source of a block on the model of a command and returns who finds it wrong.
func judgesOf(t *testing.T, root, command, block, source string) (found []string) {
	t.Helper()
	play := exec.CommandContext(t.Context(), command, "cosim", "--block", block, "--source", source,
		"--model-only", "--no-shrink")
	play.Dir = root
	out, err := play.CombinedOutput()
	text, code := string(out), 0
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		code = exit.ExitCode()
	} else {
		require.NoError(t, err)
	}
	for _, judge := range []string{"directed outcome", "coverage follower", "packet judge"} {
		if strings.Contains(text, "found by the "+judge) {
			found = append(found, judge)
		}
	}
	if floatFound(text) {
		found = append(found, "float reference")
	}
	want := min(len(found), 1)
	if strings.Contains(text, "the model stalls") {
		found, want = append(found, "stall"), 2
	}
	require.Equal(t, want, code, "%s %s: found by %v\n%s", block, source, found, text)
	return found
}

// floatFound reports whether the text of a run has a finding of the float reference.
func floatFound(text string) bool {
	for line := range strings.Lines(text) {
		if strings.Contains(line, "OUT OF BOUNDS") && strings.Contains(line, "float") {
			return true
		}
	}
	return false
}
