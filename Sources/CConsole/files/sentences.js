/** Rules as sentences: "10 % of users in LV, LT or EE with version 2 or later", in both directions. A rule that sentences can't say
    is shown as JSON. */
import { listed } from "./formats.js";

const COMPARISONS = { "<": "below", "<=": "at most", ">": "above", ">=": "at least" };
const VERSIONS = { ">=": (text) => `${text} or later`, "<=": (text) => `${text} or earlier`, "<": (text) => `before ${text}`,
    ">": (text) => `after ${text}`, "=": (text) => text, "!=": (text) => `other than ${text}`,
        "^": (text) => `of the major version ${text}`,
    "~": (text) => `of the minor version ${text}` };
/** The words of the sentences. A text that is one of them is in quotes. */
const WORDS = new Set(("all no users of segment in not with whose is one none or and starts ends before after other than later earlier "
    + "below above at most least the major minor version true false").split(" "));
const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/, VERSION = /^\d+(\.\d+){0,2}([-+][\w.+-]+)?$/;

/** The sentence of a rule; null if there is none. A missing rule is "all users". */
export function sentenceOf(rule) {
    if (rule === undefined || rule === true) return "all users";
    if (rule === false) return "no users";
    const sentences = parts(rule, "or").map(conjunction);
    return sentences.every((one) => one !== null) ? sentences.join("; or ") : null;
}

/** The operand of a rule's only operation, if the operation has that name. */
function operand(rule, name) {
    return rule !== null && typeof rule === "object" && Object.keys(rule).length === 1 && Object.hasOwn(rule, name) ? rule[name] : undefined;
}

/** The parts of an `and` or `or`; the rule alone if it is none. */
function parts(rule, name) {
    const list = operand(rule, name);
    return Array.isArray(list) && list.length > 1 ? list : [rule];
}

function conjunction(rule) {
    if (rule === true) return "users";
    let rollout = "";
    const clauses = [];
    for (const part of parts(rule, "and")) {
        const share = operand(part, "rollout");
        if (isShare(share) && rollout === "") rollout = `${share} % of `;
        else {
            const text = clause(part);
            if (text === null) return null;
            clauses.push(text);
        }
    }
    return `${rollout}users${clauses.length > 0 ? " " + clauses.join(" ") : ""}`;
}

/** Whether a value is a percentage with at most three decimals. */
function isShare(value) {
    return typeof value === "number" && value >= 0 && value <= 100 && Math.round(value * 1000) / 1000 === value;
}

function variable(value) {
    const name = operand(value, "var");
    return typeof name === "string" && /^[\w.$-]+$/.test(name) ? name : null;
}

function clause(rule) {
    if (rule === null || typeof rule !== "object" || Object.keys(rule).length !== 1) return null;
    const [[operation, given]] = Object.entries(rule);
    if (operation === "segment" && typeof given === "string") return `of segment ${literal(given)}`;
    if (operation === "!") {
        const inner = Array.isArray(given) && given.length === 1 ? given[0] : given;
        return membership(operand(inner, "in"), true);
    }
    if (operation === "in") return membership(given, false);
    if (!Array.isArray(given)) return null;
    const name = variable(given[0]);
    if (name === null) return null;
    if (operation === "sem_ver") {
        const [, operator, version] = given;
        const isKnown = given.length === 3 && typeof version === "string" && VERSION.test(version) && Object.hasOwn(VERSIONS, operator);
        return isKnown ? `with ${name} ${VERSIONS[operator](version)}` : null;
    }
    if (given.length !== 2 || !isScalar(given[1])) return null;
    if (operation === "==") return `whose ${name} is ${literal(given[1])}`;
    if (operation === "!=") return `whose ${name} is not ${literal(given[1])}`;
    if (Object.hasOwn(COMPARISONS, operation) && typeof given[1] === "number") return `whose ${name} is ${COMPARISONS[operation]} ${given[1]}`;
    if (operation === "starts_with" && typeof given[1] === "string") return `whose ${name} starts with ${literal(given[1])}`;
    return operation === "ends_with" && typeof given[1] === "string" ? `whose ${name} ends with ${literal(given[1])}` : null;
}

function membership(given, isNegated) {
    const [value, list, ...more] = Array.isArray(given) ? given : [];
    const name = variable(value);
    if (name === null || more.length > 0 || !Array.isArray(list) || list.length === 0 || !list.every(isScalar)) return null;
    const values = listed(list.map((one) => literal(one)));
    if (name === "country") return `${isNegated ? "not " : ""}in ${values}`;
    return `whose ${name} is ${isNegated ? "none" : "one"} of ${values}`;
}

