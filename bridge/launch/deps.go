package launch

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// deps lists what the programs of a build report to have read.
type deps struct {
	verilog []string // by Verilator, itself among them
	c       []string // by the C++ compiler, without its system folders
	link    []string // by the linker
	make    []string // makefiles
}

func (d *deps) all() []string {
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(d.verilog, d.c, d.link, d.make))))
}

// readDeps returns what a build in folder obj read, and in own what it wrote itself. Verilator ran in folder wd,
// and linkOut is what make printed, the linker's trace in it. Names are as the programs opened them, joined to the
// folder that they ran in: not cleaned, since a folder may be a link. It errors when one of the programs left no
// list, since then it is not known what the binary was made from.
func readDeps(own, obj, wd, prefix, linkOut string) (*deps, error) {
	d := &deps{}
	var err error
	if d.verilog, err = readRule(filepath.Join(obj, prefix+"__ver.d"), wd); err != nil {
		return nil, err
	}
	rules, _ := filepath.Glob(filepath.Join(obj, "*.d"))
	for _, r := range rules {
		if strings.HasSuffix(r, "__ver.d") {
			continue
		}
		files, err := readRule(r, obj)
		if err != nil {
			return nil, err
		}
		d.c = append(d.c, files...)
	}
	if d.link = readTrace(linkOut, obj); len(d.link) == 0 {
		return nil, fmt.Errorf("the linker does not name the files that it reads; it must know the option --trace")
	}
	makefile := filepath.Join(obj, prefix+".mk")
	d.make = []string{makefile, filepath.Join(obj, prefix+"_classes.mk")}
	text, err := os.ReadFile(makefile)
	if err != nil {
		return nil, err
	}
	if m := verilatorRoot.FindSubmatch(text); m != nil {
		d.make = append(d.make, filepath.Join(string(m[1]), "include", "verilated.mk"))
	}
	if len(d.verilog) < 2 || len(d.c) == 0 {
		return nil, fmt.Errorf("the dependency files in %s are empty", obj)
	}
	for _, list := range []*[]string{&d.verilog, &d.c, &d.link, &d.make} {
		*list = slices.DeleteFunc(*list, func(f string) bool { return strings.HasPrefix(f, own+"/") })
	}
	return d, nil
}

var verilatorRoot = regexp.MustCompile(`(?m)^VERILATOR_ROOT = (\S+)$`)

// readRule returns the prerequisites of a rule in make's language, with spaces and $ as make quotes them.
func readRule(file, dir string) ([]string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	rest := strings.ReplaceAll(string(text), "\\\n", " ")
	var out []string
	for line := range strings.Lines(rest) {
		_, list, ok := strings.Cut(line, ": ")
		if !ok {
			continue
		}
		list = strings.NewReplacer(`\ `, "\x00", `\#`, "#", "$$", "$").Replace(list)
		for _, f := range strings.Fields(list) {
			out = append(out, under(dir, strings.ReplaceAll(f, "\x00", " ")))
		}
	}
	return out, nil
}

// Forms of a line of the linker's trace: a path, with a member of an archive after it or around it, and what
// older ones print for -l.
var (
	traceMember = regexp.MustCompile(`^(\S+\.a)\([^()]*\)$`)
	traceAround = regexp.MustCompile(`^\((\S+)\)\S*$`)
	traceFound  = regexp.MustCompile(`^-l\S+ \((\S+)\)$`)
)

// readTrace returns the files that the linker says it read. Nothing else that make prints names an existing file;
// temporary files that the compiler passed to the linker are gone by now.
func readTrace(out, obj string) []string {
	var files []string
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(line)
		for _, re := range []*regexp.Regexp{traceMember, traceAround, traceFound} {
			if m := re.FindStringSubmatch(line); m != nil {
				line = m[1]
			}
		}
		if line == "" || strings.ContainsAny(line, " \t") {
			continue
		}
		f := under(obj, line)
		if fi, err := os.Stat(f); err == nil && fi.Mode().IsRegular() {
			files = append(files, f)
		}
	}
	return files
}

