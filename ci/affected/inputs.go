package affected

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// module is the path of our Go module.
const module = "github.com/goldwire/goldwire/"

// tops are the folders that hold one folder for each block.
var tops = []string{"rtlmodel", "vectors/event", "vectors/stim", "cosim/cover"}

// listing is the package that lists the blocks. Each of its files BLOCK.go imports what the block needs.
const listing = "cosim/block"

// inert reports whether a file affects no run: a Go test, the licence, or text for readers. Contracts and other files
// beside a schema are not inert.
func inert(name string) bool {
	return name == "LICENSE" || strings.HasSuffix(name, "_test.go") ||
		strings.HasSuffix(name, ".md") && !strings.HasPrefix(name, "vectors/event/")
}

// goSource reports whether a file is Go code that may become part of the program.
func goSource(name string) bool {
	return strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") &&
		!strings.Contains("/"+name, "/testdata/")
}

// index is what the runs depend on, in one tree.
type index struct {
	*tree
	blocks  []string
	shared  []string            // files that every run depends on
	unit    map[string]string   // the folder of a block that a file is in
	imports map[string][]string // folders that the code in such a folder imports
	listed  map[string][]string // folders that the entry of a block imports
}

// newIndex sorts the files of a tree.
func newIndex(t *tree) (*index, error) {
	x := &index{tree: t, unit: map[string]string{}, imports: map[string][]string{}, listed: map[string][]string{}}
	for name := range t.files {
		if b, ok := strings.CutPrefix(path.Dir(name), "vectors/event/"); ok && path.Base(name) == "schema.yaml" &&
			!strings.Contains(b, "/") {
			x.blocks = append(x.blocks, b)
		}
	}
	slices.Sort(x.blocks)
	harness := map[string]bool{} // folders of blocks that the harness imports
	for _, name := range slices.Sorted(maps.Keys(t.files)) {
		x.unit[name] = x.unitOf(name)
		if !goSource(name) {
			continue
		}
		used, err := x.used(name)
		if err != nil {
			return nil, err
		}
		entry := strings.TrimSuffix(path.Base(name), ".go")
		switch from := x.unit[name]; {
		case from != "":
			x.imports[from] = append(x.imports[from], used...)
		case path.Dir(name) == listing && slices.Contains(x.blocks, entry):
			x.listed[entry] = append(x.listed[entry], used...)
		default:
			for _, u := range used {
				harness[u] = true
			}
		}
	}
	for reach := slices.Collect(maps.Keys(harness)); len(reach) > 0; reach = reach[1:] {
		for _, u := range x.imports[reach[0]] {
			if !harness[u] {
				harness[u] = true
				reach = append(reach, u)
			}
		}
	}
	for name := range t.files {
		if u := x.unit[name]; harness[u] || u == "" && !inert(name) && !x.searched(name) {
			x.shared = append(x.shared, name)
		}
	}
	return x, nil
}

// unitOf returns the folder of a block that a path is in, or "".
func (x *index) unitOf(name string) string {
	for _, top := range tops {
		if rest, ok := strings.CutPrefix(name, top+"/"); ok {
			block, _, _ := strings.Cut(rest, "/")
			if slices.Contains(x.blocks, block) && block != rest && !inert(name) {
				return top + "/" + block
			}
		}
	}
	return ""
}

// used returns the folders of blocks that a Go file imports.
func (x *index) used(name string) (out []string, err error) {
	f, err := parser.ParseFile(token.NewFileSet(), name, x.text[name], parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	for _, i := range f.Imports {
		p, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if dir, ok := strings.CutPrefix(p, module); ok {
			if u := x.unitOf(dir + "/x"); u != "" {
				out = append(out, u)
			}
		}
	}
	return out, nil
}

// generated matches the files of hdl/gen that belong to one block.
var generated = regexp.MustCompile(`^hdl/gen/([a-z0-9_]+)_(types\.sv|pkg\.sv|top\.sv|ports\.h)$`)

// searched reports whether a file counts for a run only if its name, or that of its block, is mentioned.
func (x *index) searched(name string) bool {
	if strings.HasPrefix(name, "hdl/rtl/") {
		return slices.Contains([]string{".sv", ".v", ".svh", ".vh"}, path.Ext(name))
	}
	m := generated.FindStringSubmatch(name)
	return m != nil && slices.Contains(x.blocks, m[1])
}

var word = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)

