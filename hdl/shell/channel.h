// Frames over a connected socket: bridge/PROTOCOL.md in C++.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
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
  explicit Channel(Fd fd);
  ~Channel();

  // Reads the next frame into f; returns false when the stream ended between frames. Throws Error with
  // kind magic, version, checksum, protocol, too-large, sequence or truncated.
  bool recv(Frame& f);
  // Starts to receive the next frame on another thread; the next recv returns it. The copy from the
  // socket and the checksum of one batch then overlap with the replay of the previous batch.
  void prefetch();
  void send(Type type, const msgpack::Writer& ctrl, const uint64_t* bulk = nullptr, size_t words = 0);

 private:
  bool read_frame(Frame& f);
  void fetch_loop();

  Fd fd_;
  uint32_t rx_seq_ = 0;
  uint32_t tx_seq_ = 0;

  // The thread owns rx_seq_, next_ and the outcome while busy_ is set.
  bool ahead_ = false;  // a prefetch was started and its frame not yet returned
  std::mutex mutex_;
  std::condition_variable change_;
  bool busy_ = false, quit_ = false;
  Frame next_{};
  bool more_ = false;
  std::exception_ptr error_;
  std::thread thread_;
};

}  // namespace gw
