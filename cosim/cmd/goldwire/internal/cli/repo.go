package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/goldwire/goldwire/cosim/report"
)

const modulePath = "github.com/goldwire/goldwire"

// RootEnv is the environment variable that names the root of the repository.
const RootEnv = "GOLDWIRE_ROOT"

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
	return "", fmt.Errorf("no Goldwire repository at or above %s; change into one, or give --root DIR or set %s", where,
		RootEnv)
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

// Repository returns the root for this command.
func (a *App) Repository() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", errors.New("the working folder no longer exists; change into a Goldwire repository")
	}
	return FindRoot(a.Root, dir, programDir())
}