/** Whether a sentence can have the value. A number beyond 2⁵³ could be another one than the text has. */
function isScalar(value) {
    return typeof value === "string" || typeof value === "boolean"
        || Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

/** A value as a word. Texts that aren't one plain word, that look like numbers or that sentences use are in quotes. */
function literal(value) {
    if (typeof value !== "string") return String(value);
    return /^(?!-?\d)[\w@.+/:-]+$/.test(value) && !WORDS.has(value.toLowerCase()) ? value : JSON.stringify(value);
}

/** The rule of a sentence; `undefined` for "all users". Throws an error with the place and the expectation. */
export function ruleOf(sentence) {
    const words = tokens(sentence);
    if (words.length === 0) throw new Error("Write which users the rule selects, such as “10 % of users in LV”.");
    const reader = new Reader(words);
    if (reader.takes("all", "users")) return reader.ended(undefined);
    if (reader.takes("no", "users")) return reader.ended(false);
    const alternatives = [reader.conjunction()];
    while (reader.takes(";")) {
        reader.takes("or");
        alternatives.push(reader.conjunction());
    }
    return reader.ended(alternatives.length === 1 ? alternatives[0] : { or: alternatives });
}

function tokens(sentence) {
    return sentence.match(/"(?:[^"\\]|\\.)*"|[,;%]|[^\s,;%"]+/g) ?? [];
}

class Reader {
    constructor(words) {
        this.words = words;
        this.at = 0;
    }

    takes(...expected) {
        if (!expected.every((word, index) => this.words[this.at + index]?.toLowerCase() === word)) return false;
        this.at += expected.length;
        return true;
    }

    expect(...expected) {
        if (!this.takes(...expected)) this.fail(`“${expected.join(" ")}” is expected`);
    }

    fail(expectation) {
        const found = this.words[this.at];
        throw new Error(`${expectation}${found === undefined ? " at the end" : ` before “${found}”`}.`);
    }

    ended(rule) {
        if (this.at < this.words.length) this.fail("“in”, “with”, “whose”, “of segment” or the end is expected");
        return rule;
    }

    conjunction() {
        const parts = [];
        if (this.words[this.at + 1] === "%") {
            const share = Number(this.words[this.at]);
            if (!(share >= 0 && share <= 100)) this.fail("A percentage from 0 to 100 is expected");
            if (!isShare(share)) this.fail("A percentage with at most three decimals is expected");
            this.at += 2;
            this.expect("of");
            parts.push({ rollout: share });
        }
        this.expect("users");
        for (let part = this.clause(); part !== null; part = this.clause()) parts.push(part);
        const rollout = parts.length > 1 && parts[0].rollout !== undefined ? [...parts.slice(1), parts[0]] : parts;
        if (rollout.length === 0) return true;
        return rollout.length === 1 ? rollout[0] : { and: rollout };
    }

    clause() {
        this.takes("and");
        if (this.takes("not", "in")) return { "!": [{ in: [{ var: "country" }, this.list()] }] };
        if (this.takes("in")) return { in: [{ var: "country" }, this.list()] };
        if (this.takes("of", "segment")) return { segment: String(this.value("A segment's name")) };
        if (this.takes("with")) return this.version();
        if (this.takes("whose")) return this.comparison();
        return null;
    }

    version() {
        const given = { var: this.name() };
        for (const [operator, ...words] of [["<", "before"], [">", "after"], ["!=", "other", "than"],
            ["^", "of", "the", "major", "version"],
            ["~", "of", "the", "minor", "version"]]) {
            if (this.takes(...words)) return { sem_ver: [given, operator, this.versionNumber()] };
        }
        const number = this.versionNumber();
        const operator = this.takes("or", "later") ? ">=" : this.takes("or", "earlier") ? "<=" : "=";
        return { sem_ver: [given, operator, number] };
    }

    comparison() {
        const given = { var: this.name() };
        if (this.takes("starts", "with")) return { starts_with: [given, String(this.value("A text"))] };
        if (this.takes("ends", "with")) return { ends_with: [given, String(this.value("A text"))] };
        this.expect("is");
        if (this.takes("one", "of")) return { in: [given, this.list()] };
        if (this.takes("none", "of")) return { "!": [{ in: [given, this.list()] }] };
        if (this.takes("not")) return { "!=": [given, this.value("A value")] };
        for (const [operation, text] of Object.entries(COMPARISONS)) {
            if (!this.takes(...text.split(" "))) continue;
            const number = this.value("A number");
            if (typeof number !== "number") throw new Error(`A number is expected after “${text}”.`);
            return { [operation]: [given, number] };
        }
        return { "==": [given, this.value("A value")] };
    }

    name() {
        const word = this.words[this.at];
        if (word === undefined || !/^[\w.$-]+$/.test(word)) this.fail("The name of a value, such as “version”, is expected");
        this.at += 1;
        return word;
    }

    versionNumber() {
        const word = this.words[this.at]?.replaceAll('"', "");
        if (word === undefined || !VERSION.test(word)) this.fail("A version, such as “2.1”, is expected");
        this.at += 1;
        return word;
    }

    list() {
        const values = [this.value("A value")];
        while (this.takes(",") || this.takes("or")) {
            this.takes("or");
            values.push(this.value("A value"));
        }
        return values;
    }

    value(expected) {
        const word = this.words[this.at];
        if (word === undefined || /^[,;%]$/.test(word)) this.fail(`${expected} is expected`);
        this.at += 1;
        if (word.startsWith('"')) {
            try {
                return JSON.parse(word);
            } catch {
                throw new Error(`The text ${word} has an invalid escape.`);
            }
        }
        if (word === "true" || word === "false") return word === "true";
        return NUMBER.test(word) ? Number(word) : word;
    }
}
