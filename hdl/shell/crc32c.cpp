#include "crc32c.h"

#include <array>
#include <cstring>
#if defined(__SSE4_2__)
#include <nmmintrin.h>
#endif

namespace gw {
namespace {

#if defined(__SSE4_2__)

// One CRC instruction takes three cycles and one can start each cycle, so three independent streams of
// kLane bytes run at once; a table then moves a state over the kLane bytes that follow it.
constexpr size_t kLane = 1024;

struct Shift {
  uint32_t t[4][256];
  Shift() {
    for (int k = 0; k < 4; k++) {
      for (uint32_t b = 0; b < 256; b++) {
        uint64_t s = static_cast<uint64_t>(b) << (8 * k);
        for (size_t i = 0; i < kLane; i += 8) s = _mm_crc32_u64(s, 0);
        t[k][b] = static_cast<uint32_t>(s);
      }
    }
  }
  uint32_t operator()(uint32_t s) const {
    return t[0][s & 255] ^ t[1][s >> 8 & 255] ^ t[2][s >> 16 & 255] ^ t[3][s >> 24];
  }
};

uint64_t word(const uint8_t* p) {
  uint64_t w;
  std::memcpy(&w, p, 8);
  return w;
}

uint32_t update(uint32_t s, const uint8_t* p, size_t n) {
  static const Shift shift;
  for (; n >= 3 * kLane; p += 3 * kLane, n -= 3 * kLane) {
    uint64_t a = s, b = 0, c = 0;
    for (size_t i = 0; i < kLane; i += 8) {
      a = _mm_crc32_u64(a, word(p + i));
      b = _mm_crc32_u64(b, word(p + i + kLane));
      c = _mm_crc32_u64(c, word(p + i + 2 * kLane));
    }
    s = shift(shift(static_cast<uint32_t>(a)) ^ static_cast<uint32_t>(b)) ^ static_cast<uint32_t>(c);
  }
  uint64_t t = s;
  for (; n >= 8; p += 8, n -= 8) t = _mm_crc32_u64(t, word(p));
  s = static_cast<uint32_t>(t);
  for (; n > 0; p++, n--) s = _mm_crc32_u8(s, *p);
  return s;
}

#else

// Slicing by eight tables, for processors without the instruction.
struct Tables {
  uint32_t t[8][256];
  Tables() {
    for (uint32_t i = 0; i < 256; i++) {
      uint32_t s = i;
      for (int k = 0; k < 8; k++) s = s >> 1 ^ (s & 1 ? 0x82f63b78u : 0);
      t[0][i] = s;
    }
    for (uint32_t i = 0; i < 256; i++)
      for (int k = 1; k < 8; k++) t[k][i] = t[k - 1][i] >> 8 ^ t[0][t[k - 1][i] & 255];
  }
};

uint32_t update(uint32_t s, const uint8_t* p, size_t n) {
  static const Tables tab;
  for (; n >= 8; p += 8, n -= 8) {
    uint32_t x = s ^ (p[0] | p[1] << 8 | p[2] << 16 | static_cast<uint32_t>(p[3]) << 24);
    s = tab.t[7][x & 255] ^ tab.t[6][x >> 8 & 255] ^ tab.t[5][x >> 16 & 255] ^ tab.t[4][x >> 24] ^
        tab.t[3][p[4]] ^ tab.t[2][p[5]] ^ tab.t[1][p[6]] ^ tab.t[0][p[7]];
  }
  for (; n > 0; p++, n--) s = s >> 8 ^ tab.t[0][(s ^ *p) & 255];
  return s;
}

#endif

}  // namespace

uint32_t crc32c(uint32_t crc, const void* data, size_t n) {
  return ~update(~crc, static_cast<const uint8_t*>(data), n);
}

}  // namespace gw
