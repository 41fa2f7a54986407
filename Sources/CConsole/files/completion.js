/** Completion in behavior documents: members, seen modules and functions, operations, segments. */
import { nodeAt, parseText, placeAt, valueOf } from "./json-text.js";

/** The operations of rules, with an example of their operands (Documentation/Targeting.md). */
export const OPERATIONS = {
    rollout: "10", segment: '"name"', in: '[{"var": "country"}, ["LV", "EE"]]', sem_ver: '[{"var": "version"}, ">=", "2.0.0"]',
    "==": '[{"var": "plan"}, "pro"]', "!=": '[{"var": "plan"}, "free"]', and: "[]", or: "[]", "!": "[]", var: '"country"',
    "<": '[{"var": "age"}, 18]', "<=": '[{"var": "age"}, 18]', ">": '[{"var": "age"}, 18]', ">=": '[{"var": "age"}, 18]',
    "===": "[]", "!==": "[]", "!!": "[]", if: "[]", "?:": "[]", missing: '["email"]', missing_some: '[1, ["email", "phone"]]',
    starts_with: '[{"var": "locale"}, "lv"]', ends_with: '[{"var": "email"}, "@acme.com"]', fractional: '[["red", 50], ["blue", 50]]',
    "+": "[]", "-": "[]", "*": "[]", "/": "[]", "%": "[]", max: "[]", min: "[]", map: "[]", filter: "[]", reduce: "[]", all: "[]",
    none: "[]", some: "[]", merge: "[]", cat: "[]", substr: "[]",
};
const VERSION_OPERATORS = ["=", "!=", "<", "<=", ">", ">=", "^", "~"];
const VARIABLES = ["targetingKey", "country", "version", "$flagd.timestamp", "$flagd.flagKey"];

/** The completions at an offset. `seen` maps modules to their functions. */
export function complete(text, offset, seen) {
    const { root } = parseText(text);
    const place = placeAt(root, offset);
    if (place.isAfterValue) return null;
    const found = place.isKey ? keys(place, root) : values(place.path, root, seen);
    const typed = text.slice(place.start, Math.max(place.start, offset)).replace(/^"/, "");
    const options = found.filter((one) => one.text.toLowerCase().includes(typed.toLowerCase()) && one.text !== typed)
        .sort((one, other) => rank(one, typed) - rank(other, typed) || one.text.localeCompare(other.text)).slice(0, 50);
    return { start: place.start, end: place.end, options };
}

function rank({ text }, typed) {
    return text.toLowerCase().startsWith(typed.toLowerCase()) ? 0 : 1;
}

/** The path within the modules: without `modules` of a document with segments. */
function inModules(path) {
    return path[0] === "modules" ? path.slice(1) : path;
}

function isRule(path) {
    return path.includes("when") || path[0] === "segments";
}

function keys({ path, object, hasValue }, root) {
    const present = new Set(object.entries.map((entry) => entry.key));
    const option = (name, value, note) => ({ text: name, note, insert: JSON.stringify(name) + (hasValue ? "" : `: ${value}`) });
    if (isRule(path) && !(path[0] === "segments" && path.length === 1)) {
        return present.size > 1 ? [] : Object.entries(OPERATIONS).map(([name, example]) => option(name, example, "operation"));
    }
    const short = inModules(path);
    if (path.length === 0 && root.type === "object") {
        return [["segments", "{}"], ["modules", "[]"]].filter(([name]) => !present.has(name)).map(([name, value]) => option(name, value,
            "document"));
    }
    const members = short.length === 1 ? [["name", '""'], ["actions", "[]"], ["when", "{}"]]
        : short.length === 3 && short[1] === "actions" ? [["func", '""'], ["value", '""'], ["when", "{}"]] : [];
    return members.filter(([name]) => !present.has(name)).map(([name, value]) => option(name, value, short.length === 1 ? "module"
        : "action"));
}

function values(path, root, seen) {
    const option = (note) => (value) => ({ text: String(value), note, insert: JSON.stringify(value) });
    const last = path.at(-1);
    if (isRule(path)) {
        if (last === "segment") return nodeAt(root, "/segments").entries?.map((entry) => entry.key).map(option("segment")) ?? [];
        if (last === "var" || (path.at(-2) === "var" && last === 0)) return VARIABLES.map(option("value of the user"));
        return path.at(-2) === "sem_ver" && last === 1 ? VERSION_OPERATORS.map(option("comparison")) : [];
    }
    const short = inModules(path);
    if (short.length === 2 && last === "name") return [...seen.keys()].map(option("module"));
    if (short.length === 4 && last === "func") {
        const prefix = path[0] === "modules" ? `/modules/${short[0]}` : `/${short[0]}`;
        const name = valueOf(nodeAt(root, prefix))?.name;
        return [...(seen.get(name) ?? [])].map(option(name));
    }
    return [];
}

/** The modules of a document in either form. */
export function modulesOf(document) {
    const list = Array.isArray(document) ? document : document?.modules;
    return Array.isArray(list) ? list.filter((one) => one !== null && typeof one === "object") : [];
}
