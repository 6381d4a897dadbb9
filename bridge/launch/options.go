package launch

import "strings"

// Unplain are the characters of a path that the build cannot take: make and the shell give them a meaning.
const Unplain = " \t\n'\"$#:;|&<>()`*?[]\\!%"

// OptionWords returns the words of a file of Verilator's options, without comments. A double quote holds a word
// together. In doubt it treats what Verilator treats as a comment as a word, never the other way round.
func OptionWords(text string) []string {
	var words []string
	var word strings.Builder
	in := false // in a word
	quoted := false
	end := func() {
		if in {
			words = append(words, word.String())
		}
		word.Reset()
		in = false
	}
	for i := 0; i < len(text); i++ {
		c := text[i]
		rest := text[i:]
		switch {
		case c == '\\' && i+1 < len(text):
			i++
			word.WriteByte(text[i])
			in = true
		case c == '"':
			quoted, in = !quoted, true
		case quoted:
			word.WriteByte(c)
		case strings.HasPrefix(rest, "//") && !in, c == '#' && (i == 0 || text[i-1] == '\n'):
			end()
			if n := strings.IndexByte(rest, '\n'); n >= 0 {
				i += n
			} else {
				i = len(text)
			}
		case strings.HasPrefix(rest, "/*") && !in:
			end()
			if n := strings.Index(rest[2:], "*/"); n >= 0 {
				i += n + 3
			} else {
				i = len(text)
			}
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			end()
		default:
			word.WriteByte(c)
			in = true
		}
	}
	end()
	return words
}