// under joins a name to the folder that it is relative to, without cleaning it.
func under(dir, name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	name = strings.TrimPrefix(name, "./")
	if strings.HasPrefix(name, "../") { // above a folder that may be gone when the name is used again
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			dir = real
		}
		for strings.HasPrefix(name, "../") {
			dir, name = filepath.Dir(dir), strings.TrimPrefix(name, "../")
		}
	}
	return dir + "/" + name
}

// shadows returns the names that a search would have found before the files that it found: if one of them appears, the
// build reads it instead. In doubt it lists more names than the programs look at.
func (d *deps) shadows(args []string, own, obj, wd string) []string {
	s := searchOf(args, obj, wd)
	out := map[string]bool{}
	add := func(files, dirs, endings []string, names func(f, dir string) []string) {
		for _, f := range files {
			for _, dir := range dirs {
				for _, name := range names(f, dir) {
					for _, other := range dirs {
						for _, e := range endings {
							out[under(other, name+e)] = true
						}
					}
				}
			}
		}
	}
	below := func(f, dir string) []string {
		name, ok := strings.CutPrefix(f, strings.TrimSuffix(dir, "/")+"/")
		if !ok {
			return nil
		}
		names := []string{name}
		for _, e := range s.endings {
			if n, ok := strings.CutSuffix(name, e); ok && e != "" {
				names = append(names, n)
			}
		}
		return names
	}
	add(d.verilog, s.verilog, s.endings, below)
	cDirs := slices.Clone(s.c)
	for _, f := range d.c {
		if dir := filepath.Dir(f); !slices.Contains(cDirs, dir) {
			cDirs = append(cDirs, dir)
		}
	}
	add(d.c, cDirs, []string{""}, below)
	for _, lib := range s.libs {
		for _, dir := range s.lib {
			out[under(dir, "lib"+lib+".so")], out[under(dir, "lib"+lib+".a")] = true, true
		}
	}
	var list []string
	for f := range out {
		if _, err := os.Stat(f); err != nil && !strings.HasPrefix(f, own+"/") {
			list = append(list, f)
		}
	}
	slices.Sort(list)
	return list
}

// search is where the programs of a build look for files, in order.
type search struct {
	verilog, endings []string // for modules and included files
	c                []string // for headers
	lib, libs        []string // for libraries, and the libraries
}

// searchOf reads it from Verilator's arguments. Verilator runs in folder wd, the compiler in obj.
func searchOf(args []string, obj, wd string) search {
	s := search{verilog: []string{wd}, endings: []string{"", ".v", ".sv"}}
	for i := 0; i < len(args); i++ {
		a := args[i]
		if strings.HasPrefix(a, "--") {
			a = a[1:]
		}
		next := func() (string, bool) {
			if i+1 < len(args) {
				i++
				return args[i], true
			}
			return "", false
		}
		switch {
		case a == "-y":
			if dir, ok := next(); ok {
				s.verilog = append(s.verilog, under(wd, dir))
			}
		case a == "-CFLAGS":
			if words, ok := next(); ok {
				for _, dir := range cFolders(words) {
					s.c = append(s.c, under(obj, dir))
				}
			}
		case a == "-LDFLAGS":
			if words, ok := next(); ok {
				for _, w := range strings.Fields(words) {
					if dir, ok := strings.CutPrefix(w, "-L"); ok {
						s.lib = append(s.lib, under(obj, dir))
					} else if name, ok := strings.CutPrefix(w, "-l"); ok {
						s.libs = append(s.libs, name)
					}
				}
			}
		case strings.HasPrefix(a, "+incdir+"):
			for dir := range strings.SplitSeq(strings.TrimPrefix(a, "+incdir+"), "+") {
				s.verilog = append(s.verilog, under(wd, dir))
			}
		case strings.HasPrefix(a, "-I"):
			s.verilog = append(s.verilog, under(wd, strings.TrimPrefix(a, "-I")))
		case strings.HasPrefix(a, "+libext+"):
			s.endings = append(s.endings, strings.Split(strings.TrimPrefix(a, "+libext+"), "+")...)
		}
	}
	return s
}

// cFolders returns the folders of -I in the compiler's flags.
func cFolders(flags string) []string {
	var dirs []string
	words := strings.Fields(flags)
	for i, w := range words {
		dir, ok := strings.CutPrefix(w, "-I")
		if ok && dir == "" && i+1 < len(words) {
			dir = words[i+1]
		}
		if ok && dir != "" {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}
