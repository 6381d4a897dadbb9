package launch

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A build compiles the shell as two files that include its sources, since reading the headers costs more than
// compiling them. ccache keeps what it compiled of the first for another design. The second has the sources that see
// the design, and becomes a part of Verilator's own C++, with which it shares the headers.
const (
	sameName  = "gw_same.cpp"
	boundName = "gw_bound"
)

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

// writeUnits writes the two files into folder obj.
func (src *sources) writeUnits(obj string) error {
	return errors.Join(os.WriteFile(filepath.Join(obj, sameName), unit(src.shell), 0o644),
		os.WriteFile(filepath.Join(obj, boundName+".cpp"), unit(src.bound), 0o644))
}

// joinUnit adds the second file to the classes that Verilator wrote into folder obj.
func joinUnit(obj, prefix string) error {
	f, err := os.OpenFile(filepath.Join(obj, prefix+"_classes.mk"), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(f, "VM_CLASSES_FAST += %s\n", boundName)
	return errors.Join(err, f.Close())
}

// unit returns the text of a file that includes others, which are found as headers are: their text is the same in every
// copy of the tree.
func unit(files []string) []byte {
	var b strings.Builder
	for _, f := range files {
		fmt.Fprintf(&b, "#include %q\n", filepath.Base(f))
	}
	return []byte(b.String())
}
