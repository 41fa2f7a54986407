/** The caller: a token in memory, or a session that the server keeps in an HttpOnly cookie. */
import { refresh } from "./refresh.js";
import { forgetPlaces } from "./routes.js";

/** The scopes that `admin` implies (Documentation/Identity.md). */
const ADMIN_IMPLIES = new Set(["behaviors:read", "behaviors:write", "behaviors:approve", "audit:read"]);

/** The path of the server's own paths: empty, unless a proxy has the server below a path of its own. */
export const root = new URL("../..", import.meta.url).pathname.slice(0, -1);

/** The keys of the tab's storage: the last caller's identifier, and a notice for the next start. */
const CALLER = "plugboard-caller";
const NOTICE = "plugboard-notice";

/** Tells the other tabs of this server that its session has begun or ended. It carries no secret. */
const tabs = new BroadcastChannel(`plugboard-session ${root}`);

let token = null;
let current = nobody();
let notice = sessionStorage.getItem(NOTICE);
sessionStorage.removeItem(NOTICE);

function nobody() {
    return { id: null, name: null, scopes: [], expires: null };
}

/** The authentication fields of a request; empty if the cookie identifies the caller. */
export function credentials() {
    return token ? { Authorization: `Bearer ${token}` } : {};
}

export function session() {
    return current;
}

/** The caller's scopes without those that `admin` implies. */
export function ownScopes() {
    const isAdmin = current.scopes.includes("admin");
    return current.scopes.filter((scope) => !isAdmin || !ADMIN_IMPLIES.has(scope));
}

/** Why the caller has to sign in again; null if there is no reason. */
export function signInNotice() {
    return notice;
}

export function isSignedIn() {
    return isSomebody(current);
}

function isSomebody({ id, scopes }) {
    return id !== null || scopes.length > 0;
}

export function hasScope(scope) {
    return current.scopes.includes(scope) || (current.scopes.includes("admin") && ADMIN_IMPLIES.has(scope));
}

const CODE = /^#code=([^&]+)$/;

/** Whether the address is a sign-in link. */
export function isCode() {
    return CODE.test(location.hash);
}

/** Exchanges the code of the link that the server printed. The code leaves the address before anything is sent. */
export async function redeemCode() {
    const found = location.hash.match(CODE);
    if (!found) return;
    history.replaceState(null, "", location.pathname + "#/board");
    try {
        await post({ code: decodeURIComponent(found[1]) });
    } catch (error) {
        notice = error.message;
    }
}

/** Signs in with a token. Without `remember` it stays in this tab's memory. Throws a message for people, and then changes nothing. */
export async function signIn(text, { remember }) {
    const given = text.trim();
    if (!/^[\x21-\x7e]+$/.test(given)) throw new Error("A token has no spaces and no line ends. Paste it again.");
    if (remember) {
        await post({ token: given });
        token = null;
    } else {
        const found = await read(await reach("/sessions/current", { headers: { Authorization: `Bearer ${given}` } }));
        if (!isSomebody(found)) throw new Error("The token is not valid.");
        begin(found);
        token = given;
    }
    notice = null;
    refresh();
}

/** Ends the session on the server, and forgets it in all its tabs: the page starts again, so that nothing of the caller stays in memory.
    Throws a message for people if the session goes on. */
export async function signOut() {
    // The browser may have a cookie beside the token.
    const response = await reach("/sessions/current", { method: "DELETE" });
    if (!response.ok && response.status !== 401) await read(response);
    tabs.postMessage("signed out");
    forget();
}

tabs.onmessage = async ({ data }) => {
    if (token) return;
    if (data === "signed out") {
        forget("You have signed out in another tab.");
        return;
    }
    const before = current.id;
    await readSession().catch(() => {});
    if (current.id !== before) location.reload();
};

/** Asks the server for the caller of the cookie. */
export async function readSession() {
    if (token) return;
    const response = await reach("/sessions/current");
    if (!response.ok) return;
    const found = await read(response);
    if (isSomebody(found)) begin(found);
}

/** Forgets a session that the server no longer accepts. The response to a request of an earlier session changes nothing. */
export function sessionEnded(sender) {
    if (sender !== current || !isSignedIn()) return;
    token = null;
    current = nobody();
    notice = "The session has ended. Sign in again; nothing that you typed is lost.";
    refresh();
}

async function post(body) {
    const response = await reach("/sessions", {
        method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
    });
    begin(await read(response));
    tabs.postMessage("signed in");
}

/** Begins with a caller. Another one must not find the drafts of the previous one. */
function begin(found) {
    const caller = found.id ?? "";
    if ((sessionStorage.getItem(CALLER) ?? caller) !== caller) sessionStorage.clear();
    try {
        sessionStorage.setItem(CALLER, caller);
    } catch {
        // The storage is full of this caller's drafts.
    }
    current = found;
}

/** Forgets the caller and all that this tab stores, and starts the page again with a notice. */
function forget(reason) {
    forgetPlaces();
    sessionStorage.clear();
    if (reason) sessionStorage.setItem(NOTICE, reason);
    history.replaceState(null, "", "#/sign-in");
    location.reload();
}

async function reach(url, options) {
    try {
        return await fetch(root + url, { credentials: "same-origin", cache: "no-store", ...options });
    } catch {
        throw new Error("The server can't be reached. Check that it runs, then try again.");
    }
}

async function read(response) {
    const value = await response.json().catch(() => ({}));
    if (!response.ok) throw new Error(value.detail ?? `The server responded with status ${response.status}.`);
    return { ...nobody(), ...value };
}