// code returns the text of a design without comments and strings.
func code(text string) string {
	var b strings.Builder
	for text != "" {
		i := strings.IndexAny(text, "\"/")
		if i < 0 {
			break
		}
		b.WriteString(text[:i])
		text = text[i:]
		end := 1
		switch {
		case text[0] == '"':
			for end < len(text) && text[end] != '"' && text[end] != '\n' {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			end++
		case strings.HasPrefix(text, "//"):
			if end = strings.IndexByte(text, '\n'); end < 0 {
				end = len(text)
			}
		case strings.HasPrefix(text, "/*"):
			if end = strings.Index(text[2:], "*/"); end < 0 {
				end = len(text)
			} else {
				end += 4
			}
		}
		text = text[min(end, len(text)):]
		b.WriteByte(' ')
	}
	return b.String() + text
}

// included matches the name of a header, which is in a string.
var included = regexp.MustCompile("`include\\s+\"([^\"]*)\"")

// mentions returns the words of a file of the design that may name other files.
func mentions(text string) []string {
	out := word.FindAllString(code(text), -1)
	for _, m := range included.FindAllStringSubmatch(text, -1) {
		out = append(out, word.FindAllString(m[1], -1)...)
	}
	return out
}

// design returns the files of hdl/ that the top of a block mentions, directly or through other files.
func (x *index) design(block string) (out []string) {
	var candidates []string
	pasted := false // names that a macro builds are not seen
	for _, name := range slices.Sorted(maps.Keys(x.files)) {
		if x.searched(name) {
			candidates = append(candidates, name)
			pasted = pasted || strings.Contains(x.text[name], "``")
		}
	}
	words := map[string]bool{block: true, block + "_top": true}
	for again := true; again; {
		again = false
		candidates = slices.DeleteFunc(candidates, func(name string) bool {
			if !pasted && !mentioned(words, name) {
				return false
			}
			out, again = append(out, name), true
			for _, w := range mentions(x.text[name]) {
				words[w] = true
			}
			return true
		})
	}
	return out
}

// mentioned reports whether the words include the module or header that a file is named after or, for a generated file,
// any name of its block.
func mentioned(words map[string]bool, name string) bool {
	m := generated.FindStringSubmatch(name)
	if m == nil {
		return words[strings.TrimSuffix(path.Base(name), path.Ext(name))]
	}
	for w := range words {
		if w == m[1] || strings.HasPrefix(w, m[1]+"_") {
			return true
		}
	}
	return false
}

// of returns the files that a co-simulation of our design of a block depends on.
func (x *index) of(block string) []string {
	units := map[string]bool{}
	reach := slices.Clone(x.listed[block])
	for _, top := range tops {
		reach = append(reach, top+"/"+block)
	}
	for ; len(reach) > 0; reach = reach[1:] {
		if !units[reach[0]] {
			units[reach[0]] = true
			reach = append(reach, x.imports[reach[0]]...)
		}
	}
	out := append(slices.Clone(x.shared), x.design(block)...)
	for name, u := range x.unit {
		if u != "" && units[u] {
			out = append(out, name)
		}
	}
	return out
}

// all returns every file that can affect any run.
func (x *index) all() (out []string) {
	for name := range x.files {
		if !inert(name) {
			out = append(out, name)
		}
	}
	return out
}

func (x *index) fingerprint(names []string) string {
	slices.Sort(names)
	sum := sha256.New()
	for _, name := range slices.Compact(names) {
		fmt.Fprintf(sum, "%s %s\n", x.files[name], name)
	}
	return hex.EncodeToString(sum.Sum(nil))[:16]
}
