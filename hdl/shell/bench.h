// Native replay: a vector file held in memory, an inline compare, no bridge. What the bridge is measured
// against.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "dut.h"

namespace gw {

struct BenchResult {
  uint64_t cycles = 0;      // over all repetitions
  uint64_t mismatches = 0;  // cycles that differed
  int64_t ns = 0;           // spent in the loop; loading and building the model are outside
};

// Replays file reps times, each time on a new model with this seed. Throws Error("vectors") for a file
// that is damaged or of another block. Calls beat now and then with the cycles so far.
BenchResult bench(Dut& dut, const std::string& file, uint64_t reps, uint32_t seed, int reset,
                  const std::function<void(uint64_t)>& beat);

}  // namespace gw
