package bind

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// maxPackages bounds how many packages are looked for, and maxLooked how many files are looked through.
const maxPackages, maxLooked = 64, 2000

// elaborateFound reads a design whose packages may be among the files around it. It returns those it found, in compile
// order. For a design with interfaces it returns the ports all the same.
func (b *Binding) elaborateFound(ctx context.Context, spec InitSpec) (m *Module, found []string, err error) {
	for {
		m, err = b.Elaborate(ctx)
		if err == nil {
			return m, found, nil
		}
		if m := b.insideProbe(ctx, err); m != nil {
			return m, found, nil
		}
		name := missingPackage(err)
		if name == "" || len(found) == maxPackages {
			return nil, nil, err
		}
		file := findPackage(name, spec)
		if file == "" || slices.Contains(found, file) {
			return nil, nil, asked(err, name)
		}
		found = append([]string{file}, found...)
		b.Sources = append([]string{file}, b.Sources...)
	}
}

// missingPackage returns the first package that the compiler's errors report as missing, or "".
func missingPackage(err error) string {
	ps, _ := err.(Problems)
	for _, p := range ps {
		if m := noPackage.FindStringSubmatch(p.Text); m != nil {
			return m[1]
		}
	}
	return ""
}

// asked returns the errors about a package, with the places where it was looked for.
func asked(err error, name string) error {
	ps, _ := err.(Problems)
	for i := range ps {
		if m := noPackage.FindStringSubmatch(ps[i].Text); m != nil && m[1] == name {
			p := ps[i]
			p.Text = "package " + name + " is in no file around the design; give its file with --source"
			return Problems{p}
		}
	}
	return err
}

// findPackage returns the file with a package: in the folder of the design, those below it and beside it, and the
// include folders; "" when there is none.
func findPackage(name string, spec InitSpec) string {
	declared := regexp.MustCompile(`(?m)^\s*package\s+(?:automatic\s+|static\s+)?` + regexp.QuoteMeta(name) + `\s*;`)
	dir := filepath.Dir(spec.File)
	looked := 0
	for _, root := range append([]string{dir, filepath.Join(dir, "..")}, spec.Include...) {
		hit := ""
		_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return nil // a file that cannot be read holds no package for us
			}
			if d.IsDir() {
				rel, _ := filepath.Rel(root, path)
				if strings.HasPrefix(d.Name(), ".") && path != root && d.Name() != ".." || strings.Count(rel,
					string(filepath.Separator)) > 1 {
					return fs.SkipDir
				}
				return nil
			}
			if !slices.Contains([]string{".sv", ".svh", ".v", ".vh", ".pkg"}, filepath.Ext(path)) {
				return nil
			}
			if looked++; looked > maxLooked {
				return fs.SkipAll
			}
			if text, err := os.ReadFile(path); err == nil && declared.Match(text) {
				hit = path
				return fs.SkipAll
			}
			return nil
		})
		if hit != "" {
			return hit
		}
	}
	return ""
}
