// The C limit: the least that a single-threaded epoll server can do for a request on this kernel.
//
//     limit PORT FILE
//
// It parses nothing. A request is whatever ends in an empty line, the answer to each is one constant, built at start
// from FILE, and a burst of pipelined requests costs one recv and one send. What a real server adds to this figure is
// the price of being a server. Shortcuts that no server may take, and that wrk never notices: a head split between two
// reads is not counted, and a client that does not read its answers stops everybody.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { burst = 64, events = 256, body_limit = 1 << 20, head_room = 1024 };

// One answer, and `burst` copies of it end to end, so that pipelined requests are answered by one send.
struct answers {
    char *bytes;
    size_t size;
};

static char input[64 * 1024];

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static struct answers make_answers(const char *body, size_t length, const char *connection) {
    char *bytes = malloc(burst * (head_room + length));
    if (bytes == NULL) fail("malloc");
    // The same fields as the answer to GET /behaviors.json, so that the same number of bytes is moved.
    int head = snprintf(bytes, head_room,
                        "HTTP/1.1 200 OK\r\n"
                        "Content-Type: application/json\r\n"
                        "Content-Length: %zu\r\n"
                        "ETag: \"0123456789abcdef0123456789abcdef\"\r\n"
                        "Last-Modified: Wed, 08 Jan 2020 00:00:00 GMT\r\n"
                        "Cache-Control: no-cache\r\n"
                        "Date: Wed, 08 Jan 2020 00:00:00 GMT\r\n"
                        "%s\r\n",
                        length, connection);
    memcpy(bytes + head, body, length);
    struct answers answers = {bytes, (size_t)head + length};
    for (int copy = 1; copy < burst; copy++) memcpy(bytes + (size_t)copy * answers.size, bytes, answers.size);
    return answers;
}

static int listen_on(int port) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (listener < 0) fail("socket");
    int on = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    setsockopt(listener, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);  // accepted sockets inherit it
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (bind(listener, (struct sockaddr *)&address, sizeof address) < 0) fail("bind");
    if (listen(listener, 4096) < 0) fail("listen");
    return listener;
}

static void watch(int poller, int fd) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
    if (epoll_ctl(poller, EPOLL_CTL_ADD, fd, &event) < 0) fail("epoll_ctl");
}

static size_t count_requests(const char *bytes, size_t length) {
    const char *end = bytes + length;
    size_t count = 0;
    while ((bytes = memmem(bytes, (size_t)(end - bytes), "\r\n\r\n", 4)) != NULL) {
        bytes += 4;
        count++;
    }
    return count;
}

static bool send_all(int fd, const char *bytes, size_t length) {
    while (length > 0) {
        ssize_t sent = send(fd, bytes, length, MSG_NOSIGNAL);
        if (sent < 0 && errno == EAGAIN) {
            poll(&(struct pollfd){.fd = fd, .events = POLLOUT}, 1, -1);
            continue;
        }
        if (sent < 0) return false;
        bytes += sent;
        length -= (size_t)sent;
    }
    return true;
}

// Answers what one read brought. False: the connection is over.
static bool serve(int fd, struct answers keep, struct answers last) {
    ssize_t length = recv(fd, input, sizeof input, 0);
    if (length <= 0) return length < 0 && errno == EAGAIN;
    size_t count = count_requests(input, (size_t)length);
    if (memmem(input, (size_t)length, "Connection: close", 17) != NULL) {
        send_all(fd, last.bytes, last.size);
        return false;
    }
    while (count > 0) {
        size_t now = count < burst ? count : burst;
        if (!send_all(fd, keep.bytes, now * keep.size)) return false;
        count -= now;
    }
    return true;
}

int main(int count, char **arguments) {
    if (count != 3) {
        fprintf(stderr, "usage: limit PORT FILE\n");
        return 64;
    }
    static char body[body_limit];
    FILE *file = fopen(arguments[2], "rb");
    if (file == NULL) fail(arguments[2]);
    size_t length = fread(body, 1, sizeof body, file);
    fclose(file);
    struct answers keep = make_answers(body, length, "");
    struct answers last = make_answers(body, length, "Connection: close\r\n");

    int listener = listen_on(atoi(arguments[1]));
    int poller = epoll_create1(EPOLL_CLOEXEC);
    if (poller < 0) fail("epoll_create1");
    watch(poller, listener);

    struct epoll_event ready[events];
    for (;;) {
        int number = epoll_wait(poller, ready, events, -1);
        for (int index = 0; index < number; index++) {
            int fd = ready[index].data.fd;
            if (fd != listener) {
                if (!serve(fd, keep, last)) close(fd);
                continue;
            }
            int accepted;
            while ((accepted = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
                watch(poller, accepted);
            }
        }
    }
}
