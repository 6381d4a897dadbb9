package near

import (
	"fmt"
	"strings"
)

// Known returns nil when name is one of all, else an error with the nearest name, or all of them when they are few;
// listing is the command that prints them.
func Known(what, name string, all []string, listing string) error {
	for _, x := range all {
		if x == name {
			return nil
		}
	}
	s := fmt.Sprintf("unknown %s %q", what, name)
	if meant := Name(name, all); meant != "" {
		s += fmt.Sprintf("; did you mean %q?", meant)
	} else if len(all) <= 8 {
		s += "; known: " + strings.Join(all, ", ")
	}
	return fmt.Errorf("%s (%s shows all)", s, listing)
}
