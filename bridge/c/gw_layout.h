/* Streams and fields of a block, as a server describes them. */
#ifndef GW_LAYOUT_H
#define GW_LAYOUT_H

#include "gw_wire.h"

enum { GW_NAME = 64 };

struct gw_field {
  char name[GW_NAME];
  unsigned width, word, bit; /* in the record */
  unsigned lsb;              /* in the packed struct */
  int is_signed;
};

struct gw_stream {
  char name[GW_NAME];
  unsigned valid; /* control bit in word 0 */
  unsigned width; /* of the packed struct */
  struct gw_field *fields;
  size_t count;
  /* The model's responses that wait, records of an output stream; and how many were compared. */
  uint64_t *queue;
  size_t head, tail, room;
  unsigned long long seen;
};

struct gw_record {
  unsigned words;
  struct gw_stream *streams;
  size_t count;
};

/* gw_layout_parse reads one direction of a described message. 0, or -1 with text. */
int gw_layout_parse(struct gw_wire *w, struct gw_record *r, const char *lines, size_t n, unsigned words);
void gw_layout_free(struct gw_record *r);

struct gw_stream *gw_layout_find(const struct gw_record *r, const char *stream);

/* gw_layout_pack turns a packed struct into a record with the stream's valid bit, gw_layout_unpack a record
 * into the packed struct. */
void gw_layout_pack(const struct gw_stream *s, const uint32_t *bits, uint64_t *record, unsigned words);
void gw_layout_unpack(const struct gw_stream *s, const uint64_t *record, uint32_t *bits);

/* gw_bits_get and gw_bits_set read and write up to 64 bits from bit lsb on. */
uint64_t gw_bits_get(const uint32_t *bits, unsigned lsb, unsigned width);
void gw_bits_set(uint32_t *bits, unsigned lsb, unsigned width, uint64_t v);

#endif
