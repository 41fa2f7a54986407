/** The frame of every page: navigation, caller, colours. */
import { operation } from "./api.js";
import { h } from "./dom.js";
import { toast } from "./notices.js";
import { refresh } from "./refresh.js";
import { currentRoute, link } from "./routes.js";
import { isSignedIn, ownScopes, session, signInNotice, signOut } from "./session.js";

/** The pages of the navigation. A page is listed if the server has its action. */
const ENTRIES = [
    { page: "board", title: "Board",
        icon: "M3 6h4c5 0 3 8 8 8h2M3 6m-1.5 0a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0M17 14m-1.5 0a1.5 1.5 0 1 0 3 0a1.5 1.5 0 1 0-3 0" },
    { page: "behaviors", title: "Behaviors", action: "ListBehaviors", icon: "M4 3h8l4 4v10H4zM12 3v4h4M7 11h6M7 14h4" },
    { page: "actions", title: "Actions", icon: "M7 5l-4 5 4 5M13 5l4 5-4 5" },
    { page: "environments", title: "Environments", action: "ListEnvironments", icon: "M10 3l7 4-7 4-7-4zM3 10.5l7 4 7-4M3 14l7 4 7-4" },
    { page: "audit", title: "Audit", action: "ListAudit", icon: "M10 3l6 2v5c0 4-3 6-6 7-3-1-6-3-6-7V5zM7.5 10l2 2 3.5-4" },
    { page: "tokens", title: "Tokens", action: "ListTokens",
        icon: "M12 4a4 4 0 1 1-2.5 7.1L4 16.5V18H2v-3l5.9-5.9A4 4 0 0 1 12 4zM13 7.5v.1" },
    { page: "server", title: "Server", action: "GetServer", icon: "M3 4h14v5H3zM3 11h14v5H3zM6 6.5h.1M6 13.5h.1" },
];

let isOpen = false;
let scheme = localStorage.getItem("plugboard-colours") ?? "auto";
applyScheme();

function applyScheme() {
    document.documentElement.dataset.scheme = scheme;
}

function nextScheme() {
    scheme = { auto: "light", light: "dark", dark: "auto" }[scheme];
    localStorage.setItem("plugboard-colours", scheme);
    applyScheme();
    refresh();
}

/** The frame around a page's content. It is busy until the page of the current address is `shown`. */
export function shell(page, content, shown) {
    const current = currentRoute().page;
    return h("div", { class: "shell", key: "shell" },
        h("a", { class: "skip", href: "#main", onclick: (event) => { event.preventDefault(); document.getElementById("main").focus(); } },
            "Skip to the content"),
        h("header", { class: "bar" },
            h("a", { class: "brand", href: "#/board" }, logo(), h("span", {}, "Plugboard")),
            h("button", {
                type: "button", class: "menu icon", "aria-expanded": String(isOpen), "aria-controls": "navigation", "aria-label": "Menu",
                onclick: () => { isOpen = !isOpen; refresh(); },
            }, icon(isOpen ? "M5 5l10 10M15 5L5 15" : "M3 5h14M3 10h14M3 15h14")),
            h("nav", { id: "navigation", class: isOpen ? "open" : "", "aria-label": "Pages" },
                h("ul", {}, ENTRIES.filter((one) => !one.action || operation(one.action)).map((one) => h("li", { key: one.page }, h("a", {
                    href: `#/${one.page}`, "aria-current": one.page === current ? "page" : undefined,
                    onclick: () => { isOpen = false; refresh(); },
                }, icon(one.icon), one.title)))),
                caller())),
        h("main", { id: "main", tabindex: "-1", "data-address": shown, "aria-busy": shown === location.hash ? undefined : "true" },
            signInNotice() && current !== "sign-in" && h("div", { class: "notice warn", role: "alert" }, h("p", {}, signInNotice(), " ",
                h("a", { href: signInLink() }, "Sign in"))),
            content));
}

/** The address of signing in, which returns to the current page. */
function signInLink() {
    return link("sign-in", [], { from: location.hash });
}

function caller() {
    const { name } = session();
    const scopes = ownScopes();
    return h("div", { class: "caller" },
        isSignedIn()
            ? [h("span", { class: "who", title: scopes.join(", ") }, name ?? "a token without a name", h("small", {}, scopes.join(", "))),
                h("button", { type: "button", class: "small", onclick: leave }, "Sign out")]
            : h("a", { class: "button primary", href: signInLink(), onclick: () => { isOpen = false; } }, "Sign in"),
        h("button", { type: "button", class: "small quiet scheme", onclick: nextScheme }, `Colours: ${scheme}`));
}

async function leave() {
    try {
        await signOut();
    } catch (error) {
        toast(`You are still signed in. ${error.message}`);
    }
}

/** An icon of 20 pixels from one path. */
export function icon(path) {
    return h("svg", { viewBox: "0 0 20 20", width: "20", height: "20", "aria-hidden": "true", class: "glyph" }, h("path", { d: path }));
}

function logo() {
    return h("svg", { viewBox: "0 0 32 32", width: "24", height: "24", "aria-hidden": "true", class: "logo" },
        h("rect", { width: "32", height: "32", rx: "8" }), h("path", { d: "M8 11h5c6 0 0 10 6 10h5" }),
        h("circle", { cx: "8", cy: "11", r: "3" }), h("circle", { cx: "24", cy: "21", r: "3" }));
}
