package planted

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed equivalent.txt
var equivalents string

// listed returns, by key, why a change alters no result. In equivalent.txt the keys begin in the first column and the
// reasons after a tab; lines that begin with # are comments.
var listed = sync.OnceValue(func() map[string]string {
	out, key := map[string]string{}, ""
	for line := range strings.Lines(equivalents) {
		line = strings.TrimRight(line, "\n")
		switch reason, ok := strings.CutPrefix(line, "\t"); {
		case ok:
			out[key] = strings.TrimSpace(out[key] + " " + reason)
		case line != "" && line[0] != '#':
			key = line
			out[key] = ""
		}
	}
	return out
})
