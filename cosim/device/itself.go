package device

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/bridge/launch"
)

// ErrItself refuses a comparison that no design can fail.
func ErrItself(design, against string) error {
	return fmt.Errorf("%s and %s are the same design, so nothing would be compared; give another one to --against, "+
		"or add --self to check the harness", design, against)
}

// Same reports whether two devices run the same design, wherever their files are. For devices that were not built here
// this is not known, and it returns false.
func Same(a, b *Device) (bool, error) {
	if a.foreign == nil || b.foreign == nil {
		return false, nil
	}
	return sameDesign(a.foreign, b.foreign)
}

// readsData matches a design whose behaviour may depend on files in its folder.
var readsData = regexp.MustCompile(`\$(readmem[bh]|fopen)\b`)

// sameDesign reports whether two designs are built from the same text, to the last character.
func sameDesign(a, b *launch.Foreign) (bool, error) {
	af, ao := parted(a.Args)
	bf, bo := parted(b.Args)
	if a.Adapter != b.Adapter || !slices.Equal(ao, bo) {
		return false, nil
	}
	x, err := contents(append(af, a.Files...))
	if err != nil {
		return false, err
	}
	y, err := contents(append(bf, b.Files...))
	if err != nil || !slices.EqualFunc(x, y, bytes.Equal) {
		return false, err
	}
	data := slices.ContainsFunc(x, readsData.Match)
	return !data || a.Dir == b.Dir, nil
}

// parted returns the arguments that are files, such as C sources of DPI, and those that change what the sources
// mean: defines and options, without the folders that they are looked up in.
func parted(args []string) (files, options []string) {
	for _, a := range args {
		st, err := os.Stat(a)
		switch {
		case err == nil && st.Mode().IsRegular():
			files = append(files, a)
		case err == nil, strings.HasPrefix(a, "+incdir+"), strings.HasPrefix(a, "-I"), strings.HasPrefix(a, "-y"):
		default:
			options = append(options, a)
		}
	}
	return files, options
}

// contents returns what is in the files, in an order that does not depend on their names.
func contents(files []string) ([][]byte, error) {
	var out [][]byte
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			return nil, fmt.Errorf("source of the design: %w", err)
		}
		out = append(out, text)
	}
	slices.SortFunc(out, bytes.Compare)
	return out, nil
}
