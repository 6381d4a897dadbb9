// Package edge is what the coverage of the blocks at a NIC's edge shares: it works out when beats issue and packets
// end, judges a packet as far as its PDS header, and counts both.
package edge
