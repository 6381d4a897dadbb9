package launch

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOptionWords(t *testing.T) {
	for text, words := range map[string][]string{
		"":                                       nil,
		"-a  b\n\t+c\r\n":                        {"-a", "b", "+c"},
		"# all of it\n-a":                        {"-a"},
		"-a # --b\n":                             {"-a", "#", "--b"},
		"// no --b\n-a // --b":                   {"-a"},
		"x// --b":                                {"x//", "--b"},
		"/* --b\n --c */ -a":                     {"-a"},
		"/* --b":                                 nil,
		"\"-a b\" c":                             {"-a b", "c"},
		"'-a b'":                                 {"'-a", "b'"},
		"-a\\ b":                                 {"-a b"},
		"\"\\\" --b \"":                          {"\" --b "},
		"+define+A=\"x --b\" -CFLAGS \"-O2 -g\"": {"+define+A=x --b", "-CFLAGS", "-O2 -g"},
	} {
		require.Equal(t, words, OptionWords(text), "%q", text)
	}
}
