/** The commands of the board: re-plug, edit, reset. Pointer and keyboard call these. */
import { call, makeRequest } from "./api.js";
import { preview } from "./commands.js";
import { h } from "./dom.js";
import { toast } from "./notices.js";
import { planForm } from "./plan-form.js";
import { formFault, formOf, planOf, planText } from "./plans.js";

/** Plugs an action to one implementation. */
export function replug(board, action, name) {
    if (action.plan === name) {
        toast(`${action.action} is plugged to ${name} already.`);
        return;
    }
    preview(planCommand(board, action, () => name, { title: `Re-plug ${action.action} to ${name}`, verb: "Re-plug" }));
}

/** Opens the plan's form. `mode` and `candidate` fill it: a split of 10 %, a shadow, a fallback. */
export function editPlan(board, action, { mode, candidate } = {}) {
    if (action.implementations.length === 0) {
        toast(`${action.action} has no named implementations.`);
        return;
    }
    const names = action.implementations.map((one) => one.name);
    const state = { form: formOf(action.plan, names), text: JSON.stringify(action.plan, null, 2), fault: null, names };
    if (mode) Object.assign(state, filled(formOf(mainOf(action), names), mode, candidate, mainOf(action), names));
    state.isText = state.form === null;
    const plan = () => state.isText ? parsed(state) : planOf(state.form);
    preview({
        ...planCommand(board, action, plan, { title: `Plan of ${action.action}`, verb: "Apply" }),
        about: () => planForm(state),
        fault: () => state.isText ? state.fault : formFault(state.form),
        isDrawer: true,
    });
}

/** Returns an action to the plan in the code. */
export function resetPlan(board, action) {
    preview({
        ...planCommand(board, action, () => null, { title: `Reset ${action.action}`, verb: "Reset" }),
        about: () => comparison(action.plan, action.default),
    });
}

/** A command that sets a plan, or the code's plan if `plan` returns null. The server performs it if the plan that the board shows is live. */
function planCommand(board, action, plan, { title, verb }) {
    // The plug as the person saw it.
    let seen = action;
    return {
        title, verb,
        about: () => comparison(seen.plan, plan()),
        request: () => {
            const headers = { "If-Match": seen.etag };
            return plan() === null ? makeRequest("ResetPlug", { action: action.action }, { headers })
                : makeRequest("SetPlug", { action: action.action }, { body: { plan: plan() }, headers });
        },
        renew: async () => {
            const { plug, changes: [last] } = await call("GetPlug", { action: action.action });
            seen = plug;
            return `The plan changed meanwhile to ${planText(plug.plan)}${last ? ` (by ${last.byName ?? last.by})` : ""}.`;
        },
        done: ({ plug }) => `${action.action} is plugged to ${planText(plug.plan)}.`,
        after: () => board.read(),
        undo: ({ plug }) => planCommand(board, plug, () => seen.live ? seen.plan : null, { title, verb }),
    };
}

function comparison(before, after) {
    return h("dl", { class: "comparison" }, h("dt", {}, "Now"), h("dd", {}, planText(before)), h("dt", {}, "Then"),
        h("dd", {}, planText(after)));
}

/** The implementation with most of an action's calls. */
function mainOf(action) {
    const carrying = action.cables.filter((one) => one.role !== "shadow");
    return carrying.sort((one, other) => (other.share ?? 100) - (one.share ?? 100))[0]?.implementation ?? action.implementations[0].name;
}

function filled(form, mode, given, main, names) {
    const candidate = given && given !== main ? given : names.find((name) => name !== main) ?? main;
    form.mode = mode;
    if (mode === "split") form.shares = { ...form.shares, [main]: main === candidate ? 100 : 90, ...(main !== candidate && { [candidate]: 10 }) };
    if (mode === "shadow") form.shadow = { ...form.shadow, plug: main, with: candidate };
    if (mode === "fallback") form.steps = [{ plug: main }, { plug: candidate }];
    return { form, candidate };
}

function parsed(state) {
    try {
        const plan = JSON.parse(state.text);
        state.fault = null;
        return plan;
    } catch (error) {
        state.fault = `The plan isn't JSON: ${error.message}`;
        return "";
    }
}
