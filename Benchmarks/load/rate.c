// Asks at a fixed rate and prints how long the answers took, in microseconds.
//
//     rate PORT PATH RATE SECONDS CONNECTIONS
//     30000 of 30000 answered, p50 41, p99 96, max 310
//
// Each request has a time at which it is due, and its latency counts from then, also where no connection was free or
// this program was late: a server that stops for a moment pays for all the requests that were due meanwhile, not only
// for those in flight (else it would be spared by "coordinated omission"). The clock is polled, so no timer adds to
// the figures. A request that is not answered a second after the last one was due is not answered at all.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { head_limit = 64 * 1024, events = 64 };

struct connection {
    int fd;
    int64_t due;     // when the request in flight was due, in ns
    size_t length;   // of what has come of its answer
    char answer[head_limit];
};

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int open_connection(int port) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) < 0) fail("connect");
    int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fd;
}

// Takes what has come; true once the answer is whole, of the length that its head gives.
static bool is_answered(struct connection *connection) {
    char *answer = connection->answer;
    ssize_t count = recv(connection->fd, answer + connection->length, head_limit - 1 - connection->length, MSG_DONTWAIT);
    if (count < 0 && errno == EAGAIN) return false;
    if (count <= 0) fail("the server hung up");
    connection->length += (size_t)count;
    answer[connection->length] = 0;
    char *end = strstr(answer, "\r\n\r\n"), *field = strcasestr(answer, "\r\ncontent-length:");
    if (end == NULL) return false;
    if (strncmp(answer, "HTTP/1.1 200 ", 13) != 0 || field == NULL || field > end) {
        fprintf(stderr, "rate: answered %.60s\n", answer);
        exit(1);
    }
    return connection->length >= (size_t)(end + 4 - answer) + strtoul(field + 17, NULL, 10);
}

static int compare(const void *left, const void *right) {
    int64_t one = *(const int64_t *)left, other = *(const int64_t *)right;
    return (one > other) - (one < other);
}

int main(int count, char **arguments) {
    if (count != 6) {
        fprintf(stderr, "usage: rate PORT PATH RATE SECONDS CONNECTIONS\n");
        return 64;
    }
    int port = atoi(arguments[1]), connections = atoi(arguments[5]);
    int64_t rate = atoll(arguments[3]), total = rate * atoll(arguments[4]);
    char request[1024];
    int length = snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: localhost:%d\r\n\r\n", arguments[2], port);

    struct connection *all = calloc((size_t)connections, sizeof *all);
    int *idle = calloc((size_t)connections, sizeof *idle);  // a ring: all of them take their turns
    int64_t *latencies = calloc((size_t)total, sizeof *latencies);
    int poller = epoll_create1(EPOLL_CLOEXEC);
    if (all == NULL || idle == NULL || latencies == NULL || poller < 0) fail("rate");
    for (int index = 0; index < connections; index++) {
        all[index].fd = open_connection(port);
        struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t)index};
        if (epoll_ctl(poller, EPOLL_CTL_ADD, all[index].fd, &event) < 0) fail("epoll_ctl");
        idle[index] = index;
    }

    int64_t start = now(), give_up = start + (total * 1000000000) / rate + 1000000000, sent = 0, answered = 0;
    while (answered < total && now() < give_up) {
        for (int64_t due; sent < total && sent - answered < connections; sent++) {
            if ((due = start + sent * 1000000000 / rate) > now()) break;
            struct connection *connection = &all[idle[sent % connections]];
            connection->due = due;
            connection->length = 0;
            if (send(connection->fd, request, (size_t)length, MSG_NOSIGNAL) != length) fail("send");
        }
        struct epoll_event ready[events];
        int number = epoll_wait(poller, ready, events, 0);
        for (int index = 0; index < number; index++) {
            struct connection *connection = &all[ready[index].data.u32];
            if (!is_answered(connection)) continue;
            latencies[answered] = now() - connection->due;
            idle[answered++ % connections] = (int)ready[index].data.u32;
        }
    }
    if (answered == 0) return fprintf(stderr, "rate: no answer\n"), 1;
    qsort(latencies, (size_t)answered, sizeof *latencies, compare);
    printf("%lld of %lld answered, p50 %lld, p99 %lld, max %lld\n", (long long)answered, (long long)total,
           (long long)latencies[answered / 2] / 1000, (long long)latencies[answered * 99 / 100] / 1000,
           (long long)latencies[answered - 1] / 1000);
}
