package launch

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// RTL is a folder of modules, each in a file of its name, in the folder itself or in any folder below it.
//
//	rtl, err := launch.ReadRTL("hdl/rtl")
//	rtl.Module("ccc")  // ccc/ccc.sv
type RTL struct {
	Dir     string
	Folders []string // those that hold modules or headers: "." for Dir itself, then the others by name
	Files   []string // modules and headers, relative to Dir, in the order of Folders
	modules map[string]string
}

// ReadRTL returns the modules of a folder. It errors for a folder that does not exist or holds no module, and for a
// module or a header that exists twice: a simulator would take the first that it finds, and the other, which may be the
// intended one, would not be tested.
func ReadRTL(dir string) (*RTL, error) {
	if fi, err := os.Stat(dir); err != nil {
		return nil, fmt.Errorf("rtl folder %s does not exist; give a copy of hdl/rtl", dir)
	} else if !fi.IsDir() {
		return nil, fmt.Errorf("rtl folder %s is a file; give a folder, a copy of hdl/rtl", dir)
	}
	r := &RTL{Dir: dir, modules: map[string]string{}}
	found := map[string][]string{}
	if err := r.walk(".", found, map[string]bool{}); err != nil {
		return nil, fmt.Errorf("rtl folder %s: %w", dir, err)
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		paths := found[name]
		verilog := slices.ContainsFunc(paths, func(p string) bool { return filepath.Ext(p) != "" })
		if len(paths) > 1 && verilog {
			return nil, fmt.Errorf("rtl folder %s: %s is there twice, as %s; keep one", dir, name,
				strings.Join(paths, " and "))
		}
		if verilog && !isHeader(name) {
			r.modules[name] = paths[0]
		}
	}
	if len(r.modules) == 0 {
		return nil, fmt.Errorf("rtl folder %s holds no module; give a copy of hdl/rtl", dir)
	}
	return r, nil
}

func isHeader(name string) bool { return slices.Contains([]string{".svh", ".vh"}, filepath.Ext(name)) }

// walk adds a folder and those below it, following links, each once, and leaves out hidden ones. found holds the files
// by the name that a simulator looks for: that of a header, or of a module, whose file may have no ending.
func (r *RTL) walk(folder string, found map[string][]string, seen map[string]bool) error {
	real, err := filepath.EvalSymlinks(filepath.Join(r.Dir, folder))
	if err != nil || seen[real] {
		return err
	}
	seen[real] = true
	entries, err := os.ReadDir(real)
	if err != nil {
		return err
	}
	var below []string
	holds := false
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			continue
		}
		path, dir := filepath.Join(folder, e.Name()), e.IsDir()
		if e.Type()&fs.ModeSymlink != 0 {
			fi, err := os.Stat(filepath.Join(real, e.Name()))
			dir = err == nil && fi.IsDir() // the build reports a link that leads nowhere
		}
		if dir {
			below = append(below, path)
			continue
		}
		name := e.Name()
		switch ext := filepath.Ext(name); {
		case ext == ".sv" || ext == ".v":
			name = strings.TrimSuffix(name, ext)
		case ext != "" && !isHeader(name):
			continue
		}
		found[name] = append(found[name], path)
		if filepath.Ext(path) != "" {
			r.Files, holds = append(r.Files, path), true
		}
	}
	if holds {
		r.Folders = append(r.Folders, folder)
	}
	for _, b := range below {
		if err := r.walk(b, found, seen); err != nil {
			return err
		}
	}
	return nil
}

// Module returns the path, relative to Dir, of the file of a module; "" when there is none.
func (r *RTL) Module(name string) string { return r.modules[name] }

// paths joins names below Dir to it.
func (r *RTL) paths(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = filepath.Join(r.Dir, n)
	}
	return out
}
