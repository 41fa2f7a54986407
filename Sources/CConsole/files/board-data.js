/** The board's state: plans by `ListPlugs`, figures of the last minute by the events of `GET /plugs/events`. */
import { allOperations, call, canCall, isOwn, operation } from "./api.js";
import { follow } from "./events.js";
import { cables } from "./plans.js";
import { whenActive } from "./polls.js";
import { refresh } from "./refresh.js";

/** Reads the board and follows its events until `stop`. `connection` is `connecting`, `live`, `lost` or, by the problem `end`, `ended`. */
export function boardData() {
    const board = { actions: [], figures: new Map(), connection: "connecting", end: null, isBehind: false, isRead: false, problem: null };
    let isStopped = false, reading = null, isOutdated = false, cancelReading = () => {}, endEvents = () => {};

    /** Reads the plans. A call during a reading makes it read again: the server may have read the plans before. */
    function read() {
        isOutdated = true;
        board.isBehind = false;
        reading ??= readAgain().finally(() => { reading = null; });
        return reading;
    }

    async function readAgain() {
        while (isOutdated && !isStopped) {
            isOutdated = false;
            try {
                board.actions = (await call("ListPlugs")).map(described);
                board.problem = null;
            } catch (error) {
                board.problem = error;
            }
            board.isRead = true;
            if (!isStopped) refresh();
        }
    }

    function receive(event, data) {
        if (event !== "board") return;
        let isChanged = false;
        for (const [name, figures] of Object.entries(JSON.parse(data).actions)) {
            const before = board.figures.get(name);
            isChanged ||= before !== undefined && before.revision !== figures.revision;
            board.figures.set(name, figures);
        }
        if (isChanged) {
            board.isBehind = true;
            cancelReading = whenActive(read);
        }
        refresh();
    }

    board.read = read;
    board.stop = () => {
        isStopped = true;
        cancelReading();
        endEvents();
    };
    board.begin = async () => {
        if (!canCall("ListPlugs")) {
            board.actions = allOperations().filter((one) => !isOwn(one)).map((one) =>
                described({ action: one.name, plan: null, implementations: [], breakers: [], caches: [] }));
            board.isRead = true;
            return;
        }
        endEvents = follow("/plugs/events", receive, (isConnected, problem) => {
            board.connection = isConnected ? "live" : problem ? "ended" : "lost";
            board.end = problem ?? null;
            // The events report only changes after their first one, and a new process counts revisions from 0.
            if (isConnected) read();
            refresh();
        });
        await read();
    };
    return board;
}

/** A plug's state with its cables and its route. Its breakers and caches are those by pointer, as in the events. */
function described(state) {
    const { method = "", path = "" } = operation(state.action) ?? {};
    return {
        ...state, method, path, ...cables(state.plan),
        breakers: Object.fromEntries(state.breakers.map((one) => [one.at, one.state])),
        caches: Object.fromEntries(state.caches.map((one) => [one.at, one])),
        search: [state.action, path, ...state.implementations.flatMap((one) => [one.name, one.type])].join(" ").toLowerCase(),
    };
}

/** The figures of an implementation in the last minute; null if there are none. */
export function figuresOf(board, action, name) {
    const figures = board.figures.get(action);
    return (name === undefined ? figures : figures?.implementations?.[name]) ?? null;
}

/** The state of a breaker: "open", "half-open", "closed". */
export function breakerState(board, action, layer) {
    return (board.figures.get(action.action) ?? action).breakers?.[layer.pointer] ?? "closed";
}

/** The hits and misses of a cache; undefined if it is unknown. */
export function cacheCounts(board, action, layer) {
    return (board.figures.get(action.action) ?? action).caches?.[layer.pointer];
}

/** The state of a cable, as classes: "open" if a breaker lets nothing through, "failing" if calls failed in the last minute. */
export function cableState(board, action, cable) {
    if ([...action.trunk, ...cable.layers].some((one) => one.kind === "breaker" && breakerState(board, action, one) === "open")) return "open";
    return figuresOf(board, action.action, cable.implementation)?.errors > 0 ? "failing" : "";
}

/** The actions that contain the text, in groups by `grouping`: `none`, `path` or `state`. */
export function grouped(actions, text, grouping) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const found = actions.filter((action) => words.every((word) => action.search.includes(word)));
    if (grouping === "none") return [{ title: null, actions: found }];
    const groups = new Map();
    for (const action of found) {
        const title = grouping === "path" ? "/" + (action.path.split("/")[1] ?? "")
            : action.unplugged ? "Unplugged by a guard" : action.live ? "Changed while running" : "As in the code";
        groups.set(title, [...(groups.get(title) ?? []), action]);
    }
    return [...groups].sort(([one], [other]) => one.localeCompare(other)).map(([title, actions]) => ({ title, actions }));
}
