package sv

import (
	"fmt"
	"slices"
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
	err       error // the first
}

// lex returns the tokens of a file, without comments, attributes, directives and text excluded by an `ifdef: no macro
// is defined here. It returns an error for text that is not a token.
func lex(file, src string) ([]token, error) {
	l := &lexer{file: file, src: src}
	for l.pos < len(src) && l.err == nil {
		l.next()
	}
	return append(l.toks, token{tokEnd, "", len(src)}), l.err
}

func (l *lexer) next() {
	rest := l.src[l.pos:]
	c := rest[0]
	switch {
	case c == ' ' || c == '\t' || c == '\n' || c == '\r':
		l.pos++
	case strings.HasPrefix(rest, "//"):
		l.pos += span(rest, func(b byte) bool { return b != '\n' })
	case strings.HasPrefix(rest, "/*"):
		l.pos += l.past(rest, "*/", "comment")
	case strings.HasPrefix(rest, "(*") && !strings.HasPrefix(rest, "(*)"):
		l.pos += l.past(rest, "*)", "attribute")
	case c == '`':
		l.directive(rest)
	case c == '"':
		l.add(tokString, 1+l.past(rest[1:], `"`, "string"))
	case isDigit(c) || c == '\'' && len(rest) > 1 && (isWord(rest[1])):
		l.number(rest)
	case isWord(c) || c == '$':
		l.add(tokIdent, span(rest, func(b byte) bool { return isWord(b) || b == '$' }))
	default:
		n := 1
		if i := slices.IndexFunc(operators, func(op string) bool { return strings.HasPrefix(rest, op) }); i >= 0 {
			n = len(operators[i])
		} else if !strings.ContainsRune("+-*/%&|^~!<>=?:;,.()[]{}@#'", rune(c)) {
			l.fail("unexpected character %q", c)
		}
		l.add(tokOp, n)
	}
}

// past returns the length of a text up to and with its end.
func (l *lexer) past(text, end, what string) int {
	n := strings.Index(text, end)
	if n < 0 {
		l.fail("%s without an end", what)
		return 0
	}
	return n + len(end)
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
func (l *lexer) directive(rest string) {
	line := rest[:span(rest, func(b byte) bool { return b != '\n' })]
	name := line[1 : 1+span(line[1:], isWord)]
	l.pos += len(line)
	if name != "ifdef" {
		return
	}
	for depth := 1; depth > 0; {
		i := strings.IndexByte(l.src[l.pos:], '`')
		if i < 0 {
			l.fail("`ifdef without `endif")
			return
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
}

func (l *lexer) add(kind, n int) {
	l.toks = append(l.toks, token{kind, l.src[l.pos : l.pos+n], l.pos})
	l.pos += n
}

func (l *lexer) fail(format string, args ...any) {
	if l.err == nil {
		l.err = fmt.Errorf("%s:%d: %s", l.file, lineOf(l.src, l.pos), fmt.Sprintf(format, args...))
	}
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
