/** JSON with places: a parser that continues after faults, for the editor's marks, completion and rules. */

/** Parses a text. Returns the root node and the faults.
 *
 *  A node has `type`, `start`, `end`, and `value` (texts, numbers, `true`, `false`, `null`), `items` (arrays) or `entries` (objects: `key`,
 *  `keyStart`, `keyEnd`, `value`). A fault has `offset` and `message`. At most 100 faults are returned. */
export function parseText(text) {
    if (last.text === text) return last;
    const parser = new Parser(text);
    const root = parser.readValue();
    parser.skip();
    if (parser.at < text.length) parser.fault("The document has ended. Remove the rest.");
    last = { text, root, faults: parser.faults };
    return last;
}

/** The last result: the editor, its checks and the rules parse the same text. */
let last = { text: null };

const WORD = /[^\s,:{}[\]"]{1,400}/y;

class Parser {
    constructor(text) {
        this.text = text;
        this.at = 0;
        this.faults = [];
        this.depth = 0;
    }

    fault(message, offset = this.at) {
        if (this.faults.length < 100) this.faults.push({ offset, message });
    }

    skip() {
        for (;;) {
            const code = this.text.charCodeAt(this.at);
            if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return;
            this.at += 1;
        }
    }

    readValue() {
        this.skip();
        const character = this.text[this.at];
        if (character === "{" || character === "[") {
            if (++this.depth > 128) {
                this.fault("The document is nested too deeply.");
                this.at = this.text.length;
            }
            const node = character === "{" ? this.readObject() : this.readArray();
            this.depth -= 1;
            return node;
        }
        if (character === '"') return this.readText();
        return this.readWord();
    }

    readObject() {
        const node = { type: "object", start: this.at, end: this.text.length, entries: [] };
        const names = new Set();
        this.at += 1;
        for (;;) {
            this.skip();
            const character = this.text[this.at];
            if (character === undefined) return this.unclosed(node, "}");
            if (character === "}") return this.closed(node);
            if (character === ",") {
                this.fault("A comma has no member before it.");
                this.at += 1;
            } else if (character === '"') {
                const key = this.readText();
                const entry = { key: key.value, keyStart: key.start, keyEnd: key.end, isKeyClosed: key.isClosed, value: null };
                if (names.has(key.value)) this.fault(`The member “${key.value}” is there twice.`, key.start);
                names.add(key.value);
                node.entries.push(entry);
                this.skip();
                if (this.text[this.at] === ":") {
                    this.at += 1;
                    entry.value = this.readValue();
                } else this.fault("A colon is missing after the member's name.");
                if (!this.readComma("}")) return this.closedOrUnclosed(node, "}");
            } else if (character === "]") return this.mismatched(node, "}");
            else {
                this.fault("A member's name in quotes is expected.");
                this.readWord(true);
                this.skip();
                if (this.text[this.at] === ":") this.at += 1;
            }
        }
    }

    readArray() {
        const node = { type: "array", start: this.at, end: this.text.length, items: [] };
        this.at += 1;
        for (;;) {
            this.skip();
            const character = this.text[this.at];
            if (character === undefined) return this.unclosed(node, "]");
            if (character === "]") return this.closed(node);
            if (character === "}" || character === ":") return this.mismatched(node, "]");
            if (character === ",") {
                this.fault("A comma has no element before it.");
                this.at += 1;
                continue;
            }
            node.items.push(this.readValue());
            if (!this.readComma("]")) return this.closedOrUnclosed(node, "]");
        }
    }

    /** Reads the comma between members or elements. Returns false at the end. */
    readComma(end) {
        this.skip();
        const character = this.text[this.at];
        if (character === ",") {
            const comma = this.at;
            this.at += 1;
            this.skip();
            if (this.text[this.at] === end) this.fault("Remove the comma before the end.", comma);
            return true;
        }
        if (character === undefined || character === "}" || character === "]") return false;
        this.fault("A comma is missing.");
        return true;
    }

    closedOrUnclosed(node, end) {
        if (this.text[this.at] === end) return this.closed(node);
        return this.text[this.at] === undefined ? this.unclosed(node, end) : this.mismatched(node, end);
    }

    closed(node) {
        this.at += 1;
        node.end = this.at;
        return node;
    }

    unclosed(node, end) {
        this.fault(`“${end}” is missing at the end.`, Math.max(0, this.text.trimEnd().length - 1));
        return node;
    }

    mismatched(node, end) {
        this.fault(`“${end}” is expected here.`);
        node.end = this.at;
        if (this.depth <= 1) this.at += 1;
        return node;
    }

    readText() {
        const start = this.at;
        let isPlain = true;
        for (this.at += 1; this.at < this.text.length; this.at += 1) {
            const code = this.text.charCodeAt(this.at);
            if (code === 34 || code === 10) break;
            if (code === 92) this.at += 1;
            if (code === 92 || code < 32) isPlain = false;
        }
        this.at = Math.min(this.at, this.text.length);
        const isClosed = this.text[this.at] === '"';
        if (isClosed) this.at += 1;
        else this.fault("The text has no closing quote.", start);
        let value = this.text.slice(start + 1, isClosed ? this.at - 1 : this.at);
        try {
            if (isClosed && !isPlain) value = JSON.parse(this.text.slice(start, this.at));
        } catch {
            this.fault("The text has an invalid escape or a control character.", start);
        }
        return { type: "string", start, end: this.at, value, isClosed };
    }

    /** Reads a number, `true`, `false` or `null`, and marks anything else. */
    readWord(isSilent = false) {
        const start = this.at;
        WORD.lastIndex = start;
        const word = WORD.exec(this.text)?.[0] ?? "";
        this.at += word.length || (this.at < this.text.length && ":".includes(this.text[this.at]) ? 1 : 0);
        const node = { type: "missing", start, end: this.at, value: undefined };
        if (word === "true" || word === "false" || word === "null") return { ...node, type: "word", value: JSON.parse(word) };
        if (/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(word)) return { ...node, type: "number", value: Number(word) };
        if (!isSilent) this.fault(word === "" ? "A value is missing." : `“${word.slice(0, 40)}” is no value. Texts need quotes.`, start);
        return node;
    }
}

/** The offsets at which the lines of a text begin. */
export function lineStarts(text) {
    if (lines.text === text) return lines.starts;
    const starts = [0];
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
    lines = { text, starts };
    return starts;
}

/** The last result: the editor, its marks and the list of faults use the same text. */
let lines = { text: null };

/** The line of an offset, from 0. */
export function lineOf(text, offset) {
    const starts = lineStarts(text);
    let first = 0, last = starts.length - 1;
    while (first < last) {
        const middle = (first + last + 1) >> 1;
        if (starts[middle] <= offset) first = middle;
        else last = middle - 1;
    }
    return first;
}

/** The node at a JSON Pointer (RFC 6901), or the nearest node around it. */
export function nodeAt(root, pointer) {
    let node = root;
    for (const part of pointer.split("/").slice(1)) {
        const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
        const next = node.type === "array" ? node.items[Number(name)] : node.entries?.find((entry) => entry.key === name)?.value;
        if (!next) return node;
        node = next;
    }
    return node;
}

/** The value of a node, as `JSON.parse` returns it. */
export function valueOf(node) {
    if (!node) return undefined;
    if (node.type === "array") return node.items.map(valueOf);
    if (node.type === "object") return Object.fromEntries(node.entries.map((entry) => [entry.key, valueOf(entry.value)]));
    return node.value;
}

/** The JSON of a value on one line, with a space after each colon and comma between its tokens. */
export function lineText(value) {
    if (value === null || typeof value !== "object") return JSON.stringify(value);
    if (Array.isArray(value)) return `[${value.map(lineText).join(", ")}]`;
    return `{${Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${lineText(one)}`).join(", ")}}`;
}

/** A text with each member and element of its JSON on a line of its own. Names, texts and numbers stay as they are written. */
export function indentedText(text, node = parseText(text).root, indent = "\n") {
    const inner = indent + "  ";
    const lines = node.items?.map((one) => indentedText(text, one, inner)) ?? node.entries?.map(({ keyStart, keyEnd, value }) =>
        `${text.slice(keyStart, keyEnd)}: ${indentedText(text, value, inner)}`);
    if (!lines) return text.slice(node.start, node.end);
    const [first, last] = node.items ? "[]" : "{}";
    return first + (lines.length > 0 ? inner + lines.join("," + inner) + indent : "") + last;
}

/** The place of an offset: the path to it, whether a member's name is expected there, and the text's node around it. */
export function placeAt(root, offset) {
    const path = [];
    let node = root;
    for (;;) {
        if (node.type === "object") {
            const inKey = node.entries.find((entry) => entry.keyStart < offset && offset <= entry.keyEnd);
            if (inKey) return { path, isKey: true, object: node, start: inKey.keyStart, end: inKey.isKeyClosed ? inKey.keyEnd : offset,
                hasValue: inKey.value !== null };
            const inside = node.entries.findLast((entry) => entry.value ? entry.keyEnd < offset : entry.keyEnd <= offset);
            const isIn = inside && (inside.value === null || offset <= inside.value.end || inside.value.type === "missing");
            if (!isIn) return { path, isKey: true, object: node, start: offset, end: offset, hasValue: false };
            path.push(inside.key);
            if (inside.value === null || inside.value.type === "missing") return { path, isKey: false, start: offset, end: offset };
            node = inside.value;
        } else if (node.type === "array") {
            const index = node.items.findIndex((item) => item.start < offset && offset <= item.end);
            if (index < 0) {
                path.push(node.items.filter((item) => item.end < offset).length);
                return { path, isKey: false, start: offset, end: offset };
            }
            path.push(index);
            node = node.items[index];
        } else if (node.type === "string" && node.start < offset && (offset < node.end || !node.isClosed)) {
            return { path, isKey: false, start: node.start, end: node.isClosed ? node.end : offset };
        } else return { path, isKey: false, start: offset, end: offset, isAfterValue: node.type !== "missing" };
    }
}
