/** The board's state: plans by `ListPlugs`, figures of the last minute by the events of `GET /plugs/events`. */
import { allOperations, call, canCall, operation } from "./api.js";
import { follow } from "./events.js";
import { poll } from "./polls.js";
import { refresh } from "./refresh.js";
import { wires } from "./plans.js";

/** Reads the board and follows its events until `stop`. */
export function boardData() {
    const board = { actions: [], figures: new Map(), isLive: false, isLost: false, isRead: false, problem: null, at: 0, stop: () => {} };
    let isStopped = false, endEvents = () => {}, isReading = false;

    async function read() {
        if (isReading) return;
        isReading = true;
        try {
            board.actions = (await call("ListPlugs")).map(described);
            board.problem = null;
        } catch (error) {
            board.problem = error;
        } finally {
            isReading = false;
            board.isRead = true;
            if (!isStopped) refresh();
        }
    }

    function receive(event, data) {
        if (event !== "board") return;
        const { at, actions } = JSON.parse(data);
        let isChanged = false;
        for (const [name, figures] of Object.entries(actions)) {
            const before = board.figures.get(name);
            isChanged ||= before !== undefined && before.revision !== figures.revision;
            isChanged ||= before !== undefined && noteOf(before) !== noteOf(figures);
            board.figures.set(name, figures);
        }
        board.at = at;
        if (isChanged) read();
        refresh();
    }

    board.read = read;
    board.stop = () => {
        isStopped = true;
        endEvents();
    };
    board.begin = async () => {
        if (!canCall("ListPlugs")) {
            board.actions = allOperations().filter((one) => !isOwn(one)).map((one) =>
                described({ action: one.name, plan: null, implementations: [], breakers: [], shadows: [], caches: [] }));
            board.isRead = true;
            return;
        }
        await read();
        if (isStopped) return;
        const events = allOperations().find((one) => one.path === "/plugs/events");
        // Without the events the figures are those since the plan was set.
        if (!events) endEvents = poll(2, read);
        else endEvents = follow("/plugs/events", receive, (isConnected) => {
            // Plans may have changed meanwhile, and a new process counts their revisions from 0.
            if (isConnected && board.isLost) read();
            board.isLost = !isConnected;
            board.isLive = isConnected;
            refresh();
        });
    };
    return board;
}

function noteOf(figures) {
    return Object.values(figures.implementations ?? {}).map((one) => one.note ?? "").join();
}

/** Whether an operation belongs to the server's own administration, or to documents. */
export function isOwn({ path }) {
    return /^\/(tokens|plugs|behaviors|environments|audit|sessions|server|scopes|modules|drafts|overview|status|console)\b/.test(path)
        || path.startsWith("/behaviors");
}

/** A plug's state with its wires and its route. */
function described(state) {
    const { method = "", path = "" } = operation(state.action) ?? {};
    const { trunk, wires: found } = wires(state.plan);
    return {
        ...state, method, path, trunk, wires: found,
        isChanged: state.live,
        search: [state.action, path, ...state.implementations.flatMap((one) => [one.name, one.type])].join(" ").toLowerCase(),
    };
}

/** The figures of an implementation in the last minute; null if there are none. */
export function figuresOf(board, action, name) {
    const figures = board.figures.get(action);
    return (name === undefined ? figures : figures?.implementations?.[name]) ?? null;
}

/** The state of a breaker around a wire: "open", "half-open", "closed". */
export function breakerState(action, layer) {
    return action.breakers.find((one) => one.at === layer.pointer || one.at.endsWith(layer.pointer))?.state ?? "closed";
}

/** The state of a wire, as classes: "open" if a breaker lets nothing through, "failing" if calls failed in the last minute. */
export function wireState(board, action, wire) {
    if ([...action.trunk, ...wire.layers].some((one) => one.kind === "breaker" && breakerState(action, one) === "open")) return "open";
    return figuresOf(board, action.action, wire.implementation)?.errors > 0 ? "failing" : "";
}

/** The actions that contain the text, in groups by `grouping`: `none`, `path` or `state`. */
export function grouped(actions, text, grouping) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const found = actions.filter((action) => words.every((word) => action.search.includes(word)));
    if (grouping === "none") return [{ title: null, actions: found }];
    const groups = new Map();
    for (const action of found) {
        const title = grouping === "path" ? "/" + (action.path.split("/")[1] ?? "")
            : action.unplugged ? "Unplugged by a guard" : action.isChanged ? "Changed while running" : "As in the code";
        groups.set(title, [...(groups.get(title) ?? []), action]);
    }
    return [...groups].sort(([one], [other]) => one.localeCompare(other)).map(([title, actions]) => ({ title, actions }));
}
