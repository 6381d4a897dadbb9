package launch

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// stamp is a file beside a binary that lists what it was made from. A binary is used only when all of it still holds.
// A path that begins with a root's name lies below that root, wherever it is now: so a copy of the RTL shares
// the build of the original.
type stamp struct {
	Format int      `json:"format"`
	Key    string   `json:"key"`  // of the request: contentHash
	Args   []string `json:"args"` // of Verilator
	Binary string   `json:"binary"`
	// Files are all files that Verilator, the C++ compiler, the linker and make read, with the sums of their content.
	Files map[string]string `json:"files"`
	// Absent are the names that a search would find before one of the files.
	Absent []string `json:"absent"`
	// Env are the variables of the environment that a part of the build mentions, and the sum of their values.
	Env    []string `json:"env"`
	EnvSum string   `json:"env_sum"`
	// Roots are the paths of the roots; Fixed is set when a file contains a path of its own, so that a copy of a root
	// may be read from elsewhere.
	Roots map[string]string `json:"roots"`
	Fixed bool              `json:"fixed,omitempty"`
}

const stampFormat = 1

// root is a folder that may be somewhere else the next time.
type root struct{ name, dir string }

// roots are the folders of a build, the longest first: a path belongs to the innermost.
func (s BuildSpec) roots() []root {
	out := []root{{"$root", s.Root}, {"$shell", s.Shell}}
	if s.Foreign == nil {
		out = append(out, root{"$rtl", s.RTLDir})
	} else if s.Foreign.Dir != "" {
		out = append(out, root{"$dut", s.Foreign.Dir})
	}
	slices.SortStableFunc(out, func(a, b root) int { return len(b.dir) - len(a.dir) })
	return out
}

// abstract replaces the roots in a path, or an argument with paths in it, by their names.
func abstract(roots []root, text string) string {
	for _, r := range roots {
		for at := 0; ; {
			i := strings.Index(text[at:], r.dir)
			if i < 0 {
				break
			}
			i += at
			end := i + len(r.dir)
			starts := i == 0 || !pathLetter(text[i-1]) ||
				strings.HasSuffix(text[:i], "-I") || strings.HasSuffix(text[:i], "-L")
			if starts && (end == len(text) || text[end] == '/' || !pathLetter(text[end])) {
				text = text[:i] + r.name + text[end:]
				end = i + len(r.name)
			}
			at = end
		}
	}
	return text
}

func pathLetter(c byte) bool {
	return c == '/' || c == '_' || c == '.' || c == '-' || unicode.IsLetter(rune(c)) ||
		unicode.IsDigit(rune(c)) || c >= 0x80
}

// concrete is the inverse for a path.
func concrete(roots []root, path string) string {
	for _, r := range roots {
		if rest, ok := strings.CutPrefix(path, r.name); ok && (rest == "" || rest[0] == '/') {
			return r.dir + rest
		}
	}
	return path
}

func abstractAll(roots []root, list []string) []string {
	out := make([]string, len(list))
	for i, x := range list {
		out[i] = abstract(roots, x)
	}
	return out
}

// elsewhere finds an included path that a copy of its folder does not change: an absolute one, or one that a
// macro makes.
var elsewhere = regexp.MustCompile("(?m)(?:`include|^\\s*#\\s*include(?:_next)?)\\s*(?:[\"<]\\s*/|[^\\s\"<])")

// fixed reports whether one of the files below a root names such a path, or a file or argument names a root.
func fixed(roots []root, files, args []string) bool {
	named := func(text string) bool {
		return slices.ContainsFunc(roots, func(r root) bool { return strings.Contains(text, r.dir) })
	}
	for _, f := range files {
		if abstract(roots, f) == f {
			continue
		}
		if text, err := os.ReadFile(f); err != nil || elsewhere.Match(text) || named(string(text)) {
			return true
		}
	}
	return slices.ContainsFunc(abstractAll(roots, args), named)
}

// changed returns what differs between now and the stamp, "" when nothing does, and damaged when it is the binary
// alone. Files that it must read are read through memo, which is good for one build.
func (st *stamp) changed(s BuildSpec, dir, key string, args []string, memo snapshot) (what string, damaged bool) {
	roots := s.roots()
	switch {
	case st.Format != stampFormat:
		return "its stamp is of another version", false
	case st.Key != key:
		return "it is another build", false
	case !slices.Equal(st.Args, abstractAll(roots, args)):
		return "other arguments", false
	case st.EnvSum != envSum(st.Env):
		return "another environment", false
	}
	for _, r := range roots {
		if st.Fixed && st.Roots[r.name] != r.dir {
			return r.name + " is in another place", false
		}
	}
	for _, f := range st.Absent {
		if path := concrete(roots, f); exists(path) {
			return path + " is new", false
		}
	}
	for _, f := range sortedKeys(st.Files) {
		path := concrete(roots, f)
		if err := memo.take(path); err != nil {
			return err.Error(), false
		}
		if sum := memo[path].Sum; sum == "" {
			return path + " is gone", false
		} else if sum != st.Files[f] {
			return path + " differs", false
		}
	}
	exe := filepath.Join(dir, exeName)
	b, err := look(exe)
	fi, statErr := os.Stat(exe)
	switch {
	case err != nil:
		return err.Error(), true
	case b.Sum == "":
		return exe + " is gone", true
	case b.Sum != st.Binary:
		return exe + " is not the file that was built", true
	case statErr != nil || fi.Mode()&0o100 == 0:
		return exe + " is not executable", true
	}
	return "", false
}

