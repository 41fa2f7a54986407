/** The form of a plan: one implementation, a split, a shadow or a fallback, and the layers around it; or the plan as JSON. */
import { h } from "./dom.js";
import { refresh } from "./refresh.js";
import { formOf, LAYERS, planOf } from "./plans.js";
import { field } from "./widgets.js";

const MODES = [["one", "One implementation"], ["split", "Split"], ["shadow", "Shadow"], ["fallback", "Fallback"]];

/** The form's elements. `state` has the form's values, or the JSON text while `isText`. */
export function planForm(state) {
    return h("div", { class: "plan-form stack" },
        h("div", { class: "segments", role: "group", "aria-label": "Kind of plan" },
            MODES.map(([mode, title]) => h("button", {
                type: "button", key: mode, "aria-pressed": String(!state.isText && state.form.mode === mode),
                disabled: state.form === null, onclick: () => { state.isText = false; state.form.mode = mode; refresh(); },
            }, title)),
            h("button", {
                type: "button", "aria-pressed": String(state.isText), onclick: () => {
                    if (!state.isText) state.text = JSON.stringify(planOf(state.form), null, 2);
                    state.isText = true;
                    refresh();
                },
            }, "JSON")),
        state.isText ? textForm(state) : [modeForm(state), guardForm(state.form), layersForm(state.form)]);
}

function textForm(state) {
    return field("Plan as JSON", h("textarea", {
        rows: "10", spellcheck: "false", class: "code", value: state.text,
        oninput: (event) => {
            state.text = event.currentTarget.value;
            try {
                state.form = formOf(JSON.parse(state.text), state.names) ?? state.form;
            } catch {
                // The fault is shown below the form.
            }
            refresh();
        },
    }), { hint: state.form === null ? "This plan nests deeper than the form shows." : undefined });
}

function modeForm({ form, names, candidate }) {
    switch (form.mode) {
    case "split": return splitForm(form, names, candidate);
    case "shadow": return shadowForm(form, names);
    case "fallback": return fallbackForm(form, names);
    default: return choice("Implementation", form.one, names, (name) => { form.one = name; });
    }
}

function choice(label, value, names, changed, id) {
    return field(label, h("select", { value, onchange: (event) => { changed(event.currentTarget.value); refresh(); } },
        names.map((name) => h("option", { key: name, value: name, selected: name === value }, name))), { id });
}

/** An input of a number. An empty one is undefined: the server then uses the default, which is the placeholder. */
function number(value, changed, { min, max, step = "any", label, isFirst, standard }) {
    return h("input", {
        type: "number", min: String(min), max: String(max), step: String(step), value, "aria-label": label,
        inputmode: "decimal", "data-first": isFirst, placeholder: standard,
        oninput: (event) => { changed(event.currentTarget.value === "" ? undefined : Number(event.currentTarget.value)); refresh(); },
    });
}

function splitForm(form, names, candidate) {
    return h("div", { class: "shares" }, names.map((name) => h("div", { class: "share", key: name },
        h("span", { class: "share-name" }, name),
        h("input", {
            type: "range", min: "0", max: "100", step: "1", value: String(form.shares[name] ?? 0), "aria-label": `Share of ${name}`,
            oninput: (event) => { setShare(form, name, Number(event.currentTarget.value)); refresh(); },
        }),
        number(form.shares[name], (value) => setShare(form, name, value),
            { min: 0, max: 100, label: `Share of ${name} in percent`, isFirst: name === candidate }),
        h("span", {}, "%"))));
}

/** Sets a share; an empty one counts as 0. The largest other share gets the rest, so that the sum stays 100. */
function setShare(form, name, value) {
    form.shares[name] = value;
    const share = (one) => form.shares[one] ?? 0;
    const [largest, ...others] = Object.keys(form.shares).filter((one) => one !== name).sort((one, other) => share(other) - share(one));
    if (largest === undefined) return;
    const rest = 100 - [name, ...others].reduce((sum, one) => sum + share(one), 0);
    form.shares[largest] = Number(Math.max(0, rest).toFixed(3));
}

