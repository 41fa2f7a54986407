/** Checks of a document in the editor: its JSON, its shape, unknown operations, and functions that no document has. */
import { OPERATIONS } from "./completion.js";
import { parseText } from "./json-text.js";

/** The faults of a text in the order of their places. A fault of `kind` "warn" doesn't keep the text from being published. */
export function checkText(text, seen) {
    const { root, faults } = parseText(text);
    if (faults.length > 0) return faults.map((one) => ({ ...one, isSyntax: true }));
    const found = [];
    const add = (node, message, kind) => found.push({ offset: node.start ?? node.keyStart, message, kind });
    const list = root.type === "array" ? root : member(root, "modules");
    if (!list || list.type !== "array") {
        add(root, "A document is a list of modules, or an object with modules and segments.");
        return found;
    }
    for (const segment of member(root, "segments")?.entries ?? []) checkRule(segment.value, add);
    for (const module of list.items) checkModule(module, seen, add);
    return found.sort((one, other) => one.offset - other.offset);
}

function member(node, name) {
    return node?.entries?.find((entry) => entry.key === name)?.value;
}

function checkModule(module, seen, add) {
    if (module.type !== "object") return add(module, "A module is an object with a name and actions.");
    const name = member(module, "name"), actions = member(module, "actions");
    if (name?.type !== "string") add(module, "The module has no name.");
    if (actions?.type !== "array") add(module, "The module has no list of actions.");
    for (const entry of module.entries) {
        if (!["name", "actions", "when"].includes(entry.key)) add({ start: entry.keyStart },
            `A module has no member “${entry.key}”: use name, actions or when.`);
    }
    if (name?.type === "string" && seen.size > 0 && !seen.has(name.value)) add(name, `No live document has the module “${name.value}”.`,
        "warn");
    checkRule(member(module, "when"), add);
    for (const action of actions?.items ?? []) {
        const functionName = member(action, "func");
        if (functionName?.type !== "string") add(action, "The action has no func.");
        else if (seen.get(name?.value) && !seen.get(name.value).has(functionName.value)) {
            add(functionName, `No live document calls “${functionName.value}” of “${name.value}”.`, "warn");
        }
        checkRule(member(action, "when"), add);
    }
}

/** Finds unknown operations, the most frequent fault of rules. The server checks the rest. */
function checkRule(node, add) {
    if (!node) return;
    if (node.type === "array") node.items.forEach((item) => checkRule(item, add));
    if (node.type !== "object") return;
    if (node.entries.length !== 1) add(node, "A rule is an object with one operation.");
    for (const { key, keyStart, value } of node.entries) {
        if (!Object.hasOwn(OPERATIONS, key)) add({ start: keyStart }, `No operation has the name “${key}”.`);
        checkRule(value, add);
    }
}
