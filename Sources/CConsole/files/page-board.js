/** The board: actions on the left, implementations on the right, cables between them. */
import { canCall, missingScopes } from "./api.js";
import { boardData, grouped } from "./board-data.js";
import { cables } from "./board-cables.js";
import { dragging } from "./board-drag.js";
import { boardKeys, showKeys } from "./board-keys.js";
import { boardRows } from "./board-row.js";
import { undo } from "./commands.js";
import { h } from "./dom.js";
import { counted } from "./formats.js";
import { refresh } from "./refresh.js";
import { currentRoute, go, link } from "./routes.js";
import { isSignedIn } from "./session.js";
import { tour } from "./tour.js";
import { emptyState, pageHead, problemNotice, searchBox } from "./widgets.js";

const CONNECTIONS = { connecting: "connecting", live: "live", lost: "connection lost, trying again", ended: "no live figures" };
const GROUPINGS = [["none", "no groups"], ["path", "by path"], ["state", "by state"]];

export function open() {
    const board = boardData();
    const layer = cables(board);
    const focus = boardKeys(board);
    const drag = dragging(board, layer, focus);
    const rowOf = boardRows(board, { layer, drag, focus });
    const visit = tour(board);
    const query = () => currentRoute().query;
    const filter = (name, value) => go(link("board", [], { ...Object.fromEntries(query()), [name]: value }), { replace: true });

    function view() {
        const text = query().get("search") ?? "", grouping = query().get("group") ?? "none";
        const groups = grouped(board.actions, text, grouping);
        const count = groups.reduce((sum, group) => sum + group.actions.length, 0);
        board.shown = groups.flatMap((group) => group.actions);
        layer.schedule();
        const first = board.shown[0]?.action;
        return h("div", { class: "page board-page" },
            pageHead("Board", summary(board),
                searchBox(text, (value) => filter("search", value), "Search actions"),
                h("select", { "aria-label": "Groups", value: grouping, onchange: (event) => filter("group", event.currentTarget.value) },
                    GROUPINGS.map(([value, title]) => h("option", { value, selected: value === grouping }, title))),
                h("button", { type: "button", onclick: () => undo(), "aria-keyshortcuts": "u" }, "Undo"),
                h("button", { type: "button", class: "quiet", onclick: showKeys, "aria-keyshortcuts": "?" }, "Keys")),
            visit.view(),
            !canCall("ListPlugs") && anonymousNotice(),
            (board.problem ?? board.end) && problemNotice(board.problem ?? board.end),
            board.isRead && board.actions.length === 0 && !board.problem && emptyState("The server exposes no actions.",
                "List them in the server's builder, then start it again.", "Server { LikePhoto.self }"),
            board.actions.length > 0 && count === 0 && h("p", { class: "empty", role: "status" }, `No action contains “${text}”.`),
            count > 0 && h("div", { key: "board", class: "board", created: layer.attach, removed: layer.detach,
                "data-dragging": drag.action() ?? undefined },
                h("svg", { key: "cables", class: "cables", "aria-hidden": "true", isOpaque: true, created: layer.attachCables }),
                h("div", { class: "board-titles", "aria-hidden": "true" }, h("span", {}, "Actions"), h("span", {}, "Implementations")),
                groups.map((group) => h("section", { key: group.title ?? "all", class: "board-group",
                    "aria-label": group.title ?? "Actions" },
                    group.title && h("h2", {}, group.title, h("small", {}, ` ${group.actions.length}`)),
                    h("ul", {}, group.actions.map((action) => rowOf(action, action.action === first)))))));
    }

    return {
        title: "Board",
        loaded: board.begin(),
        accepts: (route) => route.page === "board",
        view,
        leave: () => { board.stop(); layer.stop(); drag.stop(); focus.stop(); },
    };
}

function summary(board) {
    const rate = [...board.figures.values()].reduce((sum, one) => sum + (one.rate ?? 0), 0);
    const count = counted(board.actions.length, "action");
    if (!canCall("ListPlugs")) return `${count} of this server.`;
    return h("span", {}, `${count}, ${Math.round(rate)} requests per second `,
        h("span", { class: `live-state ${board.connection}` },
            board.isBehind ? "a plan has changed: click to read it" : CONNECTIONS[board.connection]));
}

function anonymousNotice() {
    const missing = missingScopes("ListPlugs");
    return h("div", { class: "notice" }, h("p", {},
        "Implementations and figures need the scope ", missing.map((scope, index) => [index > 0 && ", ", h("code", {}, scope)]), ". ",
        h("a", { href: link("sign-in", [], { from: location.hash }) }, isSignedIn() ? "Sign in with another token" : "Sign in")));
}
