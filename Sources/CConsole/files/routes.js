/** Addresses in the fragment: `#/behaviors/checkout/history?environment=staging`. They contain no secrets. */

/** Reads a fragment: the page, the parts after it, and the query. */
function parseRoute(fragment) {
    const [path, query = ""] = fragment.replace(/^#\/?/, "").split("?");
    const [page = "", ...parts] = path.split("/").filter((part) => part !== "").map(decode);
    return { page: page || "board", parts, query: new URLSearchParams(query) };
}

function decode(part) {
    try {
        return decodeURIComponent(part);
    } catch {
        return part;
    }
}

/** The fragment of a page, its parts and its query. Empty values of the query are left out. */
export function link(page, parts = [], query = {}) {
    const values = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "");
    const text = new URLSearchParams(values).toString();
    return "#/" + [page, ...parts].map(encodeURIComponent).join("/") + (text ? "?" + text : "");
}

export function currentRoute() {
    return parseRoute(location.hash);
}

/** Opens an address. With `replace`, the previous one leaves the history. */
export function go(address, { replace = false } = {}) {
    if (location.hash === address) return;
    if (!replace) {
        location.hash = address;
        return;
    }
    history.replaceState(null, "", address);
    kept = address;
    followed();
}

let followed = () => {};

/** Calls `operation` after each change of the address. */
export function followRoutes(operation) {
    followed = operation;
    addEventListener("hashchange", operation);
}

const PLACES = "plugboard-places";
/** The address whose scroll position is stored next; null for none. */
let kept = null;

/** Stores the scroll position of each address in this tab, so that reload and back return to it. */
export function keepPlaces() {
    history.scrollRestoration = "manual";
    kept = location.hash;
    const keep = () => {
        if (kept === null) return;
        const places = readPlaces();
        places[kept] = Math.round(scrollY);
        try {
            sessionStorage.setItem(PLACES, JSON.stringify(Object.fromEntries(Object.entries(places).slice(-100))));
        } catch {
            // The storage is full of drafts.
        }
    };
    addEventListener("hashchange", () => {
        keep();
        kept = location.hash;
        if (!(kept in readPlaces())) scrollTo(0, 0);
    });
    addEventListener("pagehide", keep);
}

/** Stores no more positions. */
export function forgetPlaces() {
    kept = null;
}

export function restorePlace() {
    scrollTo(0, readPlaces()[location.hash] ?? 0);
}

function readPlaces() {
    try {
        return JSON.parse(sessionStorage.getItem(PLACES) ?? "{}");
    } catch {
        return {};
    }
}
