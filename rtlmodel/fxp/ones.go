package fxp

// Fold16 returns the ones' complement sum of the 16-bit words whose plain sum is x: carries out of 16 bits are added
// back at the low end. Only x = 0 gives 0. Source: RFC 1071.
func Fold16(x uint64) uint16 {
	for x>>16 != 0 {
		x = x&0xffff + x>>16
	}
	return uint16(x)
}
