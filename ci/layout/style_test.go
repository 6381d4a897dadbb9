package layout

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// golang visits every hand-written Go file of the tree, except test data.
func golang(t *testing.T, visit func(file, text string)) {
	t.Helper()
	seen := 0
	walk(t, func(file string, read func() string) {
		if !written(file) {
			return
		}
		text := read()
		if first, _, _ := strings.Cut(text, "\n"); strings.Contains(first, "DO NOT EDIT") {
			return
		}
		seen++
		visit(file, text)
	})
	require.Greater(t, seen, 500, "the search found few files: is the root right?")
}

// within fails if a rule is broken more often than is known, and lists the places. It logs which counts can be lowered.
func within(t *testing.T, k Known, found map[string]int, limit int, what, cure string, places map[string][]string) {
	t.Helper()
	for _, line := range k.Over(found, limit, what, cure) {
		name, _, _ := strings.Cut(line, ":")
		t.Errorf("%s\n  %s", line, strings.Join(places[name], "\n  "))
	}
	for _, line := range k.Fallen(found) {
		t.Log(line)
	}
}

// counted returns the number of places per folder.
func counted(places map[string][]string) map[string]int {
	out := map[string]int{}
	for dir, all := range places {
		out[dir] = len(all)
	}
	return out
}

func TestSharedCodeNamesNoBlock(t *testing.T) {
	blocks := blockNames(t)
	places := map[string][]string{}
	golang(t, func(file, text string) {
		if all := Nameless(file, text, blocks); all != nil {
			places[path.Dir(file)] = append(places[path.Dir(file)], all...)
		}
	})
	within(t, naming, counted(places), 0, "lines that name a block", "give the code what it needs", places)
}

func TestPackagesAreNotCrowded(t *testing.T) {
	var files []string
	golang(t, func(file, _ string) { files = append(files, file) })
	within(t, nil, Files(files), MaxFiles, "files", "split the package by idea", nil)
}

func TestLinesFitTheirColumns(t *testing.T) {
	places := map[string][]string{}
	golang(t, func(file, text string) {
		for _, n := range Long(text) {
			places[path.Dir(file)] = append(places[path.Dir(file)], fmt.Sprintf("%s:%d", file, n))
		}
	})
	within(t, long, counted(places), 0, fmt.Sprintf("lines of more than %d columns", MaxColumns), "break it", places)
}

func TestTypesHaveFewMethods(t *testing.T) {
	count := map[string]int{}
	golang(t, func(file, text string) {
		if !strings.HasSuffix(file, "_test.go") {
			Methods(count, path.Dir(file), parsed(t, file, text))
		}
	})
	require.NotZero(t, count["bridge/client.Session"], "the search found no methods of a type that has many")
	within(t, nil, count, MaxMethods, "methods", "split the type by idea", nil)
}

func parsed(t *testing.T, file, text string) *ast.File {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, text, parser.SkipObjectResolution)
	require.NoError(t, err)
	return f
}

// The checkers themselves, on made-up trees.

func TestKnownChecker(t *testing.T) {
	k := Known{"a": 2, "b": 1}
	require.Empty(t, k.Over(map[string]int{"a": 2}, 0, "files", "split"))
	found := map[string]int{"c": 2, "a": 3, "b": 1}
	require.Equal(t, []string{"a: 3 files, at most 2: split", "c: 2 files, at most 1: split"},
		k.Over(found, 1, "files", "split"))
	require.Empty(t, k.Over(found, 3, "files", "split"))
	require.Equal(t, []string{"b: 1, now 0: lower the count in ci/layout/known.go"}, k.Fallen(map[string]int{"a": 2}))
}

func TestNamelessChecker(t *testing.T) {
	blocks := []string{"egress", "ccc"}
	require.Equal(t, []string{
		"vectors/drive/a.go:2: names the block ccc; code that all blocks share is given what it needs",
		"vectors/drive/a.go:3: names a block; code that all blocks share is given what it needs",
	}, Nameless("vectors/drive/a.go", "x\nif b == \"ccc\" {\nif b == egress.BlockName {", blocks))
	require.Len(t, Nameless("cosim/engine/run/a.go", "x(`egress`, \"ccc\")", blocks), 1)
	for file, text := range map[string]string{
		"vectors/stim/fabric/a.go": "x() // of \"ccc\"",
		"vectors/stim/ccc/a.go":    "ccc.BlockName",
		"rtlmodel/ccc/a.go":        `x("ccc")`,
		"cosim/block/all.go":       `x("ccc")`,
		"ci/distrust/a.go":         `x("ccc")`,
		"vectors/stim/a_test.go":   `x("ccc")`,
		"golden/a.go":              "CCC int `json:\"ccc\"`",
		"cosim/engine/run/a.py":    `x("ccc")`,
	} {
		require.Empty(t, Nameless(file, text, blocks), file)
	}
}

func TestStyleCheckers(t *testing.T) {
	require.Equal(t, map[string]int{"cosim/x": 2, "ci": 1},
		Files([]string{"cosim/x/a.go", "cosim/x/b.go", "cosim/x/a_test.go", "ci/doc.go", "ci/README.md", "a/testdata/b.go"}))

	require.Equal(t, []int{2}, Long("short\n"+strings.Repeat("é", MaxColumns+1)+"\n"+strings.Repeat("é", MaxColumns)))

	count := map[string]int{}
	Methods(count, "p", parsed(t, "a.go", "package p\nfunc (T) A() {}\nfunc (t *T) B() {}\n"+
		"func (g *G[X]) C() {}\nfunc (g G[X, Y]) D() {}\nfunc F() {}\n"))
	require.Equal(t, map[string]int{"p.T": 2, "p.G": 2}, count)
}