function shadowForm(form, names) {
    const { shadow } = form;
    return h("div", { class: "stack" },
        choice("Implementation", shadow.plug, names, (name) => { shadow.plug = name; }, "shadow-plug"),
        choice("Shadow", shadow.with, names, (name) => { shadow.with = name; }, "shadow-with"),
        field("At most at once", number(shadow.limit, (value) => { shadow.limit = value; }, { min: 1, max: 10_000, step: 1, standard: 16 })),
        h("label", { class: "check" }, h("input", {
            type: "checkbox", checked: shadow.unsafe, onchange: (event) => { shadow.unsafe = event.currentTarget.checked; refresh(); },
        }), h("span", {}, "Run an action that isn't idempotent twice",
            h("small", {}, "The shadow's outputs are discarded, its effects aren't."))));
}

function fallbackForm(form, names) {
    const { steps } = form;
    return h("ol", { class: "steps" },
        steps.map((step, index) => h("li", { key: `step-${index}` },
            choice(`Step ${index + 1}`, step.plug, names, (name) => { step.plug = name; }),
            field("Timeout in seconds", number(step.timeout, (value) => { step.timeout = value; }, { min: 0.001, max: 86400 }),
                { id: `step-timeout-${index}` }),
            steps.length > 2 && h("button", { type: "button", class: "small quiet", onclick: () => { steps.splice(index, 1); refresh(); } },
                "Remove"))),
        steps.length < 16 && h("li", { key: "add", class: "add" }, h("button", {
            type: "button", class: "small", onclick: () => {
                steps.push({ plug: names.find((name) => !steps.some((step) => step.plug === name)) ?? names[0] });
                refresh();
            },
        }, "Add a step")));
}

function guardForm(form) {
    if (form.mode !== "split" && form.mode !== "shadow") return null;
    const set = (name, value) => {
        form.guard = { ...form.guard, [name]: value };
        if (value === undefined) delete form.guard[name];
    };
    return h("fieldset", {},
        h("legend", {}, h("label", { class: "check" }, h("input", {
            type: "checkbox", checked: form.guard !== null,
            onchange: (event) => { form.guard = event.currentTarget.checked ? { errors: 0.05, slowdown: 2, calls: 100 }
                : null; refresh(); },
        }), "Guard: unplug the candidate if it performs worse")),
        form.guard && h("div", { class: "fields" },
            field("Share of errors above", number(form.guard.errors, (value) => set("errors", value), { min: 0, max: 1 })),
            field("Times as slow", number(form.guard.slowdown, (value) => set("slowdown", value), { min: 1, max: 1000 })),
            form.mode === "shadow" && field("Share of differences above",
                number(form.guard.differences, (value) => set("differences", value), { min: 0, max: 1 })),
            field("After calls", number(form.guard.calls, (value) => set("calls", value),
                { min: 1, max: 1_000_000_000, step: 1, standard: 100 }))));
}

function layersForm(form) {
    const missing = Object.keys(LAYERS).filter((kind) => !form.layers.some((layer) => layer.kind === kind));
    return h("div", { class: "layers stack" },
        form.layers.map((layer, index) => h("fieldset", { key: layer.kind },
            h("legend", {}, LAYERS[layer.kind].title),
            h("div", { class: "fields" },
                Object.entries(LAYERS[layer.kind].fields).map(([name, { title, min, max, isText, initial, isNeeded }]) =>
                    field(title, isText
                        ? h("input", { value: layer.values[name] ?? "",
                            oninput: (event) => { layer.values[name] = event.currentTarget.value; refresh(); } })
                        : number(layer.values[name], (value) => { layer.values[name] = value; },
                            { min, max, standard: isNeeded ? undefined : initial }),
                            { id: `${layer.kind}-${name}` })),
                h("button", { type: "button", class: "small quiet", onclick: () => { form.layers.splice(index, 1); refresh(); },
                    "aria-label": `Remove the ${LAYERS[layer.kind].title.toLowerCase()}` }, "Remove")))),
        missing.length > 0 && h("div", { class: "add-layers" }, h("span", { class: "muted" }, "Add around it:"), missing.map((kind) =>
            h("button", {
                type: "button", key: kind, class: "small", onclick: () => {
                    const values = Object.entries(LAYERS[kind].fields).map(([name, { initial }]) => [name, initial]);
                    form.layers.unshift({ kind, values: Object.fromEntries(values) });
                    refresh();
                },
            }, LAYERS[kind].title))));
}
