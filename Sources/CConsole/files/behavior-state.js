/** A document in an environment: its revisions, its drafts, its schedules. */
import { call, canCall, operation, readText } from "./api.js";
import { refresh } from "./refresh.js";

/** The state of a document. `environment` is the server's own if it is null. */
export function behaviorState(name, environment) {
    const state = {
        name, environment, environments: [], report: null, live: null, revisions: [], schedules: [],
        drafts: [], rules: null, problem: null, isEnd: false, exists: false,
    };
    const texts = new Map();

    state.read = async () => {
        try {
            const environments = await call("ListEnvironments");
            state.environment ??= servedOf(environments);
            state.environments = [...new Set([...environments.map((one) => one.environment), state.environment])];
            state.rules = environments.find((one) => one.environment === state.environment) ?? { approvals: 0 };
            const members = { name, environment: state.environment };
            const [reports, revisions, schedules] = await Promise.all([
                call("ListBehaviors", { environment: state.environment }),
                optional(() => call("ListRevisions", { ...members, limit: 50 })),
                optional(() => call("ListSchedules", members)),
            ]);
            state.report = reports.find((one) => one.name === name) ?? null;
            state.exists = state.report !== null;
            state.live = state.report?.live ?? null;
            state.revisions = revisions;
            state.isEnd = revisions.length < 50;
            state.schedules = schedules;
            state.drafts = revisions.filter((one) => one.state === "draft");
            state.problem = null;
        } catch (problem) {
            state.problem = problem;
        }
        refresh();
    };

    /** Adds the next page of the history. */
    state.readMore = async () => {
        const before = state.revisions.at(-1)?.revision;
        const page = await call("ListRevisions", { name, environment: state.environment, limit: 50, before });
        state.revisions = [...state.revisions, ...page];
        state.isEnd = page.length < 50;
        state.drafts = state.revisions.filter((one) => one.state === "draft");
        refresh();
    };

    /** The bytes of a revision as text. They never change, so they are read once. */
    state.text = async (revision, from = state.environment) => {
        const key = `${from}/${revision}`;
        if (!texts.has(key)) texts.set(key, (await readText("GetRevision", { name, revision, environment: from })).text);
        return texts.get(key);
    };

    /** The revision that is live at this moment. */
    state.readLive = async () => (await call("ListBehaviors",
        { environment: state.environment })).find((one) => one.name === name)?.live ?? null;

    state.members = (more = {}) => ({ name, environment: state.environment, ...more });
    /** The condition of a change: the live revision is the expected one. */
    state.condition = (live = state.live) => live === null ? { "If-None-Match": "*" } : { "If-Match": `"${live}"` };
    return state;
}

/** The environment that the server serves. */
export function servedOf(environments) {
    return environments.find((one) => one.served)?.environment;
}

/** The result of a reading; an empty list if the document isn't there yet. */
async function optional(read) {
    try {
        return await read();
    } catch (error) {
        if (error.status === 404) return [];
        throw error;
    }
}

/** The modules and functions that the server has seen: by its action, or else from the live documents. */
export async function seenModules(addSeen) {
    const seen = new Map();
    if (operation("ListModules") && canCall("ListModules")) {
        const { modules } = await call("ListModules");
        for (const { name, functions } of modules) seen.set(name, new Set(functions));
        return seen;
    }
    const reports = await call("ListBehaviors");
    await Promise.all(reports.filter((one) => one.live).slice(0, 50).map(async ({ name, environment, live }) => {
        addSeen(seen, JSON.parse((await readText("GetRevision", { name, revision: live, environment })).text));
    }));
    return seen;
}
