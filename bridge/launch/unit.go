package launch

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// unitName is the C++ file of a build that includes the sources of the shell that see the design. Compiled as one
// file they read Verilator's headers once. The others stay files of their own, since ccache keeps what it compiled of
// them for another design.
const unitName = "gw_shell.cpp"

// designHeader is the header that the build writes for each design.
const designHeader = "gw_build.h"

// shellSources returns the C++ files of the shell in folder dir, sorted: those that are the same for every design, and
// those bound to one because they include its header. It errors when there are none.
func shellSources(dir string) (same, bound []string, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.cpp"))
	if err != nil || len(files) == 0 {
		return nil, nil, fmt.Errorf("shell directory %s holds no C++ files", dir)
	}
	slices.Sort(files)
	for _, f := range files {
		if _, sees := included([]string{f}, nil)[filepath.Join(dir, designHeader)]; sees {
			bound = append(bound, f)
		} else {
			same = append(same, f)
		}
	}
	return same, bound, nil
}

// unit returns the text of a file that includes others.
func unit(files []string) []byte {
	var b strings.Builder
	for _, f := range files {
		fmt.Fprintf(&b, "#include %q\n", f)
	}
	return []byte(b.String())
}
