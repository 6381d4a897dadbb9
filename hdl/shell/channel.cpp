#include "channel.h"

#include <sys/socket.h>

#include <cstdio>
#include <cstring>

#include "crc32c.h"
#include "error.h"

namespace gw {
namespace {

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "words travel in the order of this machine's memory");

template <class T>
T get(const uint8_t* p) {
  T v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

template <class T>
void put(char* p, T v) {
  std::memcpy(p, &v, sizeof v);
}

std::string hex(uint32_t v) {
  char buf[16];
  std::snprintf(buf, sizeof buf, "%08x", v);
  return buf;
}

Error truncated(size_t got, size_t want, const char* part) {
  return Error("truncated", std::to_string(got) + " of " + std::to_string(want) + " bytes of the " + part);
}

void limit(const char* part, uint32_t n, uint32_t max) {
  if (n > max)
    throw Error("too-large", std::string(part) + " of a frame is " + std::to_string(n) + " bytes, the limit is " +
                                 std::to_string(max));
}

}  // namespace

Channel::Channel(Fd fd) : fd_(std::move(fd)), thread_([this] { fetch_loop(); }) {}

Channel::~Channel() {
  ::shutdown(fd_.get(), SHUT_RD);  // ends a read in which the thread may be waiting
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    quit_ = true;
  }
  change_.notify_all();
  thread_.join();
}

void Channel::fetch_loop() {
  std::unique_lock<std::mutex> lock(mutex_);
  for (;;) {
    change_.wait(lock, [this] { return busy_ || quit_; });
    if (quit_) return;
    lock.unlock();
    error_ = nullptr;
    try {
      more_ = read_frame(next_);
    } catch (...) {
      error_ = std::current_exception();
    }
    lock.lock();
    busy_ = false;
    change_.notify_all();
  }
}

void Channel::prefetch() {
  if (ahead_) return;
  ahead_ = true;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    busy_ = true;
  }
  change_.notify_all();
}

bool Channel::recv(Frame& f) {
  if (!ahead_) return read_frame(f);
  std::unique_lock<std::mutex> lock(mutex_);
  change_.wait(lock, [this] { return !busy_; });
  ahead_ = false;
  if (error_) std::rethrow_exception(error_);
  std::swap(f, next_);
  return more_;
}

bool Channel::read_frame(Frame& f) {
  uint8_t h[kHeaderSize];
  const size_t got = fd_.read(h, sizeof h);
  if (got == 0) return false;
  if (got < sizeof h) throw truncated(got, sizeof h, "header");
  if (get<uint32_t>(h) != kMagic) throw Error("magic", "not a bridge frame", hex(kMagic), hex(get<uint32_t>(h)));
  if (const auto v = get<uint16_t>(h + 4); v != kVersion)
    throw Error("version", "protocol version differs", std::to_string(kVersion), std::to_string(v));
  if (const uint32_t sum = crc32c(0, h, 28); sum != get<uint32_t>(h + 28))
    throw Error("checksum", "header", hex(sum), hex(get<uint32_t>(h + 28)));
  if (h[6] == 0 || h[6] > static_cast<uint8_t>(Type::kBye))
    throw Error("protocol", "frame type " + std::to_string(h[6]) + " does not exist");
  if (h[7] != 0 || get<uint32_t>(h + 20) != 0) throw Error("protocol", "reserved bits of a frame are set");
  const auto ctrl = get<uint32_t>(h + 12), bulk = get<uint32_t>(h + 16);
  limit("control", ctrl, kMaxCtrl);
  limit("bulk", bulk, kMaxBulk);
  if (bulk % 8 != 0) throw Error("protocol", "bulk of " + std::to_string(bulk) + " bytes is not whole words");
  if (const auto seq = get<uint32_t>(h + 8); seq != rx_seq_)
    throw Error("sequence", "frame out of sequence", std::to_string(rx_seq_), std::to_string(seq));
  rx_seq_++;
  f.type = static_cast<Type>(h[6]);
  f.ctrl.resize(ctrl);
  f.bulk.resize(bulk / 8);
  if (const size_t n = fd_.read(f.ctrl.data(), ctrl); n < ctrl) throw truncated(n, ctrl, "control message");
  if (const size_t n = fd_.read(f.bulk.data(), bulk); n < bulk) throw truncated(n, bulk, "bulk payload");
  const uint32_t sum = crc32c(crc32c(0, f.ctrl.data(), ctrl), f.bulk.data(), bulk);
  if (sum != get<uint32_t>(h + 24)) throw Error("checksum", "payload", hex(sum), hex(get<uint32_t>(h + 24)));
  return true;
}

void Channel::send(Type type, const msgpack::Writer& ctrl, const uint64_t* bulk, size_t words) {
  const std::string& c = ctrl.bytes();
  const size_t n = words * 8;
  if (c.size() > kMaxCtrl || n > kMaxBulk) throw Error("too-large", "reply does not fit a frame");
  std::string head(kHeaderSize, '\0');
  put(&head[0], kMagic);
  put(&head[4], kVersion);
  head[6] = static_cast<char>(type);
  put(&head[8], tx_seq_++);
  put(&head[12], static_cast<uint32_t>(c.size()));
  put(&head[16], static_cast<uint32_t>(n));
  put(&head[24], crc32c(crc32c(0, c.data(), c.size()), bulk, n));
  put(&head[28], crc32c(0, head.data(), 28));
  head += c;
  fd_.write(head.data(), head.size(), bulk, n);
}

}  // namespace gw
