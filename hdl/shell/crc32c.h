// CRC-32C (Castagnoli), as Go's hash/crc32 computes it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gw {

// Returns the checksum of n bytes that follow data with the checksum crc (0 for no data).
uint32_t crc32c(uint32_t crc, const void* data, size_t n);

}  // namespace gw
