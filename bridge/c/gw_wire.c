#define _POSIX_C_SOURCE 200809L
#include "gw_wire.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "gw_msgpack.h"

/* Seconds without a sign of life, or without room for what is sent, after which the server counts as hung: one at
 * work gives a sign several times a second. */
#ifndef GW_SILENCE_S
#define GW_SILENCE_S 30
#endif

enum { VERSION = 1, SILENCE_S = GW_SILENCE_S };

int gw_fail(struct gw_wire *w, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(w->text, sizeof w->text, format, args);
  va_end(args);
  for (char *p = w->text; *p != 0; p++) /* what the server says may have lines; the text is one */
    if ((unsigned char)*p < 0x20 || *p == 0x7f) *p = ' ';
  return -1;
}

uint32_t gw_crc32c(uint32_t crc, const void *data, size_t n) {
  /* of four bits each: the remainder of i x^32 by the polynomial, bits reversed */
  static const uint32_t table[16] = {
      0x00000000, 0x105ec76f, 0x20bd8ede, 0x30e349b1, 0x417b1dbc, 0x5125dad3, 0x61c69362, 0x7198540d,
      0x82f63b78, 0x92a8fc17, 0xa24bb5a6, 0xb21572c9, 0xc38d26c4, 0xd3d3e1ab, 0xe330a81a, 0xf36e6f75};
  const uint8_t *p = (const uint8_t *)data;
  crc = ~crc;
  while (n-- > 0) {
    crc ^= *p++;
    crc = table[crc & 15] ^ (crc >> 4);
    crc = table[crc & 15] ^ (crc >> 4);
  }
  return ~crc;
}

static void put32(uint8_t *p, uint32_t v) {
  for (int i = 0; i < 4; i++) p[i] = (uint8_t)(v >> (8 * i));
}

