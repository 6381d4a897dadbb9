// Frames over a connected socket: bridge/PROTOCOL.md in C++.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fd.h"
#include "msgpack.h"

namespace gw {

constexpr uint16_t kVersion = 1;
constexpr uint32_t kMagic = 'G' | 'W' << 8 | 'B' << 16 | static_cast<uint32_t>('1') << 24;
constexpr size_t kHeaderSize = 32;
constexpr uint32_t kMaxCtrl = 64u << 10;
constexpr uint32_t kMaxBulk = 256u << 20;

enum class Type : uint8_t {
  kHello = 1, kConfigure, kConfigured, kBatch, kResult, kMismatch, kFinish, kFinished, kStep, kStepped,
  kBench, kBenched, kTrace, kTraced, kProgress, kDoorbell, kError, kBye,
};

struct Frame {
  Type type;
  std::vector<uint8_t> ctrl;
  std::vector<uint64_t> bulk;

  msgpack::Map map() const { return {ctrl.data(), ctrl.size()}; }
};

class Channel {
 public:
  explicit Channel(Fd fd) : fd_(std::move(fd)) {}

  // Reads the next frame into f; returns false when the stream ended between frames. Throws Error with
  // kind magic, version, checksum, protocol, too-large, sequence or truncated.
  bool recv(Frame& f);
  void send(Type type, const msgpack::Writer& ctrl, const uint64_t* bulk = nullptr, size_t words = 0);
  // Tells whether a frame or the end of the stream waits.
  bool readable() const;

 private:
  Fd fd_;
  uint32_t rx_seq_ = 0;
  uint32_t tx_seq_ = 0;
};

}  // namespace gw
