package toolchain

import (
	"regexp"
	"strconv"
)

// Message is one error or warning of Verilator.
type Message struct {
	Warning bool
	Class   string // such as PINNOTFOUND; later versions give one where older ones give none
	File    string // "" for what has no place, such as a bad option
	Line    int
	Text    string // to the end of the line
}

var message = regexp.MustCompile(`(?m)^%(Error|Warning)(?:-(\w+))?: (?:([^\s'"][^:\n]*):(\d+):(?:\d+:)? )?(.*)$`)

// Messages returns the errors and warnings in what Verilator printed, in its order.
func Messages(out string) []Message {
	var all []Message
	for _, m := range message.FindAllStringSubmatch(out, -1) {
		line, _ := strconv.Atoi(m[4])
		all = append(all, Message{m[1] == "Warning", m[2], m[3], line, m[5]})
	}
	return all
}

// Kind is what an error of Verilator is about.
type Kind int

// Kinds of errors for which Goldwire knows the cause or the fix.
const (
	Other        Kind = iota
	NoModule          // the module, or interface, of an instance is in no file
	NoInclude         // an included file is in no folder
	NoPackage         // a package is in no file that was read before
	TopInterface      // the top module has an interface as a port
	Duplicate         // two modules have one name
	NoParameter       // the top module lacks parameters of the command line
	BadOption         // Verilator does not know a flag
	NoTop             // no module has the name of the top
	Follows           // the error only follows from another
	Internal          // Verilator itself failed
)

// kinds are tried in order. A kind is known by the class of the error, or by words that all versions print.
var kinds = []struct {
	kind  Kind
	class string
	words *regexp.Regexp
}{
	{Follows, "", regexp.MustCompile(`(?i)^(exiting due to|this may be because there's no search path|` +
		`importing from missing package|parent instance's interface is not found|command failed)|` +
		`parent's interface not connected`)},
	{NoModule, "MODMISSING", regexp.MustCompile(`(?i)^cannot find file containing (module|interface)`)},
	{NoInclude, "", regexp.MustCompile(`(?i)^cannot find include file`)},
	{NoPackage, "PKGNODECL", regexp.MustCompile(`(?i)^(import )?package\b.* not found`)},
	{TopInterface, "", regexp.MustCompile(`(?i)\binterfaced? port on top`)},
	{Duplicate, "MODDUP", regexp.MustCompile(`(?i)^duplicate declaration of module`)},
	{NoParameter, "", regexp.MustCompile(`(?i)^parameters? .*command line .*not found`)},
	{BadOption, "", regexp.MustCompile(`(?i)^(invalid|unknown) option`)},
	{NoTop, "", regexp.MustCompile(`(?i)--top(-module)?\b.* not found`)},
	{Internal, "", regexp.MustCompile(`(?i)^(verilator )?internal error`)},
}

// Kind returns what the error is about; Other for a warning.
func (m Message) Kind() Kind {
	for _, k := range kinds {
		if !m.Warning && (k.class != "" && k.class == m.Class || k.words.MatchString(m.Text)) {
			return k.kind
		}
	}
	return Other
}

// name is a quoted identifier; the words of a class of references are quoted too, but are no identifier.
var name = regexp.MustCompile(`'(\w+)'`)

// Name returns the first quoted name of a text of Verilator, such as that of a missing package; "" for none.
func Name(text string) string {
	if m := name.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}
