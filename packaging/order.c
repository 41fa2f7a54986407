// order SERVER ARGUMENT…: runs a server until it has answered requests, and prints its functions' symbols as they were first
// called and then those of the variables that it has set, for the linker to lay them in that order.
//
// Each function begins with a breakpoint, which goes when the function is called; a variable that the file has no value for
// is set once it isn't zero. The server is handed a socket as systemd would; what it is asked is the document that each app
// asks for.

#ifndef __x86_64__
#error "breakpoints are x86-64's here"
#endif

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <elf.h>
#include <err.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum { breakpoint = 0xCC, requests = 3, patience = 60 };

struct function {
    uint64_t address;  // in the file's terms
    const char *name;
    uint8_t first;     // the byte that its breakpoint stands for
    bool is_called;
};

struct variable {
    uint64_t address, size;
    const char *name;
};

struct program {
    const uint8_t *file;
    const Elf64_Ehdr *header;
    struct function *functions;  // by address
    size_t count;
    struct variable *variables;  // those that are zero at first
    size_t variable_count;
};

static int by_address(const void *one, const void *other) {
    uint64_t a = ((const struct function *)one)->address, b = ((const struct function *)other)->address;
    return (a > b) - (a < b);
}

static const uint8_t *in_file(const struct program *program, uint64_t address) {
    const Elf64_Phdr *segments = (const void *)(program->file + program->header->e_phoff);
    for (int i = 0; i < program->header->e_phnum; i++) {
        uint64_t offset = address - segments[i].p_vaddr;
        if (segments[i].p_type == PT_LOAD && address >= segments[i].p_vaddr && offset < segments[i].p_filesz) {
            return program->file + segments[i].p_offset + offset;
        }
    }
    return NULL;
}

static struct program read_program(const char *path) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (fd < 0 || fstat(fd, &status) < 0) err(1, "%s", path);
    struct program program = {.file = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fd, 0)};
    if (program.file == MAP_FAILED) err(1, "%s", path);
    program.header = (const void *)program.file;
    const Elf64_Shdr *sections = (const void *)(program.file + program.header->e_shoff);
    for (int i = 0; i < program.header->e_shnum; i++) {
        if (sections[i].sh_type != SHT_SYMTAB) continue;
        const Elf64_Sym *symbols = (const void *)(program.file + sections[i].sh_offset);
        const char *names = (const char *)(program.file + sections[sections[i].sh_link].sh_offset);
        size_t count = sections[i].sh_size / sizeof *symbols;
        program.functions = calloc(count, sizeof *program.functions);
        program.variables = calloc(count, sizeof *program.variables);
        if (!program.functions || !program.variables) err(1, "calloc");
        for (size_t j = 0; j < count; j++) {
            uint64_t address = symbols[j].st_value;
            const char *name = names + symbols[j].st_name;
            const uint8_t *content = in_file(&program, address);
            int type = ELF64_ST_TYPE(symbols[j].st_info);
            if (symbols[j].st_size == 0 || symbols[j].st_shndx == SHN_UNDEF) continue;
            if (type == STT_FUNC && content) {
                program.functions[program.count++] =
                    (struct function){.address = address, .name = name, .first = *content};
            } else if (type == STT_OBJECT && !content) {
                program.variables[program.variable_count++] =
                    (struct variable){.address = address, .size = symbols[j].st_size, .name = name};
            }
        }
    }
    if (program.count == 0) errx(1, "%s has no symbols", path);
    qsort(program.functions, program.count, sizeof *program.functions, by_address);
    return program;
}

// Runs the server with a socket in place of one that it would open.
static pid_t start(char **command, int listener) {
    pid_t pid = fork();
    if (pid != 0) return pid;
    char own[16];
    snprintf(own, sizeof own, "%d", getpid());
    setenv("LISTEN_PID", own, 1);
    setenv("LISTEN_FDS", "1", 1);
    setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1);
    int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    if (dup2(listener, 3) < 0 || ptrace(PTRACE_TRACEME, 0, 0, 0) < 0) err(1, "ptrace");
    execv(command[0], command);
    err(1, "%s", command[0]);
}

// Asks from a process of its own, which ends with status 0 once the last answer has come.
static pid_t ask(struct sockaddr_in address, int listener) {
    pid_t pid = fork();
    if (pid != 0) return pid;
    static const char request[] = "GET /behaviors.json HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n";
    char answer[64 * 1024];
    // Whoever waits for a server that is gone would wait for ever.
    close(listener);
    alarm(patience);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(fd, (struct sockaddr *)&address, sizeof address) < 0) _exit(1);
    for (int i = 0; i < requests; i++) {
        if (send(fd, request, sizeof request - 1, 0) < 0 || recv(fd, answer, sizeof answer, 0) <= 0) _exit(1);
        if (memcmp(answer, "HTTP/1.1 200 ", 13) != 0) _exit(1);
    }
    _exit(0);
}

