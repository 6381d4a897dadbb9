package fabric

// byteBooks are payload bytes of data packets: of all transmissions, and of
// those that were lost, trimmed or delivered once too often, which are sent
// again where they are needed; inside is what the network holds at the end.
type byteBooks struct{ sent, lost, inside int64 }

// payloadOf returns the payload bytes that packet k had when it was sent.
func (s *sim) payloadOf(k *packet) int64 {
	if k.kind != pkData {
		return 0
	}
	return int64(k.nominal) - int64(s.spec.HeaderBytes)
}

// lostPayload accounts for a packet of which no byte counts.
func (s *sim) lostPayload(k *packet) { s.bytes.lost += s.payloadOf(k) }

// delivered returns the payload bytes handed to applications.
func (r *Result) delivered() int64 {
	n := int64(0)
	for i := range r.Flows {
		n += r.Flows[i].Got
	}
	return n
}
