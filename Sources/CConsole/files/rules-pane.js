/** The rules of a document as sentences beside the editor. An edited sentence changes the rule in the text. */
import { h } from "./dom.js";
import { lineText, parseText, valueOf } from "./json-text.js";
import { refresh } from "./refresh.js";
import { ruleOf, sentenceOf } from "./sentences.js";
import { searchBox } from "./widgets.js";

/** The most places that are shown at once. A document has at most 11,000. */
const SHOWN = 100;

/** The pane of an editor: a function that returns its elements for a text. `edit(start, end, text)` replaces a part of the document's text. */
export function rulesPane(edit) {
    /** The sentences that are typed and not accepted, by the pointers of their places. */
    const typed = new Map();
    let wanted = "", isAccepting = false;

    function accept(place, value, text) {
        // The edit moves the focus for a moment, which ends the input's change again.
        if (isAccepting) return;
        isAccepting = true;
        try {
            const rule = value === place.sentence ? undefined : ruleOf(value);
            typed.delete(place.pointer);
            if (value !== place.sentence && (rule !== undefined || place.entry)) edit(...changeOf(place, rule, text));
        } catch (error) {
            typed.set(place.pointer, { place, value, error: error.message });
        } finally {
            isAccepting = false;
        }
        refresh();
    }

    /** A typed sentence belongs to the rule that was there when it was typed. */
    function typedAt({ pointer, title, sentence }) {
        const given = typed.get(pointer);
        return given?.place.title === title && given.place.sentence === sentence ? given : undefined;
    }

    function sentenceField(place, text) {
        const { pointer, title, sentence } = place;
        const id = `rule-${pointer}`, given = typedAt(place), error = given?.value === sentence ? undefined : given?.error;
        return h("div", { class: "field", key: id },
            h("label", { for: id }, title),
            sentence === null
                ? h("p", { class: "muted", id }, "No sentence says this rule. Edit its JSON.")
                : h("input", {
                    id, value: given?.value ?? sentence, spellcheck: "false", "aria-invalid": error ? "true" : undefined,
                    "aria-describedby": error ? `${id}-error` : undefined,
                    oninput: (event) => typed.set(pointer, { place, value: event.currentTarget.value }),
                    onchange: (event) => accept(place, event.currentTarget.value, text),
                }),
            error && h("small", { class: "error", id: `${id}-error`, role: "alert" }, error));
    }

    return (text) => {
        const { root, faults } = parseText(text);
        const places = faults.length > 0 ? [] : placesOf(root);
        const found = places.length > SHOWN ? places.filter((one) => one.title.toLowerCase().includes(wanted)) : places;
        return h("aside", { class: "rules card stack", "aria-labelledby": "rules-title" },
            h("h2", { id: "rules-title" }, "Rules as sentences"),
            faults.length > 0 && h("p", { class: "muted" }, "They appear when the JSON has no faults."),
            faults.length === 0 && places.length === 0 && h("p", { class: "muted" }, "The document has no modules."),
            places.length > SHOWN && h("div", { class: "stack", key: "search" },
                searchBox(wanted, (value) => { wanted = value.toLowerCase(); refresh(); }, "Search modules"),
                found.length > SHOWN && h("p", { class: "muted" }, `The first ${SHOWN} of ${found.length} places are shown.`),
                found.length === 0 && h("p", { class: "muted", role: "status" }, `No module contains “${wanted}”.`)),
            found.slice(0, SHOWN).map((one) => sentenceField({ ...one, sentence: sentenceOf(valueOf(one.entry?.value)) }, text)),
            places.length > 0 && h("details", {}, h("summary", {}, "What sentences can say"), h("ul", { class: "bullets muted" },
                ["all users", "10 % of users", "users in LV, LT or EE", "users with version 2 or later", "users whose plan is pro",
                    "users whose age is at least 18", "users of segment beta",
                        "20 % of users not in US whose email ends with @acme.com"].map((one) => h("li", { key: one }, one)))));
    };
}

/** The modules, and the actions with a rule: `title`, `pointer`, `node`, and the `entry` of `when`. */
function placesOf(root) {
    const isList = root.type === "array";
    const list = isList ? root : entryOf(root, "modules")?.value;
    return (list?.items ?? []).flatMap((module, index) => ruled(module, `${isList ? "" : "/modules"}/${index}`));
}

function ruled(module, pointer) {
    if (module.type !== "object") return [];
    const name = entryOf(module, "name")?.value.value ?? "module";
    const actions = (entryOf(module, "actions")?.value.items ?? []).map((node, index) => ({
        title: `${name} / ${entryOf(node, "func")?.value.value ?? "action"}`, pointer: `${pointer}/actions/${index}`, node,
        entry: entryOf(node, "when"),
    }));
    return [{ title: name, pointer, node: module, entry: entryOf(module, "when") }, ...actions.filter((one) => one.entry)];
}

function entryOf(node, key) {
    return node?.entries?.find((entry) => entry.key === key);
}

/** The range and the text that give a module or action a rule: a replaced, a new or a removed `when`. */
function changeOf({ node, entry }, rule, text) {
    if (entry && rule !== undefined) return [entry.value.start, entry.value.end, lineText(rule)];
    if (entry) {
        const index = node.entries.indexOf(entry);
        const next = node.entries[index + 1], previous = node.entries[index - 1];
        if (next) return [entry.keyStart, next.keyStart, ""];
        return previous ? [previous.value.end, entry.value.end, ""] : [entry.keyStart, entry.value.end, ""];
    }
    const first = node.entries.find((one) => one.key === "name") ?? node.entries[0];
    const place = first ? first.value.end : text.indexOf("{", node.start) + 1;
    return [place, place, `${first ? ", " : ""}"when": ${lineText(rule)}`];
}
