package measured

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
)

// Machine describes the machine on one line: processor, cores, memory, system, Go, and the versions of tools.
func Machine(tools ...string) string {
	cores := "1 core"
	if n := runtime.NumCPU(); n != 1 {
		cores = fmt.Sprintf("%d cores", n)
	}
	out := []string{
		found("/proc/cpuinfo", `(?m)^model name\s*:\s*(.+?)\s*$`, "unknown processor"), cores, memory(),
		fmt.Sprintf("%s (%s/%s)", found("/etc/os-release", `(?m)^PRETTY_NAME="?([^"\n]+)`, "unknown system"), runtime.GOOS,
			runtime.GOARCH),
		runtime.Version(),
	}
	for _, t := range tools {
		out = append(out, version(t))
	}
	return strings.Join(out, ", ")
}

func memory() string {
	var kb float64
	if _, err := fmt.Sscan(found("/proc/meminfo", `(?m)^MemTotal:\s*(\d+) kB`, ""), &kb); err != nil {
		return "unknown memory"
	}
	return fmt.Sprintf("%.1f GiB", kb/(1<<20))
}

// found returns the first group of an expression in a file, or other.
func found(path, expression, other string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return other
	}
	if m := regexp.MustCompile(expression).FindSubmatch(text); m != nil {
		return string(m[1])
	}
	return other
}

// number matches the version that a tool prints.
var number = regexp.MustCompile(`\b\d+\.\d+(\.\d+)?\b`)

// version returns the name and version of a tool. Icarus and Yosys know -V alone.
func version(tool string) string {
	flag := "--version"
	if tool == "iverilog" || tool == "yosys" {
		flag = "-V"
	}
	if _, err := exec.LookPath(tool); err != nil {
		return "no " + tool
	}
	text, _ := exec.Command(tool, flag).CombinedOutput() // iverilog -V may fail after it has printed its version
	if v := number.Find(text); v != nil {
		return tool + " " + string(v)
	}
	return tool + " of unknown version"
}

// Revision returns the commit of the repository in a folder, with a + if its files were changed, except those that
// match the pathspecs. It returns "" if the folder is not the top of a repository or there is no git.
func Revision(root string, except ...string) string {
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
	if changed, ok := git(append([]string{"status", "--porcelain", "--", "."}, except...)...); !ok || changed != "" {
		commit += "+"
	}
	return commit
}
