// CRC-32C (Castagnoli), as Go's hash/crc32 computes it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gw {

// Returns the checksum of n bytes that continue data whose checksum is crc (0 for none).
uint32_t crc32c(uint32_t crc, const void* data, size_t n);

}  // namespace gw
