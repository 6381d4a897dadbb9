// A file descriptor that closes itself, and whole reads and writes on it.
#pragma once

#include <cstddef>
#include <string>

namespace gw {

class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd&& o) noexcept : fd_(o.fd_) { o.fd_ = -1; }
  Fd& operator=(Fd&& o) noexcept;
  Fd(const Fd&) = delete;
  Fd& operator=(const Fd&) = delete;
  ~Fd();

  int get() const { return fd_; }

  // Reads n bytes; returns the number of bytes read before the stream ended.
  size_t read(void* dst, size_t n) const;
  // Writes two pieces completely; throws when the peer is gone.
  void write(const void* a, size_t na, const void* b, size_t nb) const;

 private:
  int fd_ = -1;
};

// Connects to "unix:PATH" or "tcp:127.0.0.1:PORT"; other hosts are refused.
Fd connect_to(const std::string& address);

}  // namespace gw
