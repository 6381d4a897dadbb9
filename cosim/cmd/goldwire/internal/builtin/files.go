package builtin

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/goldwire/goldwire/ci/plan"
	"github.com/goldwire/goldwire/hdl"
	"github.com/goldwire/goldwire/vectors/event"
)

// parts are the files by the folder of the repository that they come from.
var parts = map[string]embed.FS{"hdl": hdl.Files, "vectors/event": event.Files, "ci/plan": plan.Files}

// set is the files and their sums, by path relative to the root of the repository.
type set struct {
	text map[string][]byte
	sums map[string]string // sha256 in hex digits
}

// files returns all files. They cannot fail to be read.
var files = sync.OnceValue(func() set {
	s := set{map[string][]byte{}, map[string]string{}}
	for folder, part := range parts {
		err := fs.WalkDir(part, ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := part.ReadFile(name)
			s.text[path.Join(folder, name)] = text
			return err
		})
		if err != nil {
			panic(err)
		}
	}
	for name, text := range s.text {
		sum := sha256.Sum256(text)
		s.sums[name] = hex.EncodeToString(sum[:])
	}
	return s
})

// Has reports whether a file of the repository, such as hdl/rtl/ccc/ccc.sv, is built in.
func Has(name string) bool { return files().sums[name] != "" }

// RTL returns the names of the modules' files, such as hdl/rtl/ccc/ccc.sv, sorted.
func RTL() []string { return under("hdl/rtl/") }

// RTLHash returns the first 16 hex digits of the hash of hdl/rtl and hdl/gen. In a checkout this prints them, too:
//
//	find hdl/rtl hdl/gen -type f | LC_ALL=C sort | xargs sha256sum | sha256sum | cut -c1-16
func RTLHash() string { return hash("hdl/gen/", "hdl/rtl/") }

// Hash returns the first 16 hex digits of the hash of all files.
func Hash() string { return hash("") }

// under returns the names with one of the prefixes, sorted.
func under(prefixes ...string) []string {
	return slices.Collect(func(yield func(string) bool) {
		for _, name := range slices.Sorted(maps.Keys(files().sums)) {
			in := func(prefix string) bool { return strings.HasPrefix(name, prefix) }
			if slices.ContainsFunc(prefixes, in) && !yield(name) {
				return
			}
		}
	})
}

func hash(prefixes ...string) string {
	h := sha256.New()
	for _, name := range under(prefixes...) {
		fmt.Fprintf(h, "%s  %s\n", files().sums[name], name)
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}
