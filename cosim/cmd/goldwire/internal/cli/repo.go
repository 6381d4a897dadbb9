package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/goldwire/goldwire/cosim/cmd/goldwire/internal/builtin"
	"github.com/goldwire/goldwire/cosim/report"
)

const modulePath = "github.com/goldwire/goldwire"

// RootEnv is the environment variable that names the root of the repository.
const RootEnv = "GOLDWIRE_ROOT"

// BuiltIn is the value of --root and of the environment variable that chooses the files built into the program.
const BuiltIn = "built-in"

// errNone is wrapped by FindRoot's error if there is no repository.
var errNone = errors.New("no Goldwire repository")

// FindRoot returns the repository root. It is, in this order: given, if not empty; the value of the environment
// variable GOLDWIRE_ROOT; the nearest folder at or above dir that holds the project's go.mod; the nearest such folder
// at or above that of the program, because make build puts the program into build/ of a repository. It errors if dir is
// in another repository than the variable names: a setting left over from other work would pass off that repository's
// RTL as this one's.
func FindRoot(given, dir, program string) (string, error) {
	from := "--root"
	if given == "" {
		given, from = os.Getenv(RootEnv), RootEnv
	}
	if given != "" {
		abs, err := filepath.Abs(given)
		if err != nil {
			return "", fmt.Errorf("%s %s: %w", from, given, err)
		}
		if !isRoot(abs) {
			return "", fmt.Errorf("%s %s: no go.mod of module %s there; give the root of a Goldwire repository", from, given,
				modulePath)
		}
		if here := above(dir); from == RootEnv && here != "" && !report.SameFile(here, abs) {
			return "", fmt.Errorf("%s %s: the working folder is in another repository, %s; unset the variable, or give the "+
				"intended one with --root", from, given, here)
		}
		return abs, nil
	}
	for _, from := range []string{dir, program} {
		if d := above(from); d != "" {
			return d, nil
		}
	}
	where := dir
	if program != "" {
		where += " or above the program in " + program
	}
	return "", fmt.Errorf("%w at or above %s; change into one, or give --root DIR or set %s", errNone, where, RootEnv)
}

// above returns the nearest folder at or above dir that is a repository's root, or "" if there is none or dir is empty.
func above(dir string) string {
	for d := dir; d != ""; d = filepath.Dir(d) {
		if isRoot(d) {
			return d
		}
		if d == filepath.Dir(d) {
			break
		}
	}
	return ""
}

// programDir returns the folder of this program, with links resolved, or "".
func programDir() string {
	exe, err := os.Executable()
	if err != nil {
		return ""
	}
	if real, err := filepath.EvalSymlinks(exe); err == nil {
		exe = real
	}
	return filepath.Dir(exe)
}

func isRoot(dir string) bool {
	data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return false
	}
	for _, l := range strings.Split(string(data), "\n") {
		if f := strings.Fields(l); len(f) >= 2 && f[0] == "module" {
			return strings.Trim(f[1], `"`) == modulePath
		}
	}
	return false
}

// Repository returns the root for this command: that of a repository or, if there is none, the folder of the files
// built into the program.
func (a *App) Repository() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", errors.New("the working folder no longer exists; change into a Goldwire repository")
	}
	switch here := above(dir); {
	case namesBuiltIn(a.Root):
		return a.builtIn()
	case a.Root != "" || !namesBuiltIn(os.Getenv(RootEnv)):
		root, err := FindRoot(a.Root, dir, programDir())
		if !errors.Is(err, errNone) {
			return root, err
		}
	case here != "": // the variable may be left over from other work
		return "", fmt.Errorf("%s %s: the working folder is in a repository, %s; unset the variable, or give --root %s",
			RootEnv, os.Getenv(RootEnv), here, BuiltIn)
	}
	if copied := copyAbove(dir); copied != "" {
		return "", fmt.Errorf("%s is a copy of a file of Goldwire, but no go.mod of module %s is above it; give its "+
			"repository with --root, or --root %s to use the RTL built into goldwire, or with --rtl the copy", copied,
			modulePath, BuiltIn)
	}
	return a.builtIn()
}

// namesBuiltIn reports whether a root is that of the files built into the program, as the user names it or, with the
// folder, a campaign of ours.
func namesBuiltIn(root string) bool {
	if root == "" || root == BuiltIn {
		return root != ""
	}
	dir, err := builtin.Dir()
	return err == nil && report.SameFile(root, dir)
}

func (a *App) builtIn() (string, error) {
	root, err := builtin.Open()
	if err == nil {
		a.Design = fmt.Sprintf("hdl/rtl built into goldwire (sha256 %s)", builtin.RTLHash())
	}
	return root, err
}

// copyAbove returns a file at or above dir that seems to be a copy of one of our modules, or "". Who edits it expects
// that it is tested.
func copyAbove(dir string) string {
	for {
		for _, name := range builtin.RTL() {
			if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
				return filepath.Join(dir, name)
			}
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
		dir = filepath.Dir(dir)
	}
}

// Checkout returns the root of a repository for a command, or a part of one, that needs more than the files built into
// the program.
func (a *App) Checkout(what string) (string, error) {
	root, err := a.Repository()
	if err == nil && a.Design != "" {
		return "", fmt.Errorf("%s: needs a checkout of Goldwire with git, not only the files built into goldwire; "+
			"clone the repository and run this in it, or give --root DIR", what)
	}
	return root, err
}

// Outputs returns the folder whose build/ takes results that the user gives no place: root, or the working folder if
// root is that of the files built into the program.
func (a *App) Outputs(root string) string {
	if a.Design != "" {
		return "."
	}
	return root
}
