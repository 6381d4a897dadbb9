package layout

import (
	"fmt"
	"go/ast"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// MaxFiles is how many source files, besides tests, a package may have.
const MaxFiles = 25

// Files returns how many source files each folder has. Tests do not count.
func Files(files []string) map[string]int {
	count := map[string]int{}
	for _, f := range files {
		if written(f) && !strings.HasSuffix(f, "_test.go") {
			count[path.Dir(f)]++
		}
	}
	return count
}

// written reports whether a file is Go source of this tree and not test data.
func written(file string) bool {
	return strings.HasSuffix(file, ".go") && !strings.Contains("/"+file, "/testdata/")
}

// MaxColumns is the most columns of a line of Go; a tab counts as one.
const MaxColumns = 120

// Long returns the numbers of the lines of a text that are longer than MaxColumns.
func Long(text string) (lines []int) {
	for i, line := range strings.Split(text, "\n") {
		if utf8.RuneCountInString(line) > MaxColumns {
			lines = append(lines, i+1)
		}
	}
	return lines
}

// MaxMethods is how many methods a type may have.
const MaxMethods = 40

// Methods adds the methods of a file, by folder and type as in "cosim/device/bind.Binding", to count.
func Methods(count map[string]int, dir string, f *ast.File) {
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Recv == nil || len(fn.Recv.List) == 0 {
			continue
		}
		x := fn.Recv.List[0].Type
		for {
			switch y := x.(type) {
			case *ast.StarExpr:
				x = y.X
				continue
			case *ast.IndexExpr:
				x = y.X
				continue
			case *ast.IndexListExpr:
				x = y.X
				continue
			case *ast.Ident:
				count[dir+"."+y.Name]++
			}
			break
		}
	}
}

// listing are the folders that may name blocks: the list of blocks, the tests that use the program as a user would, and
// the references and the captures, which know no block: there the word means something else.
var listing = []string{"cosim/block", "ci", "golden", "cosim/network/capture"}

// ofOneBlock reports whether a folder belongs to one block.
func ofOneBlock(dir string, blocks []string) bool {
	return slices.ContainsFunc(strings.Split(dir, "/"), func(name string) bool { return slices.Contains(blocks, name) })
}

// Nameless returns a line for each place where Go code that all blocks share contains the name of a block. Comments,
// tests, the folder of a block and the folders of listing may contain one.
func Nameless(file, text string, blocks []string) (out []string) {
	dir := path.Dir(file)
	listed := slices.ContainsFunc(listing, func(d string) bool { return under(dir, d) })
	if listed || ofOneBlock(dir, blocks) || !written(file) || strings.HasSuffix(file, "_test.go") {
		return nil
	}
	for i, line := range strings.Split(text, "\n") {
		code, _, _ := strings.Cut(line, "//")
		where := fmt.Sprintf("%s:%d", file, i+1)
		if strings.Contains(code, ".BlockName") {
			out = append(out, where+": names a block; code that all blocks share is given what it needs")
			continue
		}
		for _, b := range blocks {
			// A name after a colon is the tag of a field: `json:"ccc"`.
			quoted := strings.ReplaceAll(code, `:"`+b+`"`, "")
			if strings.Contains(quoted, `"`+b+`"`) || strings.Contains(quoted, "`"+b+"`") {
				out = append(out, where+": names the block "+b+"; code that all blocks share is given what it needs")
				break
			}
		}
	}
	return out
}
