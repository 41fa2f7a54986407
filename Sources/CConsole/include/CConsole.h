// The files of the console, which the program contains.
#ifndef CCONSOLE_H
#define CCONSOLE_H

#include <stddef.h>

struct cconsole_file {
    // The path below `files`, such as "app.js".
    const char *name;
    const unsigned char *bytes;
    size_t length;
};

// The file at an index, in the table's order; NULL after the last one.
const struct cconsole_file *cconsole_file(size_t index);

#endif
