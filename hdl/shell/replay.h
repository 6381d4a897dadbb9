// Replays batches of cycles, compares each cycle in place and keeps the records that a report of a
// difference needs.
#pragma once

#include <cstdint>
#include <vector>

#include "beat.h"
#include "channel.h"
#include "dut.h"

namespace gw {

const size_t kInWords = kDesign.in_words, kOutWords = kDesign.out_words;

class Replay {
 public:
  Replay(Dut& dut, Channel& channel, Beat& beat) : dut_(dut), channel_(channel), beat_(beat) {}

  // Runs n cycles, or fewer if one differs, and answers with a result message.
  void batch(const uint64_t* in, const uint64_t* want, size_t n);
  // Ends the run: answers with the totals and starts the next one.
  void finish();
  // Reports to the client that the RTL stopped the simulation, and drains the rest of the run.
  void stop(const Error& e);
  // Discards the run without an answer.
  void clear();

 private:
  enum class State { kCompare, kCapture, kDrain };
  static constexpr size_t kBefore = 32;  // cycles reported before the difference
  static constexpr size_t kAfter = 8;    // and after it
  static_assert(Outputs::kKept > kBefore);

  size_t compare(const uint64_t* in, const uint64_t* want, size_t n);
  size_t capture(const uint64_t* in, const uint64_t* want, size_t n);
  void keep_tail(const uint64_t* in, const uint64_t* want, size_t n);
  void differ(const uint64_t* in, const uint64_t* want, size_t at);
  void report();
  void push(const uint64_t* in, const uint64_t* want, const uint64_t* got);

  Dut& dut_;
  Channel& channel_;
  Beat& beat_;
  State state_ = State::kCompare;
  Outputs seen_;  // of the run
  int64_t busy_ns_ = 0;
  std::vector<uint64_t> old_in_, old_want_;              // last cycles of the previous batches
  uint64_t mismatch_cycle_ = 0, from_ = 0;
  bool mismatch_ = false;
  size_t after_left_ = 0;
  std::vector<uint64_t> near_in_, near_want_, near_got_;
};

}  // namespace gw
