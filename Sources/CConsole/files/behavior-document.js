/** A document drawn as modules and functions, with rules as sentences. */
import { modulesOf } from "./completion.js";
import { classes, h } from "./dom.js";
import { sentenceOf } from "./sentences.js";
import { badge, copyable } from "./widgets.js";

/** The drawing of a document's text. `note(pointer)` returns `{ isKept, text }` for a module or action, or nothing. */
export function documentView(text, note = () => undefined) {
    let document;
    try {
        document = JSON.parse(text);
    } catch {
        return copyable(text, "document");
    }
    const prefix = Array.isArray(document) ? "" : "/modules";
    const segments = Object.entries((Array.isArray(document) ? null : document.segments) ?? {});
    return h("div", { class: "document" },
        h("h2", { class: "visually-hidden" }, "Document"),
        segments.length > 0 && h("section", { class: "segments-list" }, h("h3", {}, "Segments"),
            segments.map(([name, rule]) => h("p", { key: name }, h("code", {}, name), " ", ruleView(rule)))),
        h("ol", { class: "modules" }, modulesOf(document).map((module, index) =>
            moduleView(module, `${prefix}/${index}`, note))),
        modulesOf(document).length === 0 && h("p", { class: "muted" }, "The document has no modules: apps perform nothing."));
}

function moduleView(module, pointer, note) {
    const found = note(pointer);
    return h("li", { key: pointer, class: classes("module card", found?.isKept === false && "left-out") },
        h("header", {}, h("h3", {}, module.name), module.when !== undefined && ruleView(module.when), outcome(found)),
        h("ol", { class: "functions" }, (module.actions ?? []).map((action, index) => {
            const place = `${pointer}/actions/${index}`, result = note(place);
            return h("li", { key: place, class: result?.isKept === false ? "left-out" : "" },
                h("code", { class: "function" }, action.func),
                action.value !== undefined && h("code", { class: "value" }, JSON.stringify(action.value)),
                action.when !== undefined && ruleView(action.when), found?.isKept === false ? null : outcome(result));
        })),
        (module.actions ?? []).length === 0 && h("p", { class: "muted" }, "no functions"));
}

function outcome(found) {
    if (!found) return null;
    return h("span", { class: "outcome" }, badge(found.isKept ? "kept" : "left out", found.isKept ? "good" : "bad"),
        found.text && h("span", { class: "reason" }, found.text));
}

/** A rule as a sentence, or as JSON if no sentence says it. */
function ruleView(rule) {
    const sentence = sentenceOf(rule);
    return sentence === null ? h("code", { class: "rule" }, JSON.stringify(rule)) : h("span", { class: "rule" }, sentence);
}
