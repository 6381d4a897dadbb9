package campaign

import (
	"os/exec"
	"strings"
)

// revision returns the commit of the repository in a folder, with a + if its files were changed. It returns "" if the
// folder is not the top of a repository or there is no git.
func revision(root string) string {
	git := func(args ...string) (string, bool) {
		out, err := exec.Command("git", append([]string{"-C", root}, args...)...).Output()
		return string(out), err == nil
	}
	// The first line is the folder's place in the repository: empty at the top.
	out, ok := git("rev-parse", "--show-prefix", "--short=12", "HEAD")
	commit, top := strings.CutPrefix(out, "\n")
	if commit = strings.TrimSpace(commit); !ok || !top || commit == "" {
		return ""
	}
	if changed, ok := git("status", "--porcelain"); !ok || changed != "" {
		commit += "+"
	}
	return commit
}
