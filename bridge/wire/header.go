package wire

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Header is the fixed part of a frame.
type Header struct {
	Type    Type
	Flags   uint8  // must be 0 in this version
	Seq     uint32 // counts the frames of one direction from 0, wrapping
	CtrlLen uint32 // bytes of the control message
	BulkLen uint32 // bytes of the bulk payload, a multiple of 8
	CRC     uint32 // CRC-32C of control message and bulk payload
}

// Put writes the header, checksummed, into the first HeaderSize bytes of dst.
func (h Header) Put(dst []byte) {
	le := binary.LittleEndian
	le.PutUint32(dst[0:], Magic)
	le.PutUint16(dst[4:], Version)
	dst[6], dst[7] = byte(h.Type), h.Flags
	le.PutUint32(dst[8:], h.Seq)
	le.PutUint32(dst[12:], h.CtrlLen)
	le.PutUint32(dst[16:], h.BulkLen)
	le.PutUint32(dst[20:], 0)
	le.PutUint32(dst[24:], h.CRC)
	le.PutUint32(dst[28:], crc32.Checksum(dst[:28], castagnoli))
}

// ParseHeader returns the header in src. It errors with ErrTruncated, ErrMagic, ErrVersion, ErrChecksum,
// ErrProtocol or ErrTooLarge, tested in this order: a peer of another version is told so even though its header may be
// laid out differently, and a length is trusted only when the checksum is right.
func ParseHeader(src []byte, lim Limits) (Header, error) {
	le := binary.LittleEndian
	if len(src) < HeaderSize {
		return Header{}, Fail(ErrTruncated, "%d of %d header bytes", len(src), HeaderSize)
	}
	if m := le.Uint32(src); m != Magic {
		return Header{}, &Error{Kind: ErrMagic, Ours: fmt.Sprintf("%#08x", Magic), Theirs: fmt.Sprintf("%#08x", m),
			Mend: "check that the peer is a Goldwire DUT or client and not another program on this address"}
	}
	if v := le.Uint16(src[4:]); v != Version {
		return Header{}, VersionError(int(v))
	}
	if want, got := crc32.Checksum(src[:28], castagnoli), le.Uint32(src[28:]); want != got {
		return Header{}, checksumError("header", want, got)
	}
	h := Header{Type: Type(src[6]), Flags: src[7], Seq: le.Uint32(src[8:]), CtrlLen: le.Uint32(src[12:]),
		BulkLen: le.Uint32(src[16:]), CRC: le.Uint32(src[24:])}
	switch {
	case h.Type == 0 || h.Type > lastType:
		return Header{}, Fail(ErrProtocol, "frame type %d does not exist", h.Type)
	case h.Flags != 0 || le.Uint32(src[20:]) != 0:
		return Header{}, Fail(ErrProtocol, "reserved bits of the %s frame are set", h.Type)
	case h.CtrlLen > lim.Ctrl:
		return Header{}, tooLarge(h.Type, "control", h.CtrlLen, lim.Ctrl)
	case h.BulkLen > lim.Bulk:
		return Header{}, tooLarge(h.Type, "bulk", h.BulkLen, lim.Bulk)
	case h.BulkLen%8 != 0:
		return Header{}, Fail(ErrProtocol, "bulk of the %s frame is %d bytes, not whole words", h.Type, h.BulkLen)
	}
	return h, nil
}

// VersionError returns the refusal of a peer that speaks version theirs.
func VersionError(theirs int) *Error {
	return &Error{Kind: ErrVersion, Ours: fmt.Sprint(Version), Theirs: fmt.Sprint(theirs),
		Mend: "rebuild the older side: remove build/dut and run again"}
}

func checksumError(part string, want, got uint32) *Error {
	return &Error{Kind: ErrChecksum, What: part, Ours: fmt.Sprintf("%08x", want), Theirs: fmt.Sprintf("%08x", got),
		Mend: "the connection corrupts data or the peer is faulty: run again"}
}

func tooLarge(t Type, part string, n, limit uint32) *Error {
	return Fail(ErrTooLarge, "%s of the %s frame is %d bytes, the limit is %d", part, t, n, limit)
}
