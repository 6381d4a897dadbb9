// Signs of life: progress messages, so that the client can distinguish a slow device from a hung
// one.
#pragma once

#include "channel.h"
#include "clock.h"

namespace gw {

class Beat {
 public:
  explicit Beat(Channel& channel) : channel_(channel) {}

  // Call this every few hundred cycles; it sends a message when the last one is a quarter of a
  // second old.
  void tick(uint64_t cycles) {
    const int64_t now = now_ns();
    if (now - last_ < kPeriod) return;
    last_ = now;
    channel_.send(Type::kProgress, msgpack::Writer(1).put("cycles", cycles));
  }

 private:
  static constexpr int64_t kPeriod = 250'000'000;
  Channel& channel_;
  int64_t last_ = now_ns();
};

}  // namespace gw
