// The design under test, clocked one cycle at a time on packed records. What is bound to one design lies behind this
// header, in dut.cpp and coverage.cpp, and is compiled with Verilator's own files of it: the rest of the shell is the
// same for every design, so ccache keeps it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "error.h"

namespace gw {

// What the binary was built from.
struct Design {
  const char* block;
  const char* schema_hash;
  const char* params;
  const char* flags;
  size_t in_words, out_words;  // 64-bit words of a record
  bool waves;                  // it can write them
};
extern const Design kDesign;

// Name and version of the simulator.
std::string simulator();

// Adds a plusarg, including its +, for all models created from now on.
void add_plusarg(const std::string& arg);

// The outputs of a run: the records of its last cycles, and how many cycles were as expected, with their digest
// (bridge/PROTOCOL.md, "digest").
struct Outputs {
  static constexpr size_t kKept = 64;  // a power of two

  std::vector<uint64_t> kept = std::vector<uint64_t>(kKept * kDesign.out_words);
  uint64_t cycles = 0;
  uint64_t digest = 0;

  uint64_t* at(uint64_t cycle) { return &kept[(cycle % kKept) * kDesign.out_words]; }
};

class Dut {
 public:
  Dut();
  ~Dut();

  // Makes a new model whose registers start with values drawn from seed (reset 2), zeros (0), ones (1).
  void create(uint32_t seed, int reset);

  // Dumps cycles [from, from + count) of the model into file; count 0 ends a dump. Throws Error("trace")
  // when the binary was built without waves.
  void trace(const std::string& file, uint64_t from, uint64_t count);

  // Writes what all models so far have covered. Throws Error("coverage") when the binary was built without coverage,
  // or no model ran.
  void write_coverage(const std::string& file);

  uint64_t cycles() const;  // since create

  // One clock cycle: inputs in, outputs sampled just before the rising edge into out. Throws Error("rtl").
  void cycle(const uint64_t* in, uint64_t* out) {
    settle(in, out);
    edge();
  }

  // The two halves of a cycle, for callers that answer between them: up to sampling the outputs,
  void settle(const uint64_t* in, uint64_t* out);

  // and the rising edge, which reports the errors of both halves.
  void edge();

  // Runs n cycles, or up to the first whose outputs are not those wanted. Returns how many were as wanted, and adds
  // them to seen, which keeps the outputs that differ too. Throws Error("rtl").
  size_t compare(const uint64_t* in, const uint64_t* want, size_t n, Outputs& seen);

  // Runs n cycles and returns how many were not as wanted. Throws Error("rtl").
  uint64_t differing(const uint64_t* in, const uint64_t* want, size_t n);

 private:
  struct Model;
  std::unique_ptr<Model> model_;
};

}  // namespace gw
