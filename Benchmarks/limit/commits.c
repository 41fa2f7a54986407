// The limit of durable likes: the same statements with the same SQLite, without a server.
//
//     commits FILE SECONDS GROUP
//
// Likes photo 42 of a database that the photos server made, with GROUP likes in each commit, and prints
// likes per second. Each commit is synced (journal_mode WAL, synchronous FULL). 1 is the plain way to use SQLite;
// 64 is what 64 connections can share at most.

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// So many commits pass SQLite's first checkpoint. Until then the log grows, and a sync of a growing file takes longer.
enum { warm_up = 600 };
enum { likes_of, count_of, insert, update, statements };

static const char *const texts[statements] = {
    [likes_of] = "SELECT likes FROM photo WHERE id = 42",
    [count_of] = "SELECT count FROM \"like\" WHERE photo = 42 AND user = 'ada'",
    [insert] = "INSERT INTO \"like\" (photo, user, count) VALUES (42, 'ada', ?)"
               " ON CONFLICT DO UPDATE SET count = excluded.count",
    [update] = "UPDATE photo SET likes = likes + 1 WHERE id = 42",
};

static sqlite3 *database;
static sqlite3_stmt *prepared[statements];

static void check(int status, const char *what) {
    if (status == SQLITE_OK || status == SQLITE_ROW || status == SQLITE_DONE) return;
    fprintf(stderr, "commits: %s: %s\n", what, sqlite3_errmsg(database));
    exit(1);
}

static void run(const char *text) { check(sqlite3_exec(database, text, NULL, NULL, NULL), text); }

// The first column of the first row; -1 for no row.
static sqlite3_int64 step(int number) {
    int status = sqlite3_step(prepared[number]);
    check(status, texts[number]);
    sqlite3_int64 value = status == SQLITE_ROW ? sqlite3_column_int64(prepared[number], 0) : -1;
    sqlite3_reset(prepared[number]);
    return value;
}

static void like(void) {
    if (step(likes_of) < 0) {
        fprintf(stderr, "commits: there is no photo 42\n");
        exit(1);
    }
    sqlite3_int64 given = step(count_of);
    sqlite3_bind_int64(prepared[insert], 1, given < 0 ? 1 : given + 1);
    step(insert);
    step(update);
    step(likes_of);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int count, char **arguments) {
    int group = count == 4 ? atoi(arguments[3]) : 0;
    if (group < 1) {
        fprintf(stderr, "usage: commits FILE SECONDS GROUP\n");
        return 64;
    }
    check(sqlite3_open_v2(arguments[1], &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL), "open");
    run("PRAGMA journal_mode = WAL");
    run("PRAGMA synchronous = FULL");
    run("PRAGMA foreign_keys = ON");
    for (int number = 0; number < statements; number++)
        check(sqlite3_prepare_v2(database, texts[number], -1, &prepared[number], NULL), texts[number]);
    sqlite3_stmt *begin, *commit;
    check(sqlite3_prepare_v2(database, "BEGIN IMMEDIATE", -1, &begin, NULL), "begin");
    check(sqlite3_prepare_v2(database, "COMMIT", -1, &commit, NULL), "commit");

    double start = 0, end = 0;
    long likes = 0;
    for (int number = 0; number <= warm_up || now() < end; number++) {
        if (number == warm_up) {
            start = now();
            end = start + atof(arguments[2]);
            likes = 0;
        }
        check(sqlite3_step(begin), "begin");
        sqlite3_reset(begin);
        for (int number = 0; number < group; number++) like();
        check(sqlite3_step(commit), "commit");
        sqlite3_reset(commit);
        likes += group;
    }
    printf("%.0f\n", (double)likes / (now() - start));
}
