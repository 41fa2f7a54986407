/** Drafts that wait, their approvals and schedules, and a time line of them. */
import { call, makeRequest } from "./api.js";
import { preview } from "./commands.js";
import { h } from "./dom.js";
import { counted, listed, time } from "./formats.js";
import { resource } from "./resource.js";
import { refresh } from "./refresh.js";
import { link } from "./routes.js";
import { session } from "./session.js";
import { timeline } from "./timeline.js";
import { revisionChanges } from "./revision-changes.js";
import { actionButton, documentOptions, emptyState, field, problemNotice } from "./widgets.js";

export function open(state) {
    const waiting = resource(() => call("ListDrafts", state.members()));
    const reread = async () => { await Promise.all([state.read(), waiting.read()]); };

    function view() {
        const schedules = [...state.schedules].sort((one, other) => one.at.localeCompare(other.at));
        return [
            timeline(state),
            h("h2", {}, "Drafts"),
            waiting.problem && problemNotice(waiting.problem),
            state.drafts.length === 0 && emptyState("No draft waits.", "Save one in the editor, or with the command:",
                `plugboard behaviors publish FILE --draft ${documentOptions(state)}`),
            h("ul", { class: "cards" }, state.drafts.map((draft) => draftCard(state, draft, approvalsOf(waiting.value?.drafts ?? [], draft),
                reread))),
            h("h2", {}, "Schedules"),
            schedules.length === 0 && emptyState("Nothing is scheduled.", "Schedule a draft above, or a revision with the command:",
                `plugboard behaviors schedule REVISION --at +2h ${documentOptions(state)}`),
            schedules.length > 0 && h("div", { class: "table-frame" }, h("table", { class: "data" },
                h("thead", {}, h("tr", {}, ["Goes live", "Revision", "Scheduled by",
                    ""].map((title) => h("th", { scope: "col", key: title },
                    title || h("span", { class: "visually-hidden" }, "Commands"))))),
                h("tbody", {}, schedules.map((one) => h("tr", { key: String(one.id) },
                    h("td", { "data-title": "Goes live" }, time(one.at, { style: "full" }), h("small", { class: "line" }, time(one.at)),
                        one.condition && h("small", { class: "line" }, one.condition)),
                    h("td", { "data-title": "Revision" }, String(one.revision)),
                        h("td", { "data-title": "Scheduled by" }, one.byName ?? one.by),
                    h("td", { class: "commands" }, actionButton("CancelSchedule", "Cancel it",
                        { class: "small", onclick: () => cancel(state, one) }))))))),
        ];
    }

    return { loaded: waiting.read(), view };
}

/** The number of approvals that count, all approvals, and the reasons why others don't count. */
function approvalsOf(list, draft) {
    const found = list.find((one) => one.revision === draft.revision);
    const approvals = found?.approvals ?? draft.approvals ?? [];
    return { approvals, given: found?.given ?? approvals.length, ended: found?.ended ?? [] };
}

function approvalsText({ approvals, given, ended }, needed) {
    if (approvals.length === 0) return h("p", {}, `Needs ${counted(needed, "approval")} of others.`);
    const names = approvals.map((one) => (one.name ?? one.by) + (one.message ? ` (“${one.message}”)` : ""));
    return h("p", {}, `${given} of ${counted(needed, "approval")}: ${listed(names, "and")}`,
        ended.map((text) => h("small", { class: "line", key: text }, text)));
}

