// Functions for OpenSSL 3 macros, which Swift can't import. Names are those of the macros after the
// prefix.
#ifndef COPENSSL_SHIM_H
#define COPENSSL_SHIM_H

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

static const uint64_t COPENSSL_OP_NO_COMPRESSION = SSL_OP_NO_COMPRESSION;
static const uint64_t COPENSSL_OP_NO_RENEGOTIATION = SSL_OP_NO_RENEGOTIATION;

static inline void copenssl_set_protocols(SSL_CTX *context, int least, int greatest) {
    SSL_CTX_set_min_proto_version(context, least);
    SSL_CTX_set_max_proto_version(context, greatest);
}

static inline void copenssl_set_mode(SSL_CTX *context, long mode) { SSL_CTX_set_mode(context, mode); }

static inline void copenssl_clear_mode(SSL_CTX *context, long mode) { SSL_CTX_clear_mode(context, mode); }

static inline void copenssl_set_read_ahead(SSL_CTX *context) { SSL_CTX_set_read_ahead(context, 1); }

static inline void copenssl_set_session_cache_mode(SSL_CTX *context, long mode) {
    SSL_CTX_set_session_cache_mode(context, mode);
}

// Limits the bytes of certificates that the other side may send.
static inline void copenssl_set_max_certificates(SSL_CTX *context, long size) { SSL_CTX_set_max_cert_list(context, size); }

static inline int copenssl_set_groups(SSL_CTX *context, const char *list) {
    return (int)SSL_CTX_set1_groups_list(context, list);
}

// Sets the server name that a client sends.
static inline int copenssl_set_server_name(SSL *ssl, const char *name) { return (int)SSL_set_tlsext_host_name(ssl, name); }

// Adds a certificate to the chain and retains it.
static inline int copenssl_add_chain_certificate(SSL_CTX *context, X509 *certificate) {
    return (int)SSL_CTX_add1_chain_cert(context, certificate);
}

// Selects a public key's parameters in EVP_PKEY_fromdata.
static const int COPENSSL_PUBLIC_KEY = EVP_PKEY_PUBLIC_KEY;

// Adds a number of an RSA key. The builder doesn't copy the parameter's name, and a Swift string
// would be freed too early.
static inline int copenssl_push_modulus(OSSL_PARAM_BLD *builder, const BIGNUM *number) {
    return OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, number);
}

static inline int copenssl_push_exponent(OSSL_PARAM_BLD *builder, const BIGNUM *number) {
    return OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, number);
}

static inline EVP_PKEY *copenssl_generate_p256(void) { return EVP_EC_gen("P-256"); }

static inline EVP_PKEY *copenssl_generate_rsa(void) { return EVP_RSA_gen(2048); }

// The bytes in a memory BIO, which owns them.
static inline long copenssl_memory(BIO *bio, char **bytes) { return BIO_get_mem_data(bio, bytes); }

// The flags for printing a distinguished name by RFC 4514, with non-ASCII characters as UTF-8.
static const unsigned long COPENSSL_NAME_RFC4514 = XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB;

// Functions for alternative names as returned by X509_get_ext_d2i.
static inline int copenssl_name_count(const GENERAL_NAMES *names) { return sk_GENERAL_NAME_num(names); }

static inline void copenssl_free_names(GENERAL_NAMES *names) { GENERAL_NAMES_free(names); }

// A name's kind and bytes, which the list owns. Returns their length; 0 for kinds that aren't
// strings.
static inline int copenssl_name(const GENERAL_NAMES *names, int index, int *kind, const unsigned char **bytes) {
    const ASN1_STRING *text = GENERAL_NAME_get0_value(sk_GENERAL_NAME_value(names, index), kind);
    if (*kind != GEN_DNS && *kind != GEN_EMAIL && *kind != GEN_URI && *kind != GEN_IPADD) return 0;
    *bytes = ASN1_STRING_get0_data(text);
    return ASN1_STRING_length(text);
}

// Functions for a verified chain.
static inline int copenssl_chain_count(const STACK_OF(X509) *chain) { return chain ? sk_X509_num(chain) : 0; }

static inline X509 *copenssl_chain_certificate(const STACK_OF(X509) *chain, int index) {
    return sk_X509_value(chain, index);
}

static inline int copenssl_error_reason(unsigned long error) { return ERR_GET_REASON(error); }

static inline int copenssl_error_library(unsigned long error) { return ERR_GET_LIB(error); }

#endif
