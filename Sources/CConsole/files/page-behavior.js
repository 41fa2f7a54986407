/** One document in one environment: what is live, its history, the editor, its explanation, releases and promotion. */
import { canCall } from "./api.js";
import { behaviorState } from "./behavior-state.js";
import { h } from "./dom.js";
import { time } from "./formats.js";
import { currentRoute, go, link } from "./routes.js";
import { refresh } from "./refresh.js";
import { badge, failureNotice, loadModule, pageHead, problemNotice, scopesNotice, tabs } from "./widgets.js";

/** The tabs; the editor and the others are loaded when they are opened. A tab that `isPerRevision` opens again for another `revision`. */
const TABS = [
    { id: "live", title: "Live", load: () => import("./behavior-live.js") },
    { id: "history", title: "History", load: () => import("./behavior-history.js") },
    { id: "edit", title: "Edit", load: () => import("./behavior-edit.js"), isPerRevision: true },
    { id: "explain", title: "Explain", load: () => import("./behavior-explain.js") },
    { id: "releases", title: "Drafts and schedules", load: () => import("./behavior-releases.js") },
    { id: "promote", title: "Promote", load: () => import("./behavior-promote.js") },
];

export function open(route) {
    const name = route.parts[0];
    let state = behaviorState(name, route.query.get("environment"));
    /** `wanted` is the address of the tab, also while it is read; null after the page is left. */
    let tab = null, wanted = null, failure = null;
    const tabOf = (one) => TABS.find(({ id }) => id === one.parts[1]) ?? TABS[0];
    const keyOf = (one) => `${one.query.get("environment") ?? ""} ${tabOf(one).id} ${tabOf(one).isPerRevision && one.query.get("revision") || ""}`;
    const environmentOf = (one) => one.query.get("environment") ?? state.environment;

    /** Closes the tab and opens that of an address, with the values of its environment. */
    async function openTab(current) {
        const key = keyOf(current), environment = environmentOf(current);
        const next = environment === state.environment ? state : behaviorState(name, environment);
        leave();
        wanted = key;
        failure = null;
        try {
            // Another person may have published since the last tab was opened.
            const [module] = await Promise.all([loadModule(tabOf(current).load), next.read()]);
            if (wanted !== key) return;
            state = next;
            if (next.problem) throw next.problem;
            tab = module.open(state, current);
            refresh();
            await tab.loaded;
        } catch (error) {
            if (wanted === key) failure = error;
        }
        refresh();
    }

    function leave() {
        tab?.leave?.();
        tab = wanted = null;
    }

    function view() {
        if (!canCall("ListRevisions")) return h("div", { class: "page" }, pageHead(name),
            scopesNotice("ListRevisions", "Reading documents"));
        const { live, report } = state;
        const current = currentRoute(), environment = environmentOf(current);
        const isRead = state.isRead && state.environment === environment;
        const problem = isRead ? state.problem : null;
        const environments = [...new Set([...state.environments, ...(environment ? [environment] : [])])];
        return h("div", { class: "page" },
            h("nav", { class: "crumbs", "aria-label": "Place" }, h("a", { href: "#/behaviors" }, "Behaviors"), " / ", name),
            pageHead(name, !isRead ? !failure && "Loading …" : live ? h("span", {}, badge("live", "good"), ` revision ${live} · `, time(report?.since))
                : !problem && !failure && (state.file ? `Served from ${state.file.path}.` : "No revision is live here."),
                h("label", { class: "inline" }, "Environment ", h("select", {
                    value: environment, onchange: (event) => go(link("behaviors", current.parts,
                        { environment: event.currentTarget.value })),
                }, environments.map((one) => h("option", { key: one, value: one, selected: one === environment }, one))))),
            tabs(TABS.map(({ id, title }) => ({
                id, title, href: link("behaviors", [name, id], { environment }), count: id === "releases" && isRead
                    ? state.drafts.length : 0,
            })), tabOf(current).id, `Views of ${name}`),
            failure ? failureNotice(failure, () => openTab(currentRoute())) : problem && problemNotice(problem),
            tab ? h("div", { key: wanted, class: "tab stack" }, tab.view()) : !failure && h("p", { class: "loading" }, "Loading …"));
    }

    return {
        title: name,
        loaded: canCall("ListRevisions") ? openTab(route) : undefined,
        accepts: (other) => other.page === "behaviors" && other.parts[0] === name,
        routeChanged: (current) => canCall("ListRevisions") && keyOf(current) !== wanted ? openTab(current) : undefined,
        view, leave,
    };
}
