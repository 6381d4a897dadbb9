package uet

import "fmt"

// Type is the type of a packet, 5 bits.
type Type uint8

// The types with a layout. TSS, which is encrypted, has none.
const (
	TSS       Type = 1
	RudReq    Type = 2
	RodReq    Type = 3
	RudiReq   Type = 4
	RudiResp  Type = 5
	UUD       Type = 6
	Ack       Type = 7
	AckCC     Type = 8
	AckCCX    Type = 9
	Nack      Type = 10
	CP        Type = 11
	NackCCX   Type = 12
	RudCCReq  Type = 13
	RodCCReq  Type = 14
	typeCount      = 15
)

var typeNames = [typeCount]string{"", "TSS", "RUD_REQ", "ROD_REQ", "RUDI_REQ", "RUDI_RESP", "UUD", "ACK", "ACK_CC",
	"ACK_CCX", "NACK", "CP", "NACK_CCX", "RUD_CC_REQ", "ROD_CC_REQ"}

// String returns the name of a type, or its number.
func (t Type) String() string { return named("type", typeNames[:], int(t)) }

// NextHdr is the kind of the header that follows, 4 bits.
type NextHdr uint8

var nextHdrNames = []string{"none", "small", "medium", "standard request", "response", "response with data",
	"small response with data"}

// String returns the name of a next header, or its number.
func (n NextHdr) String() string { return named("next_hdr", nextHdrNames, int(n)) }

// Known reports whether the value has a meaning.
func (n NextHdr) Known() bool { return int(n) < len(nextHdrNames) }

// CtlType is the kind of a control packet, 4 bits.
type CtlType uint8

// The kinds of control packets.
const (
	Noop        CtlType = 0
	AckReq      CtlType = 1
	Clear       CtlType = 2
	ClearReq    CtlType = 3
	Close       CtlType = 4
	CloseReq    CtlType = 5
	Probe       CtlType = 6
	Credit      CtlType = 7
	CreditReq   CtlType = 8
	Negotiation CtlType = 9
)

var ctlNames = []string{"NOOP", "ACK_REQ", "CLEAR", "CLEAR_REQ", "CLOSE", "CLOSE_REQ", "PROBE", "CREDIT", "CREDIT_REQ",
	"NEGOTIATION"}

// String returns the name of a kind of control packet, or its number.
func (c CtlType) String() string { return named("ctl_type", ctlNames, int(c)) }

// Known reports whether the value has a meaning.
func (c CtlType) Known() bool { return int(c) < len(ctlNames) }

// CCType is the kind of the state in an ACK_CC, 4 bits.
type CCType uint8

// The kinds of state in an ACK_CC.
const (
	StateNSCC   CCType = 0
	StateCredit CCType = 1
)

// AckRequest is what an ACK asks of the source, 2 bits.
type AckRequest uint8

// What an ACK can ask for. The value 3 has no meaning.
const (
	RequestNone  AckRequest = 0
	RequestClear AckRequest = 1
	RequestClose AckRequest = 2
)

// NackCode is the reason of a NACK, 8 bits.
type NackCode uint8

// nackNames are the codes from 0x01 to 0x1a. The code 0x0c has no meaning.
var nackNames = []string{"", "TRIMMED", "TRIMMED_LASTHOP", "TRIMMED_ACK", "NO_PDC", "NO_CCC", "NO_BITMAP",
	"NO_PKT_BUFFER", "NO_GTD_DEL", "NO_SES_MSG", "NO_RESOURCE", "PSN_OOR", "", "ROD_OOO", "INV_DPDCID",
	"PDC_HDR_MISMATCH", "CLOSING", "CLOSING_IN_ERR", "PKT_NOT_RCVD", "GTD_RESP_UNAVAIL", "ACK_WITH_DATA", "INVALID_SYN",
	"PDC_MODE_MISMATCH", "NEW_START_PSN", "RCVD_SES_PROCG", "UNEXP_EVENT", "RCVR_INFER_LOSS"}

// firstExperimental is the first of the codes up to 0xff that are free for experiments.
const firstExperimental NackCode = 0xfd

// String returns the name of a code, or its number.
func (c NackCode) String() string {
	if c >= firstExperimental {
		return fmt.Sprintf("experimental 0x%02x", uint8(c))
	}
	return named("nack_code", nackNames, int(c))
}

// Known reports whether the code has a meaning or is free for experiments.
func (c NackCode) Known() bool {
	return c >= firstExperimental || int(c) < len(nackNames) && nackNames[c] != ""
}

// named returns names[i], or what and i when there is none.
func named(what string, names []string, i int) string {
	if i < len(names) && names[i] != "" {
		return names[i]
	}
	return fmt.Sprintf("%s 0x%02x", what, i)
}
