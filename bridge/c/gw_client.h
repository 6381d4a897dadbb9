/* Client of a golden-model server (`goldwire serve`, or any that keeps to bridge/PROTOCOL.md and serves ask and
 * describe): give it the events a device takes, and compare the responses the device gives.
 *
 *   char why[GW_ERROR_SIZE];
 *   gw_client *g = gw_connect("unix:/tmp/gold.sock", "ccc", NULL, NULL, why, sizeof why);
 *   gw_push(g, "ev", bits, gw_width(g, "ev"));
 *   if (gw_expect(g, "rsp", got, NULL, gw_width(g, "rsp")) != 0) puts(gw_text(g));
 *   if (gw_finish(g) != 0) puts(gw_text(g));
 *   gw_close(g);
 *
 * Payloads are packed structs as hdl/gen/<block>_types.sv declares them: the first field of the schema is the
 * most significant. Bit i of the struct is bit i % 32 of bits[i / 32].
 *
 * Events are sent when a response is asked for and none is at hand, many in one message. A client is for one
 * thread; two clients do not share anything.
 */
#ifndef GW_CLIENT_H
#define GW_CLIENT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gw_client gw_client;

enum { GW_MATCH = 0, GW_MISMATCH = 1, GW_BROKEN = -1, GW_ERROR_SIZE = 1024 };

/* gw_connect returns a client with a model of its own, or NULL with one line in why. block, schema_hash and
 * params ("Name=value" sorted by name, joined by commas) are what the server must have; NULL or "" takes
 * what it has. The token of a server that wants one is read from the environment's GW_TOKEN. */
gw_client *gw_connect(const char *address, const char *block, const char *schema_hash, const char *params, char *why, size_t why_size);

/* gw_push gives the model an event that the device has taken on an input stream. 0, or GW_BROKEN. */
int gw_push(gw_client *g, const char *stream, const uint32_t *bits, unsigned width);

/* gw_expect compares the next response of an output stream with what the device gave: GW_MATCH, GW_MISMATCH
 * with the fields that differ in gw_text, or GW_BROKEN. unknown has a 1 where the device's bit is X or Z; NULL
 * for none. */
int gw_expect(gw_client *g, const char *stream, const uint32_t *bits, const uint32_t *unknown, unsigned width);

/* gw_pull writes the model's next response of an output stream into bits: 1, 0 when there is none, GW_BROKEN. */
int gw_pull(gw_client *g, const char *stream, uint32_t *bits, unsigned width);

/* gw_finish sends what is left: GW_MATCH, GW_MISMATCH when the model gave responses that were never expected, or
 * GW_BROKEN. */
int gw_finish(gw_client *g);

/* gw_reset makes a new model; events and responses that wait are dropped. For a reset of the device. 0, or
 * GW_BROKEN. */
int gw_reset(gw_client *g);

/* gw_width returns the bits of a stream's payload, 0 for a stream there is not. */
unsigned gw_width(const gw_client *g, const char *stream);

/* gw_set and gw_get write and read one field, of its 64 lowest bits, in the payload of a stream. 0, or GW_BROKEN
 * for a name there is not and for a value that the field cannot hold; a negative one of a signed field is given as
 * (uint64_t)value. */
int gw_set(gw_client *g, const char *stream, const char *field, uint32_t *bits, uint64_t value);
int gw_get(gw_client *g, const char *stream, const char *field, const uint32_t *bits, uint64_t *value);

/* gw_text returns the last error or difference, one line; it stays until the next call. */
const char *gw_text(const gw_client *g);

/* gw_close says goodbye and frees the client; NULL is nothing. */
void gw_close(gw_client *g);

#ifdef __cplusplus
}
#endif

#endif
