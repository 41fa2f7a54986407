/** The rules of a document as sentences beside the editor. An edited sentence changes the rule in the text. */
import { h } from "./dom.js";
import { parseText, valueOf } from "./json-text.js";
import { refresh } from "./refresh.js";
import { ruleOf, sentenceOf } from "./sentences.js";
import { searchBox } from "./widgets.js";

/** The most places that are shown at once. A document has at most 11,000. */
const SHOWN = 100;
const typed = new Map();
let wanted = "";
let isAccepting = false;

/** The pane. `edit(start, end, text)` replaces a part of the document's text. */
export function rulesPane(text, edit) {
    const { root, faults } = parseText(text);
    const list = root.type === "array" ? root : root.entries?.find((entry) => entry.key === "modules")?.value;
    const places = faults.length > 0 ? [] : (list?.items ?? []).flatMap((module) => ruled(module));
    const found = places.length > SHOWN ? places.filter((one) => one.title.toLowerCase().includes(wanted)) : places;
    return h("aside", { class: "rules card stack", "aria-labelledby": "rules-title" },
        h("h2", { id: "rules-title" }, "Rules as sentences"),
        faults.length > 0 && h("p", { class: "muted" }, "They appear when the JSON has no faults."),
        faults.length === 0 && places.length === 0 && h("p", { class: "muted" }, "The document has no modules."),
        places.length > SHOWN && h("div", { class: "stack", key: "search" },
            searchBox(wanted, (value) => { wanted = value.toLowerCase(); refresh(); }, "Search modules"),
            found.length > SHOWN && h("p", { class: "muted" }, `The first ${SHOWN} of ${found.length} places are shown.`),
            found.length === 0 && h("p", { class: "muted", role: "status" }, `No module contains “${wanted}”.`)),
        found.slice(0, SHOWN).map((place) => sentenceField(place, text, edit)),
        places.length > 0 && h("details", {}, h("summary", {}, "What sentences can say"), h("ul", { class: "bullets muted" },
            ["all users", "10 % of users", "users in LV, LT or EE", "users with version 2 or later", "users whose plan is pro",
                "users whose age is at least 18", "users of segment beta",
                    "20 % of users not in US whose email ends with @acme.com"].map((one) => h("li", { key: one }, one)))));
}

/** A module's and its actions' places: name, node, and the entry of `when`. */
function ruled(module) {
    if (module.type !== "object") return [];
    const name = entryOf(module, "name")?.value.value ?? "module";
    const actions = entryOf(module, "actions")?.value.items ?? [];
    return [{ title: name, node: module, entry: entryOf(module, "when") }, ...actions.filter((one) => entryOf(one, "when")).map((one) =>
        ({ title: `${name} / ${entryOf(one, "func")?.value.value ?? "action"}`, node: one, entry: entryOf(one, "when") }))];
}

function entryOf(node, key) {
    return node?.entries?.find((entry) => entry.key === key);
}

function sentenceField({ title, node, entry }, text, edit) {
    const key = `rule-${node.start}`;
    const sentence = sentenceOf(valueOf(entry?.value));
    const given = typed.get(key);
    const accept = (event) => {
        // The edit moves the focus for a moment, which ends the input's change again.
        if (isAccepting) return;
        const value = event.currentTarget.value;
        if (value === sentence) {
            typed.delete(key);
            refresh();
            return;
        }
        isAccepting = true;
        try {
            const rule = ruleOf(value);
            typed.delete(key);
            if (rule !== undefined || entry) edit(...changeOf(node, entry, rule, text));
        } catch (error) {
            typed.set(key, { value, error: error.message });
        } finally {
            isAccepting = false;
        }
        refresh();
    };
    const error = given?.error && given.value !== sentence ? given.error : null;
    return h("div", { class: "field", key },
        h("label", { for: key }, title),
        sentence === null
            ? h("p", { class: "muted", id: key }, "No sentence says this rule. Edit its JSON.")
            : h("input", {
                id: key, value: given?.value ?? sentence, spellcheck: "false", "aria-invalid": error ? "true" : undefined,
                "aria-describedby": error ? `${key}-error` : undefined,
                oninput: (event) => typed.set(key, { value: event.currentTarget.value }),
                onchange: accept,
            }),
        error && h("small", { class: "error", id: `${key}-error`, role: "alert" }, error));
}

/** The range and the text that give a module or action a rule: a replaced, a new or a removed `when`. */
function changeOf(node, entry, rule, text) {
    if (entry && rule !== undefined) return [entry.value.start, entry.value.end, compact(rule)];
    if (entry) {
        const index = node.entries.indexOf(entry);
        const next = node.entries[index + 1], previous = node.entries[index - 1];
        if (next) return [entry.keyStart, next.keyStart, ""];
        return previous ? [previous.value.end, entry.value.end, ""] : [entry.keyStart, entry.value.end, ""];
    }
    const first = node.entries.find((one) => one.key === "name") ?? node.entries[0];
    const place = first ? first.value.end : text.indexOf("{", node.start) + 1;
    return [place, place, `${first ? ", " : ""}"when": ${compact(rule)}`];
}

function compact(rule) {
    return JSON.stringify(rule).replaceAll('":', '": ').replaceAll(/,(?=["{[\d])/g, ", ");
}
