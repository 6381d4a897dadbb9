#include "bench.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <vector>

#include "clock.h"
#include "crc32c.h"

namespace gw {
namespace {

struct Vectors {
  uint64_t cycles;
  std::vector<uint64_t> words;  // all input records, then all expected output records
};

Vectors load(const std::string& file) {
  std::ifstream f(file, std::ios::binary);
  if (!f) throw Error("vectors", "cannot open " + file);
  std::array<uint64_t, 8> head{};
  f.read(reinterpret_cast<char*>(head.data()), sizeof head);
  if (!f || std::memcmp(head.data(), "GWVECT01", 8) != 0) throw Error("vectors", file + " is not a vector file");
  if (std::memcmp(&head[1], kDesign.schema_hash, 16) != 0)
    throw Error("vectors", file + " was written for another schema", kDesign.schema_hash,
                std::string(reinterpret_cast<char*>(&head[1]), 16));
  if (head[3] != kDesign.in_words || head[4] != kDesign.out_words)
    throw Error("vectors", file + " has records of the wrong size");
  const uint64_t record = kDesign.in_words + kDesign.out_words;
  Vectors v{head[5], {}};
  if (v.cycles == 0 || v.cycles > (uint64_t{1} << 32) / record) throw Error("vectors", file + " has an impossible length");
  v.words.resize(v.cycles * record);
  f.read(reinterpret_cast<char*>(v.words.data()), static_cast<std::streamsize>(v.words.size() * 8));
  if (!f) throw Error("vectors", file + " ends early");
  if (crc32c(0, v.words.data(), v.words.size() * 8) != head[6]) throw Error("vectors", file + " is damaged");
  return v;
}

}  // namespace

BenchResult bench(Dut& dut, const std::string& file, uint64_t reps, uint32_t seed, int reset,
                  const std::function<void(uint64_t)>& beat) {
  const Vectors v = load(file);
  const uint64_t* const in = v.words.data();
  const uint64_t* const want = in + v.cycles * kDesign.in_words;
  constexpr uint64_t kChunk = 4096;  // cycles between signs of life
  BenchResult r;
  for (uint64_t rep = 0; rep < reps; rep++) {
    dut.create(seed, reset);
    const int64_t start = now_ns();
    for (uint64_t i = 0; i < v.cycles;) {
      const uint64_t n = std::min(v.cycles - i, kChunk);
      r.mismatches += dut.differing(in + i * kDesign.in_words, want + i * kDesign.out_words, n);
      i += n;
      beat(r.cycles + i);
    }
    r.ns += now_ns() - start;
    r.cycles += v.cycles;
  }
  return r;
}

}  // namespace gw
