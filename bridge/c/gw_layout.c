#include "gw_layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FIELD = 65536 };

uint64_t gw_bits_get(const uint32_t *bits, unsigned lsb, unsigned width) {
  uint64_t v = 0;
  for (unsigned got = 0; got < width;) {
    const unsigned at = lsb + got, off = at % 32;
    const unsigned n = 32 - off < width - got ? 32 - off : width - got;
    const uint64_t part = (bits[at / 32] >> off) & (n == 32 ? 0xffffffffu : (1u << n) - 1);
    v |= part << got;
    got += n;
  }
  return v;
}

void gw_bits_set(uint32_t *bits, unsigned lsb, unsigned width, uint64_t v) {
  for (unsigned done = 0; done < width;) {
    const unsigned at = lsb + done, off = at % 32;
    const unsigned n = 32 - off < width - done ? 32 - off : width - done;
    const uint32_t mask = (n == 32 ? 0xffffffffu : (1u << n) - 1) << off;
    bits[at / 32] = (bits[at / 32] & ~mask) | ((uint32_t)(v >> done) << off & mask);
    done += n;
  }
}

struct gw_stream *gw_layout_find(const struct gw_record *r, const char *stream) {
  for (size_t i = 0; i < r->count; i++)
    if (strcmp(r->streams[i].name, stream) == 0) return &r->streams[i];
  return NULL;
}

/* stream returns the stream of a name, a new one if need be. */
static struct gw_stream *stream(struct gw_record *r, const char *name) {
  struct gw_stream *s = gw_layout_find(r, name);
  if (s != NULL) return s;
  s = (struct gw_stream *)realloc(r->streams, (r->count + 1) * sizeof *s);
  if (s == NULL) return NULL;
  r->streams = s;
  s += r->count++;
  memset(s, 0, sizeof *s);
  snprintf(s->name, sizeof s->name, "%s", name);
  return s;
}

static int line(struct gw_wire *w, struct gw_record *r, const char *text) {
  char a[GW_NAME], b[GW_NAME];
  unsigned bit, is_signed;
  int end = 0;
  struct gw_field f;
  struct gw_stream *s;
  if (strncmp(text, "control ", 8) == 0) {
    if (sscanf(text, "control %63s %5u%n", a, &bit, &end) != 2 || text[end] != 0) return gw_fail(w, "the layout's line cannot be read: %s", text);
    const size_t n = strlen(a), k = strlen("_valid");
    if (bit > 63) return gw_fail(w, "the layout has a control bit %u", bit);
    if (n <= k || strcmp(a + n - k, "_valid") != 0) return 0;
    a[n - k] = 0;
    if ((s = stream(r, a)) == NULL) return gw_fail(w, "no memory for the layout");
    s->valid = bit;
    return 0;
  }
  if (strncmp(text, "field ", 6) != 0) return 0; /* of a later version */
  memset(&f, 0, sizeof f);
  if (sscanf(text, "field %63s %63s %5u %5u %5u %1u%n", a, b, &f.width, &f.word, &f.bit, &is_signed, &end) != 6 || text[end] != 0)
    return gw_fail(w, "the layout's line cannot be read: %s", text);
  s = gw_layout_find(r, a); /* of the other direction when it has no valid bit here */
  if (s == NULL || f.width == 0 || f.width > MAX_FIELD || f.bit > 63 ||
      (uint64_t)f.word * 64 + f.bit + f.width > (uint64_t)r->words * 64)
    return gw_fail(w, "the layout's field %s.%s does not fit", a, b);
  if (f.width <= 64 ? f.bit + f.width > 64 : f.bit != 0) /* gw_layout_pack would lose bits of it */
    return gw_fail(w, "the layout's field %s.%s straddles a word", a, b);
  snprintf(f.name, sizeof f.name, "%s", b);
  f.is_signed = is_signed != 0;
  struct gw_field *const more = (struct gw_field *)realloc(s->fields, (s->count + 1) * sizeof f);
  if (more == NULL) return gw_fail(w, "no memory for the layout");
  s->fields = more;
  s->fields[s->count++] = f;
  s->width += f.width;
  return 0;
}

int gw_layout_parse(struct gw_wire *w, struct gw_record *r, const char *lines, size_t n, unsigned words) {
  r->words = words;
  while (n > 0) {
    const char *const nl = (const char *)memchr(lines, '\n', n);
    const size_t k = nl == NULL ? n : (size_t)(nl - lines);
    char text[4 * GW_NAME];
    if (k >= sizeof text) return gw_fail(w, "a line of the layout is %zu characters long", k);
    memcpy(text, lines, k);
    text[k] = 0;
    if (line(w, r, text) != 0) return -1;
    lines += nl == NULL ? k : k + 1;
    n -= nl == NULL ? k : k + 1;
  }
  for (size_t i = 0; i < r->count; i++) { /* the first field is the most significant */
    unsigned lsb = 0;
    for (size_t j = r->streams[i].count; j-- > 0;) {
      r->streams[i].fields[j].lsb = lsb;
      lsb += r->streams[i].fields[j].width;
    }
  }
  return 0;
}

void gw_layout_free(struct gw_record *r) {
  for (size_t i = 0; i < r->count; i++) {
    free(r->streams[i].fields);
    free(r->streams[i].queue);
  }
  free(r->streams);
  memset(r, 0, sizeof *r);
}

/* A field of a record never straddles a word but when it is wider than one; then it begins at bit 0. */
void gw_layout_pack(const struct gw_stream *s, const uint32_t *bits, uint64_t *record, unsigned words) {
  memset(record, 0, words * sizeof *record);
  for (size_t i = 0; i < s->count; i++) {
    const struct gw_field *const f = &s->fields[i];
    for (unsigned done = 0, w = f->word; done < f->width; done += 64, w++) {
      const unsigned n = f->width - done < 64 ? f->width - done : 64;
      record[w] |= gw_bits_get(bits, f->lsb + done, n) << f->bit;
    }
  }
  record[0] |= (uint64_t)1 << s->valid;
}

void gw_layout_unpack(const struct gw_stream *s, const uint64_t *record, uint32_t *bits) {
  memset(bits, 0, (s->width + 31) / 32 * sizeof *bits);
  for (size_t i = 0; i < s->count; i++) {
    const struct gw_field *const f = &s->fields[i];
    for (unsigned done = 0, w = f->word; done < f->width; done += 64, w++) {
      const unsigned n = f->width - done < 64 ? f->width - done : 64;
      gw_bits_set(bits, f->lsb + done, n, record[w] >> f->bit);
    }
  }
}