// Where the program's address 0 is in the process.
static uint64_t load_address(pid_t pid, const struct program *program) {
    char path[32];
    snprintf(path, sizeof path, "/proc/%d/auxv", pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    Elf64_auxv_t entry;
    while (read(fd, &entry, sizeof entry) == sizeof entry) {
        if (entry.a_type == AT_ENTRY) {
            close(fd);
            return entry.a_un.a_val - program->header->e_entry;
        }
    }
    errx(1, "%s tells nothing", path);
}

static void put(int memory, uint64_t address, uint8_t byte) {
    if (pwrite(memory, &byte, 1, (off_t)address) != 1) err(1, "the server's memory");
}

// A thread that has stopped where a function begins goes on there without the breakpoint.
static void pass(pid_t thread, int memory, uint64_t base, struct program *program) {
    struct user_regs_struct registers;
    if (ptrace(PTRACE_GETREGS, thread, 0, &registers) < 0) return;
    struct function wanted = {.address = registers.rip - 1 - base};
    struct function *function =
        bsearch(&wanted, program->functions, program->count, sizeof wanted, by_address);
    if (!function) errx(1, "a trap at %#lx, which no function begins with", (unsigned long)wanted.address);
    // Another thread may have come by between the trap and this.
    if (!function->is_called) {
        puts(function->name);
        function->is_called = true;
        put(memory, base + function->address, function->first);
    }
    registers.rip--;
    ptrace(PTRACE_SETREGS, thread, 0, &registers);
}

static bool is_zero(int memory, uint64_t address, uint64_t size) {
    uint8_t bytes[4096];
    while (size > 0) {
        ssize_t count = pread(memory, bytes, size < sizeof bytes ? size : sizeof bytes, (off_t)address);
        if (count <= 0) err(1, "the server's memory");
        for (ssize_t i = 0; i < count; i++) {
            if (bytes[i] != 0) return false;
        }
        address += (uint64_t)count;
        size -= (uint64_t)count;
    }
    return true;
}

static void print_variables(int memory, uint64_t base, const struct program *program) {
    for (size_t i = 0; i < program->variable_count; i++) {
        const struct variable *variable = &program->variables[i];
        if (!is_zero(memory, base + variable->address, variable->size)) puts(variable->name);
    }
}

int main(int count, char **arguments) {
    if (count < 2) errx(64, "usage: order SERVER ARGUMENT…");
    struct program program = read_program(arguments[1]);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, (struct sockaddr *)&address, size) < 0 || listen(listener, 8) < 0) err(1, "socket");
    getsockname(listener, (struct sockaddr *)&address, &size);

    int status;
    pid_t server = start(arguments + 1, listener);
    if (waitpid(server, &status, 0) < 0 || !WIFSTOPPED(status)) errx(1, "the server can't be traced");
    ptrace(PTRACE_SETOPTIONS, server, 0, PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL);
    uint64_t base = load_address(server, &program);
    char path[32];
    snprintf(path, sizeof path, "/proc/%d/mem", server);
    int memory = open(path, O_RDWR | O_CLOEXEC);
    if (memory < 0) err(1, "%s", path);
    // Of several symbols of one function the first counts.
    size_t kept = 0;
    for (size_t i = 0; i < program.count; i++) {
        if (kept > 0 && program.functions[kept - 1].address == program.functions[i].address) continue;
        program.functions[kept++] = program.functions[i];
        put(memory, base + program.functions[i].address, breakpoint);
    }
    program.count = kept;

    pid_t client = ask(address, listener);
    close(listener);
    alarm(patience);
    ptrace(PTRACE_CONT, server, 0, 0);
    for (;;) {
        pid_t thread = waitpid(-1, &status, __WALL);
        if (thread < 0) err(1, "waitpid");
        if (thread == client) break;
        if (thread == server && !WIFSTOPPED(status)) errx(1, "the server ended");
        if (!WIFSTOPPED(status)) continue;
        int number = WSTOPSIG(status);
        bool is_new = status >> 16 == PTRACE_EVENT_CLONE || number == SIGSTOP;
        if (number == SIGTRAP && !is_new) pass(thread, memory, base, &program);
        ptrace(PTRACE_CONT, thread, 0, number == SIGTRAP || is_new ? 0 : number);
    }
    if (status != 0) errx(1, "the server gave no answer");
    print_variables(memory, base, &program);
    kill(server, SIGKILL);
    return 0;
}
