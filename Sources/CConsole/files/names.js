/** The names of documents and environments. */

const NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;

/** A sentence if the text is no name; else null. */
export function nameFault(name) {
    return NAME.test(name) ? null : "A name has small letters, digits and hyphens, and at most 63 characters.";
}
