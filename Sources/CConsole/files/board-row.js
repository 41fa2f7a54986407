/** One action of the board with its implementations, as buttons that pointer and keyboard use alike. */
import { canCall } from "./api.js";
import { breakerState, cableState, cacheCounts, figuresOf } from "./board-data.js";
import { editPlan, replug, resetPlan } from "./board-commands.js";
import { classes, h } from "./dom.js";
import { durationText, percentText, rateText } from "./formats.js";
import { layerText, planText } from "./plans.js";
import { isSignedIn } from "./session.js";
import { badge } from "./widgets.js";

/** The rows of the actions. A row out of view keeps its description while only figures change, so that 200 actions cost as little as ten. */
export function boardRows(board, { layer, drag, focus }) {
    const drawn = new Map();
    return (action, isFirst) => {
        const before = drawn.get(action.action);
        // The focus and a drag change other rows than those in view, too.
        const isSteady = drag.action() === null && !focus.isAt(action.action);
        if (isSteady && before?.isSteady && before.action === action && before.isFirst === isFirst && !layer.isInView(action.action)) {
            return before.row;
        }
        const row = boardRow(board, action, { layer, drag, focus, isFirst });
        drawn.set(action.action, { action, isFirst, isSteady, row });
        return row;
    };
}

function boardRow(board, action, tools) {
    const { layer, drag, focus, isFirst } = tools;
    const figures = figuresOf(board, action.action);
    const dragged = drag.action();
    return h("li", {
        key: action.action, class: classes("row", dragged && dragged !== action.action && "dimmed"),
        "data-action": action.action, created: layer.watch, removed: layer.unwatch,
    },
    h("div", { class: "outlet-side" },
        h("button", {
            type: "button", class: "node action", "data-action-node": action.action, tabindex: focus.tabIndex(action.action, null, isFirst),
            "aria-label": canCall("ListPlugs")
                ? `${action.action}, ${planText(action.plan)}. Enter edits the plan, the right arrow goes to its implementations.`
                : action.action,
            onclick: () => editPlan(board, action), onfocus: () => focus.moved(action.action, null),
        },
        h("span", { class: "name" }, action.action),
        h("span", { class: "route" }, h("b", {}, action.method), " ", action.path),
        h("span", { class: "figures" }, figureTexts(figures, figures?.seconds)),
        action.live && badge("changed", "accent")),
        action.implementations.length > 0 && h("span", {
            class: "handle", title: "Drag to an implementation", onpointerdown: (event) => drag.begin(event, action),
        }),
        action.live && canCall("ResetPlug") && h("button", {
            type: "button", class: "small quiet reset", tabindex: "-1", onclick: () => resetPlan(board, action),
            "aria-label": `Return ${action.action} to the plan in the code`,
        }, "Reset")),
    h("div", { class: "trunk", "data-trunk": true }, action.trunk.map((one) => layerChip(board, action, one))),
    h("div", { class: "gap" }),
    h("ul", { class: "implementations", "aria-label": `Implementations of ${action.action}` },
        action.implementations.length === 0 && h("li", { class: "muted none" }, canCall("ListPlugs") ? "plugged by a closure"
            : isSignedIn() ? "your token can't read them" : "sign in to see them"),
        action.implementations.map((one) => implementationRow(board, action, one, tools))),
    action.unplugged && h("p", { class: "unplugged", role: "status" },
        h("b", {}, `A guard unplugged ${action.unplugged.plug}: `), action.unplugged.reason));
}

function implementationRow(board, action, implementation, { drag, focus }) {
    const cables = action.cables.filter((one) => one.implementation === implementation.name);
    const figures = figuresOf(board, action.action, implementation.name);
    const isCached = cables.length > 0 && cables.every((cable) => [...action.trunk, ...cable.layers].some((one) => one.kind === "cache"));
    const isOnly = action.plan === implementation.name;
    return h("li", { key: implementation.name, class: "implementation-row" },
        h("div", { class: "ends" }, cables.map((cable) => h("span", { key: cable.key, class: `end ${cable.role} ${cableState(board, action, cable)}`, "data-cable": cable.key },
            endText(cable), cable.layers.map((one) => layerChip(board, action, one))))),
        h("button", {
            type: "button", class: classes("node implementation", cables.length === 0 && "idle", drag.isTarget(action, implementation)
                && "target"),
            "data-implementation": implementation.name, tabindex: focus.tabIndex(action.action, implementation.name),
            "aria-pressed": String(cables.length > 0),
            "aria-label": `${implementation.name}, ${implementation.type}, ${cables.length === 0 ? "not in the plan" : cables.map(cableText).join(", ")}. `
                + (isOnly ? "" : `Enter plugs ${action.action} to it.`),
            onclick: () => replug(board, action, implementation.name), onfocus: () => focus.moved(action.action, implementation.name),
        },
        h("span", { class: "name" }, implementation.name),
        h("span", { class: "type" }, implementation.type),
        h("span", { class: "figures" }, cables.length > 0 || figures?.rate
            ? figureTexts(figures, figuresOf(board, action.action)?.seconds, isCached ? " past the cache" : "") : "not in the plan"),
        figures?.note && h("span", { class: "note" }, figures.note)));
}

/** The figures of a period, which is shorter than a minute after a change of the plan, and at first. */
function figureTexts(figures, seconds = 0, place = "") {
    if (!figures) return canCall("ListPlugs") && h("span", { class: "muted" }, `no calls${place}`);
    if (figures.rate === 0) return h("span", { class: "muted" }, `no calls${place} ${periodText(seconds)}`);
    return [
        h("span", {}, `${rateText(figures.rate)}/s`),
        figures.p50 !== null && h("span", {}, h("i", {}, "p50 "), durationText(figures.p50)),
        figures.p99 !== null && h("span", {}, h("i", {}, "p99 "), durationText(figures.p99)),
        figures.errors > 0 && h("span", { class: "bad" }, `${rateText(figures.errors)} errors/s`),
    ];
}

function periodText(seconds) {
    return seconds < 1 ? "yet" : `in the last ${seconds < 59 ? `${Math.round(seconds)} s` : "minute"}`;
}

function endText({ role, share, order }) {
    if (role === "split") return percentText(share);
    if (role === "shadow") return "shadow";
    return role === "fallback" ? order : null;
}

/** A cable in words, for screen readers. */
function cableText({ role, share, order, layers }) {
    const base = role === "split" ? `${percentText(share)} of the calls` : role === "shadow" ? "shadow"
        : role === "fallback" ? `step ${order} of the fallback` : "all calls";
    return [base, ...layers.map(layerText)].join(", ");
}

function layerChip(board, action, layer) {
    const state = layer.kind === "breaker" ? breakerState(board, action, layer) : null;
    const { hits = 0, misses = 0 } = (layer.kind === "cache" && cacheCounts(board, action, layer)) || {};
    const share = hits + misses > 0 ? `, ${Math.round(100 * hits / (hits + misses))} % hits` : "";
    return h("span", { key: layer.pointer, class: classes("chip", layer.kind, state) },
        state ? `breaker ${state}` : layerText(layer) + share);
}
