/** A document in an environment: its revisions, its drafts, its schedules. */
import { call, readText } from "./api.js";
import { refresh } from "./refresh.js";

const PAGE = 50;

/** The state of a document in one environment, for the whole life of the state: a tab or a dialog that has it never acts on another one.
    Without an environment it is the served one, which the first reading finds. */
export function behaviorState(name, environment) {
    const state = {
        name, environment, environments: [], report: null, live: null, file: null, revisions: [], schedules: [], drafts: [], rules: null,
        problem: null, isRead: false, isEnd: false,
    };
    const texts = new Map();
    let number = 0;

    /** Reads all of it. A newer reading wins over an older one; a failed one leaves the last values. */
    state.read = async () => {
        const own = ++number;
        const values = await load().catch((problem) => ({ problem }));
        if (own === number) Object.assign(state, values, { isRead: true });
        refresh();
    };

    async function load() {
        const environments = await call("ListEnvironments");
        const environment = state.environment ?? servedOf(environments);
        const members = { name, environment };
        const [reports, revisions, schedules] = await Promise.all([
            call("ListBehaviors", { environment }),
            optional(call("ListRevisions", { ...members, limit: PAGE }), []),
            optional(call("ListSchedules", members), []),
        ]);
        const report = reports.find((one) => one.name === name) ?? null;
        return {
            environment, report, revisions, schedules, file: report ? null : await servedFile(members), live: report?.live ?? null, problem: null,
            environments: [...new Set([...environments.map((one) => one.environment), environment])],
            rules: environments.find((one) => one.environment === environment) ?? { approvals: 0 },
            isEnd: revisions.length < PAGE, drafts: draftsOf(revisions),
        };
    }

    /** Adds the next page of the history. */
    state.readMore = async () => {
        const before = state.revisions;
        try {
            const page = await call("ListRevisions", state.members({ limit: PAGE, before: before.at(-1)?.revision }));
            if (state.revisions !== before) return;
            state.revisions = [...before, ...page];
            state.isEnd = page.length < PAGE;
            state.drafts = draftsOf(state.revisions);
        } catch (problem) {
            state.problem = problem;
        }
        refresh();
    };

    /** The bytes of a revision as text. They never change, so they are read once. Null is no revision: the file's text, or none. */
    state.text = async (revision, from = state.environment) => {
        if (revision === null) return from === state.environment ? state.file?.document ?? "" : "";
        const key = `${from}/${revision}`;
        if (!texts.has(key)) texts.set(key, (await readText("GetRevision", { name, revision, environment: from })).text);
        return texts.get(key);
    };

    /** The revision that is live at this moment, here or in another environment. */
    state.readLive = async (from = state.environment) => (await call("ListBehaviors",
        { environment: from })).find((one) => one.name === name)?.live ?? null;

    /** Reads again, so that the next request's condition is met. Returns a sentence about the change, for `renew` of a command. */
    state.renew = async () => {
        await state.read();
        if (state.problem) throw state.problem;
        return state.live ? `Revision ${state.live} went live meanwhile${state.byline(state.live)}.` : "No revision is live any more.";
    };

    /** The author and the message of a revision: " by eve: Louder". */
    state.byline = (revision) => {
        const found = state.revisions.find((one) => one.revision === revision);
        return found ? ` by ${found.authorName ?? found.author}${found.message ? `: ${found.message}` : ""}` : "";
    };

    state.members = (more = {}) => ({ name, environment: state.environment, ...more });
    /** The condition of a change: the live revision is the expected one. */
    state.condition = (live = state.live) => live === null ? { "If-None-Match": "*" } : { "If-Match": `"${live}"` };
    return state;
}

/** The environment that the server serves. */
export function servedOf(environments) {
    return environments.find((one) => one.served)?.environment;
}

function draftsOf(revisions) {
    return revisions.filter((one) => one.state === "draft");
}

/** The file that serves a document until the store has it: its path and its text; null if there is none. */
export function servedFile(members) {
    return optional(call("GetServedFile", members), null);
}

/** The result of a reading; the given value if there is nothing to read yet. */
async function optional(reading, missing) {
    try {
        return await reading;
    } catch (error) {
        if (error.status === 404) return missing;
        throw error;
    }
}

/** The modules that the server has seen, with their functions. */
export async function seenModules() {
    const { modules } = await call("ListModules");
    return new Map(modules.map(({ name, functions }) => [name, new Set(functions)]));
}
