package launch

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// cSources are the endings of the files that Verilator hands to the C++ compiler.
var cSources = []string{".c", ".cc", ".cpp", ".cxx"}

// cHeaders are the endings of files beside them that a macro-generated name may include.
var cHeaders = []string{".h", ".hh", ".hpp", ".hxx", ".inc", ".inl", ".ipp", ".tpp"}

var includeLine = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include(?:_next)?[ \t]*["<]([^">\n]+)[">]`)

// cFiles returns the files that the C++ sources among Verilator's arguments are made of, sorted, without the
// sources: the headers beside them, and whatever they include, by way of others too, that is found from the
// includer's folder, the folders of the sources or the include folders of the arguments. Conditions are ignored, so it
// may list more than the compiler reads, but not less; system headers are not included.
func cFiles(args []string) []string {
	var unread, dirs []string
	for i, a := range args {
		switch {
		case strings.HasPrefix(a, "+incdir+"):
			dirs = append(dirs, strings.Split(strings.TrimPrefix(a, "+incdir+"), "+")...)
		case strings.HasPrefix(a, "-"):
			for _, w := range strings.Fields(a) { // "-CFLAGS -Idir" may be one argument
				if dir, ok := strings.CutPrefix(w, "-I"); ok {
					dirs = append(dirs, dir)
				}
			}
		case slices.Contains(cSources, filepath.Ext(a)):
			unread = append(unread, a)
			dirs = append(dirs, filepath.Dir(a))
		case i > 0 && args[i-1] == "-CFLAGS":
			for _, w := range strings.Fields(a) {
				dirs = append(dirs, strings.TrimPrefix(w, "-I"))
			}
		}
	}
	sources := slices.Clone(unread)
	var found []string
	for _, s := range sources {
		beside, _ := os.ReadDir(filepath.Dir(s)) // the build reports a source that is missing
		for _, e := range beside {
			if slices.Contains(cHeaders, filepath.Ext(e.Name())) && !e.IsDir() {
				unread = append(unread, filepath.Join(filepath.Dir(s), e.Name()))
			}
		}
	}
	for f, read := range included(unread, dirs) {
		if read && !slices.Contains(sources, f) {
			found = append(found, f)
		}
	}
	slices.Sort(found)
	return found
}

// included returns files and all that they include, by way of others too, under every name that an include can mean:
// in the includer's folder and in dirs. The values report whether a file can be read; many cannot, such as the
// system's headers, and those that the build writes.
func included(files, dirs []string) map[string]bool {
	out := map[string]bool{}
	for unread := slices.Clone(files); len(unread) > 0; {
		f := unread[0]
		unread = unread[1:]
		if _, seen := out[f]; seen {
			continue
		}
		text, err := os.ReadFile(f)
		out[f] = err == nil
		for _, m := range includeLine.FindAllSubmatch(text, -1) {
			for _, dir := range append([]string{filepath.Dir(f)}, dirs...) {
				unread = append(unread, filepath.Join(dir, string(m[1])))
			}
		}
	}
	return out
}

// cFlags returns the words of the C++ compiler's flags, those of the environment too.
func (s BuildSpec) cFlags() []string {
	words := strings.Fields(os.Getenv("CXXFLAGS") + " " + os.Getenv("CPPFLAGS"))
	if s.Foreign != nil {
		for i, a := range s.Foreign.Args {
			if i > 0 && strings.TrimLeft(s.Foreign.Args[i-1], "-") == "CFLAGS" {
				words = append(words, strings.Fields(a)...)
			}
		}
	}
	return words
}

// systemHeaders returns all files in the folders that flags or the environment name as the system's: the
// compiler does not name what it reads there. The compiler's own folders count by its version.
func systemHeaders(flags []string) []string {
	var dirs []string
	for i, w := range flags {
		for _, option := range []string{"-isystem", "-idirafter", "-cxx-isystem"} {
			if dir, ok := strings.CutPrefix(w, option); ok && dir != "" {
				dirs = append(dirs, dir)
			} else if ok && i+1 < len(flags) {
				dirs = append(dirs, flags[i+1])
			}
		}
	}
	for _, name := range []string{"C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"} {
		dirs = append(dirs, filepath.SplitList(os.Getenv(name))...)
	}
	var files []string
	for _, dir := range dirs {
		_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() {
				if fi, err := os.Stat(path); err == nil && fi.Mode().IsRegular() {
					files = append(files, path)
				}
			}
			return nil // a file that cannot be read is not a header
		})
	}
	slices.Sort(files)
	return slices.Compact(files)
}
