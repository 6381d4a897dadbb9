package launchtest

import (
	"errors"
	"fmt"
	"strings"
)

var errPairs = errors.New("texts to replace: an odd number, give old and new in turn")

// replaced returns text with each old text of oldNew replaced by the new one after it. It errors unless each old text
// occurs exactly once, and differs from the new one.
func replaced(text string, oldNew []string) (string, error) {
	if len(oldNew) == 0 || len(oldNew)%2 != 0 {
		return "", errPairs
	}
	for i := 0; i < len(oldNew); i += 2 {
		before, after := oldNew[i], oldNew[i+1]
		if n := strings.Count(text, before); n != 1 {
			return "", fmt.Errorf("%q occurs %d times, want once", before, n)
		}
		if before == after {
			return "", fmt.Errorf("%q is replaced by itself", before)
		}
		text = strings.Replace(text, before, after, 1)
	}
	return text, nil
}
