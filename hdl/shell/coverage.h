// What the models of a process executed: lines and branches, which they count themselves, and which bits of their ports
// and registers changed, which is sampled here. A build without coverage compiles all this to nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gw_build.h"
#include "verilated.h"

namespace gw {

// Bits that rose and fell. The first change of a bit is not counted: its value before may be a drawn one.
class Toggles {
 public:
  explicit Toggles(size_t bytes) : prev_(bytes), known_(bytes), rose_(bytes), fell_(bytes) {}

  void first(size_t at, const uint8_t* now, size_t n);
  void next(size_t at, const uint8_t* now, size_t n);

  const uint8_t* rose() const { return rose_.data(); }
  const uint8_t* fell() const { return fell_.data(); }

 private:
  std::vector<uint8_t> prev_, known_, rose_, fell_;
};

class Coverage {
 public:
  Coverage();

  // Starts a model: what the one before left is not compared with it.
  void begin();

  // Sees the records of a cycle, and the registers that were set by the cycles before it.
  void sample(const uint64_t* in, const uint64_t* out, const port::Model& m) {
    if ((in[0] & 1) == 0) {  // in reset, bit 0 of every record
      fresh_ = true;
      return;
    }
    seen_++;
    if (seen_ <= kDense || --wait_ == 0) look(in, out, m);
  }

  // Adds what a model counted, before it is destroyed.
  void take(const port::Model& m);

  // Writes what all models counted: lines to file + ".lines" as Verilator writes them, toggles to file + ".toggles",
  // and then to file how many cycles they are of. The models must have been taken. Throws Error("coverage").
  void write(const std::string& file, port::Model& m, VerilatedContext& context);

  uint64_t cycles = 0;  // of all models, in reset or not

 private:
  // Every cycle is looked at until a model has run for kDense, then one of kSparse, which is prime. A change between two
  // looks is missed, never made up.
  static constexpr uint64_t kDense = 256, kSparse = 31;

  void look(const uint64_t* in, const uint64_t* out, const port::Model& m);

  bool fresh_ = true;
  uint64_t seen_ = 0, wait_ = kSparse;
  std::vector<uint64_t> lines_;
  Toggles ports_, registers_;
};

}  // namespace gw
