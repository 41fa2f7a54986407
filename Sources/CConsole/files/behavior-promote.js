/** Promotion: the live revision of another environment goes live here, with this environment's overrides. */
import { call, makeRequest, readText } from "./api.js";
import { preview } from "./commands.js";
import { differenceView } from "./difference-view.js";
import { h } from "./dom.js";
import { time } from "./formats.js";
import { indentedText } from "./json-text.js";
import { difference } from "./merge.js";
import { refresh } from "./refresh.js";
import { resource } from "./resource.js";
import { actionButton, documentOptions, emptyState, field, problemNotice } from "./widgets.js";

export function open(state) {
    const others = () => state.environments.filter((one) => one !== state.environment);
    let from = others().includes("staging") ? "staging" : others()[0];
    /** The live revisions of both environments. The target's is the state's, which the request's condition names. The changes are those of
        the promotion, with the overrides. They leave a document of one line, so both texts are indented then. */
    const sides = resource(async () => {
        const origin = from, target = state.live, source = await state.readLive(origin);
        if (source === null) return { origin, source };
        const [current, copied, { text: result }] = await Promise.all([state.text(target), state.text(source, origin), readText("GetRevision",
            { name: state.name, revision: source, environment: origin, promotedTo: state.environment })]);
        const isOverridden = result !== copied, shape = isOverridden ? indentedText : (text) => text;
        return { origin, source, target, isOverridden, changes: difference(shape(current), shape(result)) };
    });
    const overrides = resource(async () => {
        try {
            return await call("GetOverrides", state.members());
        } catch (error) {
            if (error.status === 404) return null;
            throw error;
        }
    });

    const rereadOverrides = () => Promise.all([overrides.read(), from && sides.read()]);

    function view() {
        if (!from) return emptyState("There is only one environment.",
            "Publish to another one to promote from it. The command creates the environment:",
            `plugboard behaviors publish FILE ${documentOptions({ name: state.name, environment: "staging" })} --create`);
        const { origin, source, target, isOverridden, changes } = sides.problem ? {} : sides.value ?? {};
        return [
            h("div", { class: "card stack" },
                field("From", h("select", { value: from, onchange: (event) => { from = event.currentTarget.value; sides.read(); } },
                    others().map((one) => h("option", { key: one, value: one, selected: one === from }, one)))),
                sides.problem && problemNotice(sides.problem),
                sides.isReading && h("p", { class: "loading" }, "Loading …"),
                source === null && emptyState(`No revision of ${state.name} is live in ${origin}.`, "Publish one there, or with the command:",
                    `plugboard behaviors publish FILE ${documentOptions({ name: state.name, environment: origin })}`),
                source && [
                    h("p", {}, `Revision ${source} of ${origin} replaces ${target ? `revision ${target}` : "nothing"} in ${state.environment}`
                        + (isOverridden ? ", with the overrides below." : ".")),
                    isOverridden && h("p", { class: "muted" }, "The server writes the result in one line. Both texts are indented here."),
                    differenceView(changes),
                    h("div", { class: "page-actions" }, actionButton("PromoteBehavior", "Promote …",
                        { class: "primary", disabled: sides.isReading, onclick: () => promote(origin, source) })),
                ]),
            overridesCard(),
        ];
    }

    function promote(origin, source) {
        const isDraft = state.rules?.approvals > 0;
        preview({
            title: `Promote ${state.name} from ${origin} to ${state.environment}`, verb: isDraft ? "Make a draft" : "Promote",
            about: () => h("p", {}, isDraft
                ? `${state.environment} requires approvals, so the promotion of revision ${source} becomes a draft.`
                : `Revision ${source} of ${origin} goes live.`),
            request: () => makeRequest("PromoteBehavior", { name: state.name, draft: isDraft ? "true" : "" }, {
                body: { from: origin, revision: source, to: state.environment }, headers: isDraft ? {} : state.condition(),
            }),
            renew: async () => {
                const change = await state.renew();
                sides.read();
                return change;
            },
            done: ({ revision }) => isDraft ? `Draft ${revision} waits for approval.`
                : `Revision ${revision} is live in ${state.environment}.`,
            after: async () => { await state.read(); await sides.read(); },
        });
    }

    function overridesCard() {
        return h("section", { class: "card stack" }, h("h2", {}, `Overrides of ${state.environment}`),
            overrides.problem && problemNotice(overrides.problem),
            overrides.value === null && emptyState("None. Overrides are a JSON Patch that each promotion to this environment applies.",
                "Add one here, or with the command:", `plugboard behaviors override FILE ${documentOptions(state)}`),
            overrides.value && [
                h("p", { class: "muted" }, `by ${overrides.value.byName ?? overrides.value.by}, `, time(overrides.value.since)),
                h("pre", { tabindex: "0", "aria-label": "Overrides" }, JSON.stringify(overrides.value.patch, null, 2)),
            ],
            h("div", { class: "page-actions" },
                actionButton("SetOverrides", overrides.value ? "Edit …" : "Add …", { onclick: editOverrides }),
                overrides.value && actionButton("RemoveOverrides", "Remove …", { onclick: () => preview({
                    title: `Remove the overrides of ${state.environment}`, verb: "Remove", isDangerous: true,
                    request: makeRequest("RemoveOverrides", state.members()), done: "The overrides are removed.", after: rereadOverrides,
                }) })));
    }

    function editOverrides() {
        let text = JSON.stringify(overrides.value?.patch ?? [{ op: "replace", path: "/0/actions/0/value", value: "" }], null, 2);
        const parsed = () => {
            try {
                return JSON.parse(text);
            } catch (error) {
                return error.message;
            }
        };
        preview({
            title: `Overrides of ${state.environment}`, verb: "Save", isWide: true,
            fault: () => typeof parsed() === "string" ? `The patch isn't JSON: ${parsed()}` : null,
            about: () => field("JSON Patch", h("textarea", { rows: "10", class: "code", spellcheck: "false", value: text,
                oninput: (event) => { text = event.currentTarget.value; refresh(); } }),
                    { hint: "Begin with a test operation: a path may point to another module later." }),
            request: () => makeRequest("SetOverrides", state.members(), { body: { patch: typeof parsed() === "string" ? [] : parsed() } }),
            done: "The overrides are saved.", after: rereadOverrides,
        });
    }

    return { loaded: Promise.all([from ? sides.read() : null, overrides.read()]), view };
}
