// Linux functions missing in Swift's Glibc module: epoll, eventfd, sendfile, openat2, renameat2.
#ifndef CLINUX_H
#define CLINUX_H

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/sendfile.h>

// Accepts a connection as non-blocking and close-on-exec, and stores the client's address in
// `address`, a sockaddr_storage. The parameter is untyped, so that Swift uses Glibc's type.
int clinux_accept(int listener, void *address);

// Opens `path` below the directory `root` for reading, using openat2 with RESOLVE_BENEATH. "..",
// absolute paths and links can't lead outside. errno is ENOSYS if the kernel has no openat2.
int clinux_open_beneath(int root, const char *path);

// Exchanges the names of two files atomically.
int clinux_exchange(const char *one, const char *other);

// Renames a file if the new name is free; errno is EEXIST if it isn't.
int clinux_rename_to_free(const char *path, const char *to);

// The environment as NAME=VALUE strings, ended by NULL. Swift rejects access to C's variable.
char *const *clinux_environment(void);

// The number of cores that this process may use; 1 if it is unknown.
int clinux_usable_cores(void);

// Releases the pages of the program's code and constants that start-up has touched. The page cache
// reloads them on demand.
void clinux_release_startup_pages(void);

// Whether the program runs with the address or thread sanitizer.
_Bool clinux_is_sanitized(void);

#endif
