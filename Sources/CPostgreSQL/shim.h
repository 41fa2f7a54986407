// libpq, PostgreSQL's client library. Its types are used at build time; its functions are loaded
// only for servers that use PostgreSQL.
//
// It isn't linked, since it depends on Kerberos, LDAP and a dozen more libraries. Each start of the
// program would map and relocate them.
#ifndef CPOSTGRESQL_SHIM_H
#define CPOSTGRESQL_SHIM_H

#include <dlfcn.h>
#include <postgresql/libpq-fe.h>
#include <stddef.h>

// The functions used, with the names and types of libpq's header.
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
    X(PQsetErrorVerbosity)       \
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

// Loads the library and fills the table. Returns the loader's error message, or NULL. The library
// is never unloaded.
static inline const char *cpostgresql_load(const char *library, CPostgreSQLFunctions *functions) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (handle == NULL) return dlerror();
#define X(name) \
    if ((functions->name = (__typeof__(name) *)dlsym(handle, #name)) == NULL) return dlerror();
    CPOSTGRESQL_FUNCTIONS(X)
#undef X
    return NULL;
}

// Ignores notices, which are for interactive users. The server's log has the errors.
static inline void cpostgresql_ignore(void *context, const char *message) {
    (void)context;
    (void)message;
}

static inline void cpostgresql_ignore_notices(const CPostgreSQLFunctions *functions, PGconn *connection) {
    functions->PQsetNoticeProcessor(connection, cpostgresql_ignore, NULL);
}

// Field codes of diagnostics, which the header defines as characters.
static const int CPOSTGRESQL_SQLSTATE = PG_DIAG_SQLSTATE;
static const int CPOSTGRESQL_MESSAGE = PG_DIAG_MESSAGE_PRIMARY;

#endif
