package wire

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
)

// What can go wrong on the bridge. Every error of wire, client and launch wraps one of these, most often
// in an *Error that names the values of both sides and the fix.
var (
	ErrMagic      = errors.New("not a bridge frame")
	ErrVersion    = errors.New("protocol version differs")
	ErrSchemaHash = errors.New("schema hash differs")
	ErrBlock      = errors.New("block differs")
	ErrParams     = errors.New("parameters differ")
	ErrLayout     = errors.New("record layout differs")
	ErrToken      = errors.New("session token differs")
	ErrChecksum   = errors.New("frame checksum differs")
	ErrTooLarge   = errors.New("frame too large")
	ErrTruncated  = errors.New("frame truncated")
	ErrSequence   = errors.New("frame out of sequence")
	ErrProtocol   = errors.New("protocol violated")
	ErrDUTExited  = errors.New("DUT process ended")
	ErrDUTHung    = errors.New("DUT makes no progress")
	ErrDUTStart   = errors.New("DUT did not connect")
	ErrRTL        = errors.New("RTL reported an error")
	ErrSimulator  = errors.New("simulator unusable")
	ErrBuild      = errors.New("DUT build failed")
	ErrAddress    = errors.New("address unusable")
	ErrLimit      = errors.New("a limit is too low")
	ErrClosed     = errors.New("session closed")
	ErrTrace      = errors.New("waves unavailable")
	ErrVectors    = errors.New("vector file unusable")

	ErrUnsupported = errors.New("request not served")
	ErrStalled     = errors.New("model takes no event")
	ErrBusy        = errors.New("server is full")
	ErrModel       = errors.New("model broke")
)

var kinds = map[string]error{
	"magic": ErrMagic, "version": ErrVersion, "schema-hash": ErrSchemaHash, "block": ErrBlock,
	"params": ErrParams, "layout": ErrLayout, "token": ErrToken, "checksum": ErrChecksum,
	"too-large": ErrTooLarge, "truncated": ErrTruncated, "sequence": ErrSequence, "protocol": ErrProtocol,
	"rtl": ErrRTL, "trace": ErrTrace, "vectors": ErrVectors, "address": ErrAddress,
	"unsupported": ErrUnsupported, "stalled": ErrStalled, "busy": ErrBusy, "model": ErrModel,
}

// KindError returns the sentinel of a kind named in an Error message, ErrProtocol for an unknown name.
func KindError(kind string) error {
	if e, ok := kinds[kind]; ok {
		return e
	}
	return ErrProtocol
}

// KindName returns the name of the error's kind in an Error message, "protocol" for one that has none.
func KindName(e *Error) string {
	for name, kind := range kinds {
		if e.Kind == kind {
			return name
		}
	}
	return "protocol"
}

// Error is a failure with everything needed to act on it, on one line.
type Error struct {
	Kind         error    // one of the sentinels above
	What         string   // detail, may be empty
	Ours, Theirs string   // the two values when something differs, else empty
	Mend         string   // what to do, may be empty
	Log          []string // last lines the DUT process printed, oldest first
	Err          error    // cause, may be nil
	Peer         Peer     // whom it is about
}

// quotedLog is how many of the last log lines the one-line text quotes; Log keeps all.
const quotedLog = 3

// Error returns one line: the failure, both values, the cause, the last log lines and the fix.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Peer.kindOf(e.Kind))
	if e.What != "" {
		b.WriteString(": " + e.What)
	}
	if e.Ours != "" || e.Theirs != "" {
		fmt.Fprintf(&b, ": ours %s, theirs %s", cmp.Or(e.Ours, "none"), cmp.Or(e.Theirs, "none"))
	}
	if e.Err != nil {
		b.WriteString(": " + e.Err.Error())
	}
	if n := len(e.Log); n > 0 {
		fmt.Fprintf(&b, " (last output: %s)", strings.Join(e.Log[max(0, n-quotedLog):], " | "))
	}
	if e.Mend != "" {
		b.WriteString("; " + e.Mend)
	}
	return strings.ReplaceAll(b.String(), "\n", " | ")
}

// Unwrap returns the sentinel and the cause.
func (e *Error) Unwrap() []error {
	if e.Err != nil {
		return []error{e.Kind, e.Err}
	}
	return []error{e.Kind}
}

// Fail returns an *Error of the kind with a formatted detail.
func Fail(kind error, format string, args ...any) *Error {
	return &Error{Kind: kind, What: fmt.Sprintf(format, args...)}
}