function draftCard(state, draft, approvals, reread) {
    const needed = state.rules?.approvals ?? 0;
    const command = (action, text, perform, isFirst, more) => actionButton(action, text,
        { key: action, class: isFirst ? "primary" : "", onclick: perform, ...more });
    const isOwn = draft.author === session().id, note = `own-${draft.revision}`;
    return h("li", { key: String(draft.revision), class: "card stack" },
        h("div", {}, h("h3", {}, `Revision ${draft.revision}`), h("p", {}, draft.message ?? h("span", { class: "muted" }, "no message")),
            h("p", { class: "muted" }, `by ${draft.authorName ?? draft.author}, `, time(draft.created))),
        needed > 0 && approvalsText(approvals, needed),
        needed > 0 && isOwn && h("p", { id: note, class: "muted" }, "Another person has to approve this draft, because you are its author."),
        h("div", { class: "page-actions" },
            command("PublishDraft", "Publish …", () => publish(state, draft, reread), approvals.given >= needed),
            needed > 0 && command("ApproveDraft", "Approve …", () => approve(state, draft, reread),
                approvals.given < needed && !isOwn, isOwn ? { disabled: true, "aria-describedby": note } : {}),
            command("ScheduleBehavior", "Schedule …", () => schedule(state, draft, reread)),
            command("DiscardDraft", "Discard …", () => discard(state, draft, reread)),
            h("a", { class: "button quiet", href: link("behaviors", [state.name, "explain"],
                { environment: state.environment, revision: draft.revision }) }, "Explain"),
            h("a", { class: "button quiet", href: link("behaviors", [state.name, "edit"],
                { environment: state.environment, revision: draft.revision }) }, "Edit a copy")));
}

/** The draft's changes of the live revision. */
function changesOf(state, draft) {
    return revisionChanges(state, draft.revision, () => state.live);
}

function publish(state, draft, reread) {
    const changes = changesOf(state, draft);
    preview({
        title: `Publish draft ${draft.revision} in ${state.environment}`, verb: "Publish", isWide: true,
        request: () => makeRequest("PublishDraft", state.members(), { body: { revision: draft.revision }, headers: state.condition() }),
        renew: async () => {
            const change = await state.renew();
            changes.read();
            return change;
        },
        about: () => [
            h("p", {}, state.live ? `It replaces revision ${state.live}.` : "It is the first live revision here."),
            changes.view(),
        ],
        done: `Revision ${draft.revision} is live in ${state.environment}.`, after: reread,
    });
}

function approve(state, draft, reread) {
    const changes = changesOf(state, draft);
    let message = "";
    preview({
        title: `Approve draft ${draft.revision}`, verb: "Approve", isWide: true,
        request: () => makeRequest("ApproveDraft", state.members(), { body: { revision: draft.revision, ...(message && { message }) } }),
        about: () => [
            h("p", {}, "The authors of a draft can't approve it. An approval counts while your token is valid."),
            field("Comment", h("input", { value: message,
                oninput: (event) => { message = event.currentTarget.value; refresh(); } })),
            changes.view(),
        ],
        done: `Draft ${draft.revision} is approved.`, after: reread,
    });
}

function schedule(state, draft, reread) {
    let local = localText(new Date(Date.now() + 3_600_000));
    const date = () => new Date(local);
    preview({
        title: `Schedule draft ${draft.revision}`, verb: "Schedule",
        fault: () => Number.isNaN(date().getTime()) ? "Choose a date and a time." : date() < Date.now() ? "The time is in the past." : null,
        request: () => makeRequest("ScheduleBehavior", state.members(), {
            body: { revision: draft.revision, at: Number.isNaN(date().getTime()) ? "" : date().toISOString().replace(/\.\d+Z$/, "Z") },
        }),
        about: () => field("Goes live at", h("input", { type: "datetime-local", value: local,
            onchange: (event) => { local = event.currentTarget.value; refresh(); } }),
            { hint: `In your time zone, ${Intl.DateTimeFormat().resolvedOptions().timeZone}.` }),
        done: (value) => value?.condition ?? `Draft ${draft.revision} is scheduled.`, after: reread,
    });
}

function cancel(state, one) {
    preview({
        title: `Cancel the schedule of revision ${one.revision}`, verb: "Cancel the schedule",
        request: makeRequest("CancelSchedule", state.members({ id: one.id })), done: "The schedule is cancelled.", after: state.read,
    });
}

function discard(state, draft, reread) {
    preview({
        title: `Discard draft ${draft.revision}`, verb: "Discard", isDangerous: true,
        about: () => h("p", {}, "It can't be published afterwards. Its bytes stay in the history."),
        request: makeRequest("DiscardDraft", state.members(), { body: { revision: draft.revision } }),
            done: `Draft ${draft.revision} is discarded.`, after: reread,
    });
}

/** A time as `datetime-local` has it. */
function localText(date) {
    return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
