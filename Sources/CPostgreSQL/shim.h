// libpq, PostgreSQL's client library: its types at build time, its functions only where a server is asked to use it.
//
// It isn't linked: with it come Kerberos, LDAP and a dozen more libraries, which every start of the program would map
// and relocate, and which no server without a PostgreSQL needs.
#ifndef CPOSTGRESQL_SHIM_H
#define CPOSTGRESQL_SHIM_H

#include <dlfcn.h>
#include <postgresql/libpq-fe.h>
#include <stddef.h>

// The functions that are called, by the names and with the types of libpq's own header.
#define CPOSTGRESQL_FUNCTIONS(X) \
    X(PQcancel)                  \
    X(PQclear)                   \
    X(PQconninfoFree)            \
    X(PQconninfoParse)           \
    X(PQconnectPoll)             \
    X(PQconnectStartParams)      \
    X(PQconsumeInput)            \
    X(PQerrorMessage)            \
    X(PQfinish)                  \
    X(PQflush)                   \
    X(PQfname)                   \
    X(PQfreeCancel)              \
    X(PQfreemem)                 \
    X(PQftype)                   \
    X(PQgetCancel)               \
    X(PQgetResult)               \
    X(PQgetisnull)               \
    X(PQgetlength)               \
    X(PQgetvalue)                \
    X(PQisBusy)                  \
    X(PQnfields)                 \
    X(PQnotifies)                \
    X(PQntuples)                 \
    X(PQresultErrorField)        \
    X(PQresultStatus)            \
    X(PQsendQueryParams)         \
    X(PQsetNoticeProcessor)      \
    X(PQsetnonblocking)          \
    X(PQsocket)                  \
    X(PQstatus)                  \
    X(PQtransactionStatus)

typedef struct {
#define X(name) __typeof__(name) *name;
    CPOSTGRESQL_FUNCTIONS(X)
#undef X
} CPostgreSQLFunctions;

// Loads the library and fills the table; returns what is missing, in the loader's words, or NULL. It is never unloaded.
static inline const char *cpostgresql_load(const char *library, CPostgreSQLFunctions *functions) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (handle == NULL) return dlerror();
#define X(name) \
    if ((functions->name = (__typeof__(name) *)dlsym(handle, #name)) == NULL) return dlerror();
    CPOSTGRESQL_FUNCTIONS(X)
#undef X
    return NULL;
}

// Notices are for people at a terminal: a server's log is told what fails.
static inline void cpostgresql_ignore(void *context, const char *message) {
    (void)context;
    (void)message;
}

static inline void cpostgresql_ignore_notices(const CPostgreSQLFunctions *functions, PGconn *connection) {
    functions->PQsetNoticeProcessor(connection, cpostgresql_ignore, NULL);
}

// Diagnostics' fields, which the header has as characters.
static const int CPOSTGRESQL_SQLSTATE = PG_DIAG_SQLSTATE;
static const int CPOSTGRESQL_MESSAGE = PG_DIAG_MESSAGE_PRIMARY;

#endif
