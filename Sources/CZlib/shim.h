// zlib: gzip members (RFC 1952), deflated and inflated. What are macros, Swift doesn't see.
#ifndef CZLIB_SHIM_H
#define CZLIB_SHIM_H

#include <zlib.h>

// 15 is the largest window, and 16 more says gzip; 8 is the memory that zlib's own default takes.
static inline int czlib_deflate_init(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

static inline int czlib_inflate_init(z_stream *stream) { return inflateInit2(stream, 15 + 16); }

#endif
