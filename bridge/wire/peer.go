package wire

// Peer is the party at the other end of a bridge. An error carries it as data, and the methods here name it in
// messages.
type Peer int

// The parties.
const (
	DUT     Peer = iota // the design, in a process of ours
	Program             // a golden program, which supplies expected values
)

// String returns how a sentence names the party.
func (p Peer) String() string {
	if p == Program {
		return "the golden program"
	}
	return "the DUT"
}

// reports returns how the party is named before what it reports itself. A message of a program begins with its name.
func (p Peer) reports() string {
	if p == Program {
		return "it"
	}
	return p.String()
}

// Hello returns how its first message is named.
func (p Peer) Hello() string {
	if p == Program {
		return "its hello"
	}
	return "hello of the DUT"
}

// Reported returns what the party reported, in a sentence.
func (p Peer) Reported(text string) string { return p.reports() + " reports: " + text }

// kindOf returns the text of a sentinel that is about the party.
func (p Peer) kindOf(kind error) string {
	if p == Program {
		switch kind {
		case ErrDUTExited:
			return "the golden program closed the connection"
		case ErrDUTHung:
			return "the golden program makes no progress"
		case ErrDUTStart:
			return "the golden program did not answer"
		}
	}
	return kind.Error()
}
