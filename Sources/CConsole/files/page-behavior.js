/** One document in one environment: what is live, its history, the editor, its explanation, releases and promotion. */
import { canCall } from "./api.js";
import { behaviorState } from "./behavior-state.js";
import { h } from "./dom.js";
import { time } from "./formats.js";
import { currentRoute, go, link } from "./routes.js";
import { refresh } from "./refresh.js";
import { badge, pageHead, problemNotice, scopesNotice, tabs } from "./widgets.js";

/** The tabs; the editor and the others are loaded when they are opened. */
const TABS = [
    { id: "live", title: "Live", load: () => import("./behavior-live.js") },
    { id: "history", title: "History", load: () => import("./behavior-history.js") },
    { id: "edit", title: "Edit", load: () => import("./behavior-edit.js") },
    { id: "explain", title: "Explain", load: () => import("./behavior-explain.js") },
    { id: "releases", title: "Drafts and schedules", load: () => import("./behavior-releases.js") },
    { id: "promote", title: "Promote", load: () => import("./behavior-promote.js") },
];

export function open(route) {
    const name = route.parts[0];
    const state = behaviorState(name, route.query.get("environment"));
    let tab = null, shown = null, failure = null;
    const tabOf = (one) => TABS.find(({ id }) => id === one.parts[1]) ?? TABS[0];
    const keyOf = (one) => `${one.query.get("environment") ?? ""} ${tabOf(one).id} ${one.query.get("revision") ?? ""}`;

    async function openTab(current) {
        shown = keyOf(current);
        const wanted = shown;
        tab?.leave?.();
        tab = null;
        failure = null;
        try {
            const module = await tabOf(current).load();
            if (shown !== wanted) return;
            tab = module.open(state, current);
            refresh();
            await tab.loaded;
        } catch (error) {
            failure = error;
        }
        refresh();
    }

    async function routeChanged(current) {
        if (!canCall("ListRevisions") || keyOf(current) === shown) return;
        state.environment = current.query.get("environment") ?? state.environment;
        // Another person may have published since the last tab was opened.
        await state.read();
        if (keyOf(current) === keyOf(currentRoute())) await openTab(current);
    }

    function view() {
        if (!canCall("ListRevisions")) return h("div", { class: "page" }, pageHead(name),
            scopesNotice("ListRevisions", "Reading documents"));
        const { live, report, environments } = state;
        const current = currentRoute();
        return h("div", { class: "page" },
            h("nav", { class: "crumbs", "aria-label": "Place" }, h("a", { href: "#/behaviors" }, "Behaviors"), " / ", name),
            pageHead(name, live ? h("span", {}, badge("live", "good"), ` revision ${live} `, time(report?.since))
                : "No revision is live here.",
                h("label", { class: "inline" }, "Environment ", h("select", {
                    value: state.environment, onchange: (event) => go(link("behaviors", current.parts,
                        { environment: event.currentTarget.value })),
                }, environments.map((one) => h("option", { key: one, value: one, selected: one === state.environment }, one))))),
            tabs(TABS.map(({ id, title }) => ({
                id, title, href: link("behaviors", [name, id], { environment: state.environment }), count: id === "releases"
                    ? state.drafts.length : 0,
            })), tabOf(current).id, `Views of ${name}`),
            state.problem && problemNotice(state.problem),
            failure && problemNotice(failure),
            tab ? h("div", { key: shown, class: "tab stack" }, tab.view()) : h("p", { class: "loading" }, "Loading …"));
    }

    return {
        title: name,
        loaded: canCall("ListRevisions") ? state.read().then(() => openTab(route)) : undefined,
        accepts: (other) => other.page === "behaviors" && other.parts[0] === name,
        routeChanged, view,
        leave: () => tab?.leave?.(),
    };
}
