// Native replay: a vector file in memory, an inline compare, no bridge. It is the baseline for
// measurements of the bridge.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "dut.h"

namespace gw {

struct BenchResult {
  uint64_t cycles = 0;      // over all repetitions
  uint64_t mismatches = 0;  // cycles that differed
  int64_t ns = 0;           // spent in the loop, without loading the file and building the model
};

// Replays file reps times, each time on a new model with this seed. Throws Error("vectors") for a
// file that is damaged or of another block. Calls beat regularly with the number of cycles so far.
BenchResult bench(Dut& dut, const std::string& file, uint64_t reps, uint32_t seed, int reset,
                  const std::function<void(uint64_t)>& beat);

}  // namespace gw
