// What Swift's Glibc module doesn't show of Linux: epoll, eventfd, sendfile, openat2, renameat2.
#ifndef CLINUX_H
#define CLINUX_H

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/sendfile.h>

// Accepts a connection that is non-blocking and closed on exec, and stores its client's address in
// `address`, a sockaddr_storage. Untyped, so that Swift takes that type from Glibc.
int clinux_accept(int listener, void *address);

// Opens `path` below the directory `root` for reading. Neither "..", an absolute path nor a link
// leads out of it: openat2 with RESOLVE_BENEATH. errno is ENOSYS where the kernel has no openat2.
int clinux_open_beneath(int root, const char *path);

// Gives each of two files the other's name, at once.
int clinux_exchange(const char *one, const char *other);

// Renames a file where nothing has the new name; errno is EEXIST where something has it.
int clinux_rename_to_free(const char *path, const char *to);

// The environment, NAME=VALUE each, with NULL at its end: Swift refuses a variable of C's.
char *const *clinux_environment(void);

// The number of cores that this process may use, 1 if it can't be told.
int clinux_usable_cores(void);

// Gives back the pages of the program's own code and constants that start-up touched. They are
// the file's: what is needed again comes back from the page cache.
void clinux_release_startup_pages(void);

// Whether the address or the thread sanitizer watches this program.
_Bool clinux_is_sanitized(void);

#endif
