package sv

import (
	"fmt"
	"strings"
)

// Kinds of tokens.
const (
	tokEnd = iota
	tokIdent
	tokNumber
	tokString
	tokOp
)

// token is a token of the text, at a byte position.
type token struct {
	kind int
	text string
	pos  int
}

func (t token) end() int { return t.pos + len(t.text) }

// operators lists the longest first.
var operators = []string{
	"<<<", ">>>", "===", "!==",
	"<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "**", "+:", "-:", "->", "::", "++", "--", "+=", "-=", "~&", "~|", "~^",
}

// lexer cuts a file into tokens.
type lexer struct {
	file, src string
	pos       int
	toks      []token
}

// lex returns the tokens of a file, without comments, attributes, directives and text excluded by an `ifdef: no macro
// is defined here. It returns an error for text that is not a token.
func lex(file, src string) ([]token, error) {
	l := &lexer{file: file, src: src}
	for {
		more, err := l.next()
		if err != nil {
			return nil, err
		}
		if !more {
			l.toks = append(l.toks, token{tokEnd, "", len(src)})
			return l.toks, nil
		}
	}
}

func (l *lexer) next() (bool, error) {
	if l.pos >= len(l.src) {
		return false, nil
	}
	rest := l.src[l.pos:]
	c := rest[0]
	switch {
	case c == ' ' || c == '\t' || c == '\n' || c == '\r':
		l.pos++
	case strings.HasPrefix(rest, "//"):
		l.pos += span(rest, func(b byte) bool { return b != '\n' })
	case strings.HasPrefix(rest, "/*"):
		n := strings.Index(rest, "*/")
		if n < 0 {
			return false, l.errorf("comment without an end")
		}
		l.pos += n + 2
	case strings.HasPrefix(rest, "(*") && !strings.HasPrefix(rest, "(*)"): // an attribute
		n := strings.Index(rest, "*)")
		if n < 0 {
			return false, l.errorf("attribute without an end")
		}
		l.pos += n + 2
	case c == '`':
		return true, l.directive(rest)
	case c == '"':
		n := strings.IndexByte(rest[1:], '"')
		if n < 0 {
			return false, l.errorf("string without an end")
		}
		l.add(tokString, n+2)
	case isDigit(c) || c == '\'' && len(rest) > 1 && (isWord(rest[1])):
		l.number(rest)
	case isWord(c) || c == '$':
		l.add(tokIdent, span(rest, func(b byte) bool { return isWord(b) || b == '$' }))
	default:
		for _, op := range operators {
			if strings.HasPrefix(rest, op) {
				l.add(tokOp, len(op))
				return true, nil
			}
		}
		if !strings.ContainsRune("+-*/%&|^~!<>=?:;,.()[]{}@#'", rune(c)) {
			return false, l.errorf("unexpected character %q", c)
		}
		l.add(tokOp, 1)
	}
	return true, nil
}

// number reads 12, 8'hff, 'h0, '0.
func (l *lexer) number(rest string) {
	digits := func(b byte) bool { return isDigit(b) || b == '_' }
	n := span(rest, digits)
	if n < len(rest) && rest[n] == '\'' && n+1 < len(rest) && isWord(rest[n+1]) {
		n++
		if strings.ContainsRune("sS", rune(rest[n])) {
			n++
		}
		n += span(rest[n:], func(b byte) bool { return isWord(b) || b == '?' })
	}
	l.add(tokNumber, n)
}

// directive skips a line, or for `ifdef everything up to its `endif: no macro is defined.
func (l *lexer) directive(rest string) error {
	line := rest[:span(rest, func(b byte) bool { return b != '\n' })]
	name := line[1 : 1+span(line[1:], isWord)]
	l.pos += len(line)
	if name != "ifdef" {
		return nil
	}
	for depth := 1; depth > 0; {
		i := strings.IndexByte(l.src[l.pos:], '`')
		if i < 0 {
			return l.errorf("`ifdef without `endif")
		}
		l.pos += i + 1
		switch w := l.src[l.pos : l.pos+span(l.src[l.pos:], isWord)]; w {
		case "ifdef", "ifndef":
			depth++
		case "endif":
			depth--
		case "else":
			if depth == 1 {
				depth = 0
			}
		}
		l.pos += span(l.src[l.pos:], func(b byte) bool { return b != '\n' })
	}
	return nil
}

func (l *lexer) add(kind, n int) {
	l.toks = append(l.toks, token{kind, l.src[l.pos : l.pos+n], l.pos})
	l.pos += n
}

func (l *lexer) errorf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", l.file, lineOf(l.src, l.pos), fmt.Sprintf(format, args...))
}

func lineOf(src string, pos int) int { return 1 + strings.Count(src[:min(pos, len(src))], "\n") }

func span(s string, ok func(byte) bool) int {
	n := 0
	for n < len(s) && ok(s[n]) {
		n++
	}
	return n
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isWord(c byte) bool {
	return isDigit(c) || c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
