package launch

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Origin is what a binary was made from.
type Origin struct {
	// Content is a hash over all files, arguments and variables that the build read: the same wherever the tree lies.
	Content string
	// Design is a hash over the files of the design alone: builds of one design with other options share it.
	Design string

	built, now []root // where the folders were when it was built, and are now
	root       string // of the repository
}

// origin returns what the binary of a stamp was made from.
func (st *stamp) origin(s BuildSpec) Origin {
	o := Origin{Content: st.content(), now: s.roots(), root: s.Root}
	for name, dir := range st.Roots {
		o.built = append(o.built, root{name, dir})
	}
	slices.SortFunc(o.built, func(a, b root) int {
		if n := len(b.dir) - len(a.dir); n != 0 {
			return n
		}
		return strings.Compare(a.name, b.name)
	})
	h := sha256.New()
	for _, f := range sortedKeys(st.Files) {
		for _, folder := range []string{"$rtl/", "$dut/", "$root/hdl/rtl/", "$root/hdl/gen/"} {
			if strings.HasPrefix(f, folder) {
				fmt.Fprintf(h, "%q %s\n", f, st.Files[f])
				break
			}
		}
	}
	o.Design = hex.EncodeToString(h.Sum(nil))[:12]
	return o
}

// Source returns where a file that the build read lies now, by the path that it had then: relative to the root of the
// repository, or absolute for one outside of it.
func (o *Origin) Source(path string) string {
	if name := abstract(o.built, path); name != path {
		path = concrete(o.now, name)
	}
	if rel, err := filepath.Rel(o.root, path); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return path
}
