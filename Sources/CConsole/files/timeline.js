/** A time line of a document: revisions in the past, now, and scheduled revisions. */
import { h } from "./dom.js";
import { sinceText } from "./formats.js";

const SHOWN = 6;

/** The points of the time line, in order. The line has equal distances, because times of years and minutes are on it. */
export function timeline(state) {
    const past = state.revisions.filter((one) => one.state === "live" || one.state === "earlier").slice(0, SHOWN).map((one) => ({
        at: new Date(one.state === "live" && state.report?.since ? state.report.since : one.wentLive ?? one.created),
            title: `revision ${one.revision}`, kind: one.state, revision: one.revision,
    })).sort((one, other) => one.at - other.at || one.revision - other.revision);
    const coming = state.schedules.slice(0, SHOWN).map((one) => ({ at: new Date(one.at), title: `revision ${one.revision}`,
        kind: "coming" }))
        .sort((one, other) => one.at - other.at);
    const points = [...past, { at: new Date(), title: "now", kind: "now" }, ...coming];
    return h("ol", { class: "timeline", "aria-label": "Time line" },
        points.map((one, index) => h("li", { key: `${index}${one.title}`, class: one.kind },
        h("span", { class: "point", "aria-hidden": "true" }),
        h("b", {}, one.title), h("small", {}, one.kind === "now" ? "" : one.kind === "live" ? `live, ${sinceText(one.at)}`
            : sinceText(one.at)))));
}
