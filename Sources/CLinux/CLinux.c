// accept4 and renameat2 are GNU extensions. The header works without _GNU_SOURCE: it must match
// Swift's Glibc module.
#define _GNU_SOURCE 1

#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/openat2.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

int clinux_accept(int listener, void *address) {
    socklen_t length = sizeof(struct sockaddr_storage);
    return accept4(listener, address, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

int clinux_open_beneath(int root, const char *path) {
    struct open_how how;
    memset(&how, 0, sizeof how);
    how.flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
    for (int tries = 1;; tries++) {
        long fd = syscall(SYS_openat2, root, path, &how, sizeof how);
        // EAGAIN: a concurrent rename made the kernel's check inconclusive, or the file has a write
        // lease, which lasts too long to wait for.
        if (fd >= 0 || (errno != EAGAIN && errno != EINTR) || tries == 16) return (int)fd;
    }
}

int clinux_exchange(const char *one, const char *other) {
    return renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE);
}

int clinux_rename_to_free(const char *path, const char *to) {
    return renameat2(AT_FDCWD, path, AT_FDCWD, to, RENAME_NOREPLACE);
}

char *const *clinux_environment(void) { return environ; }

int clinux_usable_cores(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

static int release_program(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    (void)context;
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        // Writable pages belong to the process and can't be reloaded from the file.
        if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W)) continue;
        const uintptr_t start = info->dlpi_addr + segment->p_vaddr;
        const uintptr_t first = (start + page - 1) & ~(page - 1);
        const uintptr_t last = (start + segment->p_memsz) & ~(page - 1);
        if (first < last) madvise((void *)first, last - first, MADV_DONTNEED);
    }
    return 1;  // The first object is the program. Libraries are shared with other processes.
}

void clinux_release_startup_pages(void) { dl_iterate_phdr(release_program, NULL); }

_Bool clinux_is_sanitized(void) {
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    return 1;
#else
    return 0;
#endif
}
