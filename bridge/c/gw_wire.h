/* Frames and control messages of bridge/PROTOCOL.md, for gw_client.c. */
#ifndef GW_WIRE_H
#define GW_WIRE_H

#include <stddef.h>
#include <stdint.h>

enum gw_type {
  GW_HELLO = 1,
  GW_CONFIGURE = 2,
  GW_CONFIGURED = 3,
  GW_PROGRESS = 15,
  GW_ERROR = 17,
  GW_BYE = 18,
  GW_ASK = 19,
  GW_ANSWER = 20,
  GW_DESCRIBE = 21,
  GW_DESCRIBED = 22
};

enum { GW_HEADER = 32, GW_MAX_CTRL = 65536, GW_MAX_BULK = 268435456, GW_TEXT = 1024 };

/* One end of a connection. text is the last error, one line. */
struct gw_wire {
  int fd;
  uint32_t sent, received;
  uint8_t *frame; /* the frame received last: control message, then bulk */
  size_t room;
  uint8_t *out; /* the frame being sent */
  size_t out_room;
  uint32_t ctrl_size, bulk_size;
  char text[GW_TEXT];
};

/* CRC-32C (Castagnoli) of n bytes, continued from crc; 0 to start. */
uint32_t gw_crc32c(uint32_t crc, const void *data, size_t n);

/* gw_fail writes the error text and returns -1. */
int gw_fail(struct gw_wire *w, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

/* gw_dial connects to unix:PATH or tcp:127.0.0.1:PORT. 0, or -1 with text. */
int gw_dial(struct gw_wire *w, const char *address);

/* gw_send sends one frame; bulk is words of 64 bits. 0, or -1 with text. */
int gw_send(struct gw_wire *w, enum gw_type type, const void *ctrl, size_t ctrl_size, const uint64_t *bulk, size_t words);

/* gw_receive waits for the next frame that is no sign of life and returns its type, or -1 with text. An
 * error frame is -1, with what it says. */
int gw_receive(struct gw_wire *w);

/* gw_word returns word i of the bulk received last. */
uint64_t gw_word(const struct gw_wire *w, size_t i);

void gw_hang_up(struct gw_wire *w);

/* gw_find_uint and gw_find_text look a key up in the control message received last: 1 found, 0 absent (and *v
 * is 0 or empty), -1 when the message is damaged or the value of another kind, with text. A text is not
 * terminated; it stays until the next gw_receive. */
int gw_find_uint(struct gw_wire *w, const char *key, uint64_t *v);
int gw_find_text(struct gw_wire *w, const char *key, const char **v, size_t *n);

#endif