static uint32_t get32(const uint8_t *p) {
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static int connect_to(struct gw_wire *w, const char *address, const struct sockaddr *sa, socklen_t n) {
  const struct timeval silence = {SILENCE_S, 0};
  w->fd = socket(sa->sa_family, SOCK_STREAM, 0);
  if (w->fd < 0) return gw_fail(w, "open a socket: %s", strerror(errno));
  if (setsockopt(w->fd, SOL_SOCKET, SO_RCVTIMEO, &silence, sizeof silence) != 0 ||
      setsockopt(w->fd, SOL_SOCKET, SO_SNDTIMEO, &silence, sizeof silence) != 0)
    return gw_fail(w, "set a time limit: %s", strerror(errno));
  if (connect(w->fd, sa, n) != 0) {
    const int why = errno;
    if (why == EAGAIN || why == EINPROGRESS)
      return gw_fail(w, "the server at %s took no connection for %d seconds; look whether it hangs", address, SILENCE_S);
    if (why == ENOENT || why == ECONNREFUSED)
      return gw_fail(w, "no server listens at %s (%s); start one: goldwire serve --block B --listen %s", address, strerror(why), address);
    return gw_fail(w, "connect to %s: %s; check the address and who may use it", address, strerror(why));
  }
  return 0;
}

int gw_dial(struct gw_wire *w, const char *address) {
  const char *const host = "tcp:127.0.0.1:";
  if (strncmp(address, "unix:", 5) == 0) {
    struct sockaddr_un sa;
    memset(&sa, 0, sizeof sa);
    sa.sun_family = AF_UNIX;
    const size_t n = strlen(address + 5);
    if (n == 0 || n >= sizeof sa.sun_path) return gw_fail(w, "socket path of %zu bytes; give 1 to %zu", n, sizeof sa.sun_path - 1);
    memcpy(sa.sun_path, address + 5, n + 1);
    return connect_to(w, address, (const struct sockaddr *)&sa, sizeof sa);
  }
  if (strncmp(address, host, strlen(host)) == 0) {
    char *end = NULL;
    const unsigned long port = strtoul(address + strlen(host), &end, 10);
    struct sockaddr_in sa;
    const int one = 1;
    if (*end != 0 || port == 0 || port > 65535) return gw_fail(w, "no such port: %s", address);
    memset(&sa, 0, sizeof sa);
    sa.sin_family = AF_INET;
    sa.sin_port = htons((uint16_t)port);
    sa.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (connect_to(w, address, (const struct sockaddr *)&sa, sizeof sa) != 0) return -1;
    (void)setsockopt(w->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one); /* costs speed only */
    return 0;
  }
  return gw_fail(w, "address %s: give unix:PATH or tcp:127.0.0.1:PORT", address);
}

void gw_hang_up(struct gw_wire *w) {
  if (w->fd >= 0) close(w->fd);
  w->fd = -1;
  free(w->frame);
  free(w->out);
  w->frame = w->out = NULL;
  w->room = w->out_room = 0;
}

static int grow(struct gw_wire *w, uint8_t **p, size_t *room, size_t n) {
  if (n <= *room) return 0;
  uint8_t *const q = (uint8_t *)realloc(*p, n);
  if (q == NULL) return gw_fail(w, "no memory for a frame of %zu bytes", n);
  *p = q;
  *room = n;
  return 0;
}

/* unsent returns why the server takes no more: what it said before it went, if it did. */
static int unsent(struct gw_wire *w, int why) {
  if (why == EAGAIN || why == EWOULDBLOCK)
    return gw_fail(w, "the server took nothing of what was sent for %d seconds; look whether it hangs", SILENCE_S);
  if ((why == EPIPE || why == ECONNRESET) && gw_receive(w) < 0) return -1;
  return gw_fail(w, "send: %s; look at the output of the server", strerror(why));
}

int gw_send(struct gw_wire *w, enum gw_type type, const void *ctrl, size_t ctrl_size, const uint64_t *bulk, size_t words) {
  if (ctrl_size > GW_MAX_CTRL || words > GW_MAX_BULK / 8) return gw_fail(w, "a message does not fit a frame");
  const size_t n = GW_HEADER + ctrl_size + 8 * words;
  if (grow(w, &w->out, &w->out_room, n) != 0) return -1;
  uint8_t *const h = w->out;
  memset(h, 0, GW_HEADER);
  memcpy(h, "GWB1", 4);
  h[4] = VERSION;
  h[6] = (uint8_t)type;
  put32(h + 8, w->sent);
  put32(h + 12, (uint32_t)ctrl_size);
  put32(h + 16, (uint32_t)(8 * words));
  if (ctrl_size > 0) memcpy(h + GW_HEADER, ctrl, ctrl_size);
  for (size_t i = 0; i < words; i++) {
    put32(h + GW_HEADER + ctrl_size + 8 * i, (uint32_t)bulk[i]);
    put32(h + GW_HEADER + ctrl_size + 8 * i + 4, (uint32_t)(bulk[i] >> 32));
  }
  put32(h + 24, gw_crc32c(0, h + GW_HEADER, n - GW_HEADER));
  put32(h + 28, gw_crc32c(0, h, 28));
  w->sent++;
  for (size_t at = 0; at < n;) {
    const ssize_t k = send(w->fd, h + at, n - at, MSG_NOSIGNAL);
    if (k < 0 && errno == EINTR) continue;
    if (k < 0) return unsent(w, errno);
    at += (size_t)k;
  }
  return 0;
}

static int take(struct gw_wire *w, uint8_t *dst, size_t n, const char *what) {
  for (size_t at = 0; at < n;) {
    const ssize_t k = recv(w->fd, dst + at, n - at, 0);
    if (k > 0) {
      at += (size_t)k;
    } else if (k == 0 || errno == ECONNRESET) {
      return gw_fail(w, "the server closed the connection after %zu of %zu bytes of the %s", at, n, what);
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      return gw_fail(w, "the server gave no sign of life for %d seconds; look whether it hangs", SILENCE_S);
    } else if (errno != EINTR) {
      return gw_fail(w, "receive: %s", strerror(errno));
    }
  }
  return 0;
}

/* reported turns an error frame into our error. */
static int reported(struct gw_wire *w) {
  const char *kind, *text, *ours, *theirs;
  size_t nk, nt, no, nh;
  char line[GW_TEXT];
  if (gw_find_text(w, "kind", &kind, &nk) < 0 || gw_find_text(w, "text", &text, &nt) < 0 ||
      gw_find_text(w, "ours", &ours, &no) < 0 || gw_find_text(w, "theirs", &theirs, &nh) < 0)
    return -1;
  if (no + nh > 0)
    snprintf(line, sizeof line, "the server reports %.*s: %.*s (its value %.*s, ours %.*s)", (int)nk, kind, (int)nt, text, (int)no, ours, (int)nh, theirs);
  else
    snprintf(line, sizeof line, "the server reports %.*s: %.*s", (int)nk, kind, (int)nt, text);
  return gw_fail(w, "%s", line);
}

int gw_receive(struct gw_wire *w) {
  for (;;) {
    uint8_t h[GW_HEADER];
    w->ctrl_size = w->bulk_size = 0;
    if (take(w, h, sizeof h, "header") != 0) return -1;
    if (memcmp(h, "GWB1", 4) != 0) return gw_fail(w, "not a bridge frame; check that the address is of a Goldwire server");
    if (h[4] != VERSION || h[5] != 0) return gw_fail(w, "protocol version differs: ours %d, theirs %d", VERSION, h[4] | h[5] << 8);
    if (get32(h + 28) != gw_crc32c(0, h, 28)) return gw_fail(w, "checksum of a header differs");
    if (h[6] == 0 || h[7] != 0 || get32(h + 20) != 0) return gw_fail(w, "type 0 or reserved bits in a header");
    const uint32_t ctrl = get32(h + 12), bulk = get32(h + 16);
    if (ctrl > GW_MAX_CTRL || bulk > GW_MAX_BULK || bulk % 8 != 0) return gw_fail(w, "a frame of %u and %u bytes is not allowed", ctrl, bulk);
    if (get32(h + 8) != w->received) return gw_fail(w, "frame %u came where %u was due", get32(h + 8), w->received);
    w->received++;
    if (grow(w, &w->frame, &w->room, (size_t)ctrl + bulk) != 0) return -1;
    if (take(w, w->frame, (size_t)ctrl + bulk, "payload") != 0) return -1;
    if (get32(h + 24) != gw_crc32c(0, w->frame, (size_t)ctrl + bulk)) return gw_fail(w, "checksum of a payload differs");
    w->ctrl_size = ctrl;
    w->bulk_size = bulk;
    if (h[6] == GW_PROGRESS) continue;
    return h[6] == GW_ERROR ? reported(w) : h[6];
  }
}

uint64_t gw_word(const struct gw_wire *w, size_t i) {
  const uint8_t *const p = w->frame + w->ctrl_size + 8 * i;
  return get32(p) | (uint64_t)get32(p + 4) << 32;
}

/* find looks a key up in the control message received last: 1, 0 or -1. */
static int find(struct gw_wire *w, const char *key, struct gw_value *v) {
  const int found = gw_map_find(w->frame, w->ctrl_size, key, v);
  switch (found) {
    case GW_NOT_MAP: return gw_fail(w, "a control message is not a map");
    case GW_DAMAGED: return gw_fail(w, "a control message is damaged");
    case GW_TRAILING: return gw_fail(w, "%zu bytes stand behind a control message", v->size);
    default: return found;
  }
}

int gw_find_uint(struct gw_wire *w, const char *key, uint64_t *v) {
  struct gw_value x;
  const int found = find(w, key, &x);
  *v = 0;
  if (found > 0 && x.kind != GW_UINT) return gw_fail(w, "%s of a control message is not a number", key);
  if (found > 0) *v = x.number;
  return found;
}

int gw_find_text(struct gw_wire *w, const char *key, const char **v, size_t *n) {
  struct gw_value x;
  const int found = find(w, key, &x);
  *v = "";
  *n = 0;
  if (found > 0 && x.kind != GW_STR) return gw_fail(w, "%s of a control message is no text", key);
  if (found > 0) {
    *v = x.text;
    *n = x.size;
  }
  return found;
}
