package launch

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"github.com/goldwire/goldwire/bridge/wire"
)

// pins are the folders whose content is prescribed: folder -> map[string]string.
var pins sync.Map

// Pin prescribes the files of a folder by their sums, sha256 in hex digits, by path relative to the folder. From then
// on this process refuses every build that has read another file there, except below its folder build/. So an edit that
// is made, or undone, while a design is built cannot pass for the prescribed design.
func Pin(dir string, sums map[string]string) { pins.Store(dir, sums) }

// pinned returns an error if a build has read a file of a pinned folder that is not the prescribed one.
func (st *stamp) pinned(roots []root) (err error) {
	pins.Range(func(dir, sums any) bool {
		for _, f := range sortedKeys(st.Files) {
			path := concrete(roots, f)
			name, inside := strings.CutPrefix(filepath.Clean(path), dir.(string)+"/")
			if !inside || strings.HasPrefix(name, "build/") || sums.(map[string]string)[name] == st.Files[f] {
				continue
			}
			err = &wire.Error{Kind: wire.ErrBuild, What: fmt.Sprintf("%s is not the file built into goldwire", path),
				Mend: "remove " + dir.(string) + " and run again; to test other RTL, copy hdl/rtl and give --rtl"}
			return false
		}
		return true
	})
	return err
}
