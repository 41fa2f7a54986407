/** The start of the console: signs in, reads the API's description, and shows the page of the address. */
import { describe } from "./api.js";
import { h, render } from "./dom.js";
import { announce, toasts } from "./notices.js";
import { modals } from "./dialogs.js";
import { onRefresh, refresh } from "./refresh.js";
import { currentRoute, followRoutes, keepPlaces, restorePlace } from "./routes.js";
import { isCode, readSession, redeemCode } from "./session.js";
import { shell } from "./shell.js";
import { failureNotice, loadModule, problemNotice } from "./widgets.js";

/** The pages by the first part of their address. A page is loaded when it is first opened. */
const PAGES = {
    board: () => import("./page-board.js"),
    behaviors: () => import("./page-behaviors.js"),
    behavior: () => import("./page-behavior.js"),
    actions: () => import("./page-actions.js"),
    environments: () => import("./page-environments.js"),
    audit: () => import("./page-audit.js"),
    tokens: () => import("./page-tokens.js"),
    server: () => import("./page-server.js"),
    "sign-in": () => import("./page-sign-in.js"),
};

const root = document.getElementById("app");
let page = null;
let opened = 0;
let failure = null;
let isReady = false;
/** The address whose page is shown and loaded. */
let shown = null;

/** Opens the page of the current address, and tells the previous one to stop. */
async function open(event) {
    const route = currentRoute();
    const number = ++opened;
    refresh();
    try {
        if (page?.accepts?.(route)) {
            failure = null;
            await page.routeChanged?.(route);
            if (number !== opened) return;
            shown = location.hash;
            refresh();
            // A search replaces the address, and stays where it is.
            if (event?.type === "hashchange") requestAnimationFrame(restorePlace);
            return;
        }
        const [module] = await Promise.all([loadPage(route), prepare()]);
        if (number !== opened) return;
        page?.leave?.();
        failure = null;
        page = module.open(route);
        document.title = `${page.title} – Plugboard`;
        refresh();
        await page.loaded;
        if (number !== opened) return;
        shown = location.hash;
        refresh();
        requestAnimationFrame(restorePlace);
        announce(page.title);
    } catch (error) {
        if (number !== opened) return;
        failure = error;
        shown = location.hash;
        refresh();
    }
}

/** Reads who the caller is and what the server can do, before the first page opens. */
async function prepare() {
    if (isReady) return;
    await Promise.all([readSession(), describe()]);
    isReady = true;
}

function loadPage(route) {
    const name = route.page === "behaviors" && route.parts.length > 0 ? "behavior" : route.page;
    return loadModule(Object.hasOwn(PAGES, name) ? PAGES[name] : PAGES.board);
}

function draw() {
    let content;
    try {
        content = failure ? failureNotice(failure, open) : page ? page.view() : h("p", { class: "loading" }, "Loading …");
    } catch (error) {
        content = problemNotice(error);
    }
    render(root, shell(page, content, shown), modals(), toasts());
}

/** Moves the focus to the page's search with `/`, unless a person writes or a dialog is open. */
addEventListener("keydown", (event) => {
    const isWriting = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) || document.querySelector("dialog[open]");
    const search = root.querySelector("main input[type=search]");
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isWriting || !search) return;
    event.preventDefault();
    search.focus();
});

onRefresh(draw);
// A sign-in link that is pasted into an open console starts it again, before anything reads the address.
addEventListener("hashchange", (event) => {
    if (!isCode()) return;
    event.stopImmediatePropagation();
    location.reload();
});
await redeemCode();
keepPlaces();
followRoutes(open);
open();
