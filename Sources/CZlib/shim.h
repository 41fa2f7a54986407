// zlib: gzip members (RFC 1952), deflated and inflated. What are macros, Swift doesn't see.
#ifndef CZLIB_SHIM_H
#define CZLIB_SHIM_H

#include <zlib.h>

// A window of 2^9 to 2^15 bytes, to which 16 is added to say gzip, and memory of 1 to 9, of which zlib's own default
// is 8: together (1 << (window + 2)) + (1 << (memory + 9)) bytes.
static inline int czlib_deflate_init(z_stream *stream, int level, int window, int memory) {
    return deflateInit2(stream, level, Z_DEFLATED, window + 16, memory, Z_DEFAULT_STRATEGY);
}

static inline int czlib_inflate_init(z_stream *stream) { return inflateInit2(stream, 15 + 16); }

#endif
