#include "fd.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "error.h"

namespace gw {

Fd& Fd::operator=(Fd&& o) noexcept {
  std::swap(fd_, o.fd_);
  return *this;
}

Fd::~Fd() {
  if (fd_ >= 0) ::close(fd_);
}

size_t Fd::read(void* dst, size_t n) const {
  size_t got = 0;
  while (got < n) {
    const ssize_t k = ::read(fd_, static_cast<char*>(dst) + got, n - got);
    if (k > 0) {
      got += static_cast<size_t>(k);
    } else if (k == 0 || errno == ECONNRESET) {
      break;
    } else if (errno != EINTR) {
      throw Error("address", std::string("read from the client: ") + std::strerror(errno));
    }
  }
  return got;
}

void Fd::write(const void* a, size_t na, const void* b, size_t nb) const {
  iovec iov[2] = {{const_cast<void*>(a), na}, {const_cast<void*>(b), nb}};
  msghdr msg{};
  msg.msg_iov = iov;
  msg.msg_iovlen = 2;
  while (iov[0].iov_len + iov[1].iov_len > 0) {
    const ssize_t k = ::sendmsg(fd_, &msg, MSG_NOSIGNAL);
    if (k < 0) {
      if (errno == EINTR) continue;
      throw Error("address", std::string("write to the client: ") + std::strerror(errno));
    }
    size_t left = static_cast<size_t>(k);
    for (iovec& v : iov) {
      const size_t part = left < v.iov_len ? left : v.iov_len;
      v.iov_base = static_cast<char*>(v.iov_base) + part;
      v.iov_len -= part;
      left -= part;
    }
  }
}

namespace {

Fd connect_socket(int family, const sockaddr* addr, socklen_t len, const std::string& name) {
  Fd fd(::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (fd.get() < 0) throw Error("address", std::string("open a socket: ") + std::strerror(errno));
  if (::connect(fd.get(), addr, len) != 0)
    throw Error("address", "connect to " + name + ": " + std::strerror(errno));
  return fd;
}

}  // namespace

Fd connect_to(const std::string& address) {
  if (address.rfind("unix:", 0) == 0) {
    const std::string path = address.substr(5);
    sockaddr_un sa{};
    sa.sun_family = AF_UNIX;
    if (path.empty() || path.size() >= sizeof sa.sun_path)
      throw Error("address", "socket path of " + std::to_string(path.size()) + " bytes does not fit");
    std::memcpy(sa.sun_path, path.c_str(), path.size() + 1);
    return connect_socket(AF_UNIX, reinterpret_cast<sockaddr*>(&sa), sizeof sa, address);
  }
  const std::string host = "tcp:127.0.0.1:";
  if (address.rfind(host, 0) == 0) {
    char* end = nullptr;
    const unsigned long port = std::strtoul(address.c_str() + host.size(), &end, 10);
    if (*end != 0 || port == 0 || port > 65535) throw Error("address", "no such port: " + address);
    sockaddr_in sa{};
    sa.sin_family = AF_INET;
    sa.sin_port = htons(static_cast<uint16_t>(port));
    sa.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    Fd fd = connect_socket(AF_INET, reinterpret_cast<sockaddr*>(&sa), sizeof sa, address);
    const int one = 1;
    ::setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return fd;
  }
  throw Error("address", "address must be unix:PATH or tcp:127.0.0.1:PORT, not " + address);
}

}  // namespace gw