// content names what the binary is made from: two builds with the same name are the same.
func (st *stamp) content() string {
	h := sha256.New()
	fmt.Fprintln(h, st.Format, st.Key, st.EnvSum, st.Fixed)
	for _, a := range slices.Concat(st.Args, st.Absent) {
		fmt.Fprintf(h, "%q\n", a)
	}
	for _, f := range sortedKeys(st.Files) {
		fmt.Fprintf(h, "%q %s\n", f, st.Files[f])
	}
	for _, r := range sortedKeys(st.Roots) {
		if st.Fixed {
			fmt.Fprintf(h, "%q\n", st.Roots[r])
		}
	}
	return hex.EncodeToString(h.Sum(nil))[:12]
}

func readStamp(dir string) (*stamp, error) {
	text, err := os.ReadFile(filepath.Join(dir, stampName))
	if err != nil {
		return nil, err
	}
	var st stamp
	return &st, json.Unmarshal(text, &st)
}

func (st *stamp) write(dir string) error {
	text, err := json.MarshalIndent(st, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, stampName), append(text, '\n'), 0o644)
}

// envOfTools are the variables that the programs of a build read by themselves.
var envOfTools = []string{"CXX", "CC", "LINK", "AR", "CXXFLAGS", "CFLAGS", "CPPFLAGS", "LDFLAGS", "LDLIBS",
	"LOADLIBES", "ARFLAGS", "VERILATOR", "VERILATOR_ROOT", "VERILATOR_BIN", "SYSTEMC", "SYSTEMC_INCLUDE", "SYSTEMC_LIBDIR",
	"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "COMPILER_PATH", "GCC_EXEC_PREFIX",
	"SOURCE_DATE_EPOCH", "LD_LIBRARY_PATH", "LD_PRELOAD", "LD_RUN_PATH", "CCACHE_COMPILER", "CCACHE_PREFIX",
	"CCACHE_PREFIX_CPP", "CCACHE_SLOPPINESS", "CCACHE_CONFIGPATH", "CCACHE_EXTRAFILES", "CCACHE_IGNOREOPTIONS"}

var (
	shellVariable = regexp.MustCompile(`\$[({]?([A-Za-z_]\w*)`)
	makeVariable  = regexp.MustCompile(`(?:\$[({]|\bifn?def\s+)([A-Za-z_]\w*)`)
)

// environment returns the names of the variables that matter to a build: those of the tools, those that the makefiles
// may use, since make imports every variable, and those that Verilator may substitute for $NAME in arguments, option
// files and sources.
func environment(makefiles, texts []string, args []string) []string {
	names := slices.Clone(envOfTools)
	for _, f := range makefiles {
		text, _ := os.ReadFile(f) // one that is gone is seen among the files
		for _, m := range makeVariable.FindAllSubmatch(text, -1) {
			if n := string(m[1]); !slices.Contains(envOfShells, n) {
				names = append(names, n)
			}
		}
	}
	for _, f := range texts {
		text, _ := os.ReadFile(f)
		args = append(slices.Clip(args), string(text))
	}
	for _, a := range args {
		for _, m := range shellVariable.FindAllStringSubmatch(a, -1) {
			names = append(names, m[1])
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// envOfShells are the variables that differ from shell to shell and cannot matter to a build, although makefiles
// mention words such as PATH and HOME. The tools that PATH finds are checked themselves.
var envOfShells = []string{"PATH", "HOME", "PWD", "OLDPWD", "SHLVL", "TERM", "USER", "LOGNAME", "SHELL", "MAIL", "LANG",
	"TMPDIR", "_"}

func envSum(names []string) string {
	h := sha256.New()
	for _, n := range names {
		v, ok := os.LookupEnv(n)
		fmt.Fprintf(h, "%s %t %q\n", n, ok, v)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// makeEnv is the environment of the build's programs, without what an outer make adds: its options, such as -n or a job
// server, are not meant for this build.
func makeEnv() []string {
	return marked(slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains([]string{"MAKEFLAGS", "MFLAGS", "GNUMAKEFLAGS", "MAKELEVEL", "MAKEFILES", OwnerEnv}, name)
	}))
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
