/** The explanation of a user's variant: the document with each module kept or left out, and the rule and bucket that decided. */
import { call, curlLine, makeRequest } from "./api.js";
import { documentView } from "./behavior-document.js";
import { h } from "./dom.js";
import { refresh } from "./refresh.js";
import { copyable, field, problemNotice } from "./widgets.js";

export function open(state, route) {
    let key = "", country = "", version = "", more = "", problem = null, result = null, text = null, isRunning = false;
    let revision = Number(route.query.get("revision")) || null;

    function context() {
        const values = more.trim() === "" ? {} : JSON.parse(more);
        for (const [name, value] of Object.entries({ targetingKey: key, country, version })) if (value !== "") values[name] = value;
        return values;
    }

    async function explain(event) {
        event.preventDefault();
        isRunning = true;
        problem = null;
        refresh();
        try {
            const body = { context: context(), ...(revision && { revision }) };
            const explanation = await call("ExplainBehavior", state.members(), { body });
            text = await state.text(explanation.revision ?? state.live);
            result = explanation;
        } catch (error) {
            problem = error instanceof SyntaxError ? { message: `The other values aren't a JSON object: ${error.message}` } : error;
        } finally {
            isRunning = false;
            refresh();
        }
    }

    function input(value, set, hint) {
        return h("input", { value, placeholder: hint, spellcheck: "false", autocomplete: "off",
            oninput: (event) => { set(event.currentTarget.value); refresh(); } });
    }

    function view() {
        if (state.revisions.length === 0) return h("p", { class: "empty" },
            "The document has no revisions here. Publish one to explain it.");
        return [
            h("form", { class: "card stack", onsubmit: explain },
                h("h2", {}, "Which modules would this user get?"),
                h("div", { class: "fields" },
                    field("User (targetingKey)", input(key, (value) => { key = value; }, "user-42")),
                    field("Country", input(country, (value) => { country = value; }, "LV")),
                    field("Version", input(version, (value) => { version = value; }, "2.1")),
                    field("Revision", h("select", { value: String(revision ?? ""),
                        onchange: (event) => { revision = Number(event.currentTarget.value) || null; refresh(); } },
                        state.live && h("option", { value: "", selected: revision === null }, `live (${state.live})`),
                        state.revisions.map((one) => h("option",
                            { key: String(one.revision), value: String(one.revision), selected: revision === one.revision },
                            `${one.revision} ${one.state}`))))),
                field("Other values as JSON", h("textarea", { rows: "2", class: "code", spellcheck: "false", value: more,
                    placeholder: '{"plan": "pro"}',
                    oninput: (event) => { more = event.currentTarget.value; refresh(); } })),
                h("div", { class: "editor-actions" }, h("button", { class: "primary", disabled: isRunning || (!revision && !state.live) },
                    isRunning ? "Working …" : "Explain")),
                curl()),
            problem && problemNotice(problem),
            result && text !== null && h("section", { key: "result", class: "stack", "aria-live": "polite",
                created: (element) => element.scrollIntoView({ block: "nearest" }) },
                h("h2", {}, summary(result)), documentView(text, (pointer) => noteOf(result, pointer))),
        ];
    }

    function curl() {
        try {
            return copyable(curlLine(makeRequest("ExplainBehavior", state.members(),
                { body: { context: context(), ...(revision && { revision }) } })), "curl line");
        } catch {
            return null;
        }
    }

    return { view };
}

function summary({ targets, revision }) {
    const functions = targets.filter((one) => one.function);
    return `${functions.filter((one) => one.isKept).length} of ${functions.length} functions of revision ${revision ?? "–"} are kept`;
}

/** The outcome at a place, in the server's sentences. */
function noteOf({ targets }, pointer) {
    const target = targets.find((one) => one.pointer === pointer);
    return target && { isKept: target.isKept, text: target.sentences.join("; ") };
}
