/** The API's documentation: each action with its input, output, errors, examples, and a form that calls it. */
import { allOperations, isOwn } from "./api.js";
import { callForm } from "./call-form.js";
import { h } from "./dom.js";
import { currentRoute, go, link } from "./routes.js";
import { limitsText, resolved, schemaName, typeText } from "./schemas.js";
import { root } from "./session.js";
import { badge, emptyState, pageHead, searchBox } from "./widgets.js";

export function open() {
    const forms = new Map();

    function view() {
        const route = currentRoute();
        const chosen = allOperations().find((one) => one.name === route.parts[0]);
        const text = (route.query.get("search") ?? "").toLowerCase();
        const shown = allOperations().filter((one) => `${one.name} ${one.path} ${one.summary ?? ""} ${one.description ?? ""}`.toLowerCase().includes(text));
        return h("div", { class: "page" },
            pageHead("Actions", "Whatever the server does is an action. Call it here, by curl, or from Swift.",
                searchBox(text, (value) => go(link("actions", route.parts, { search: value }), { replace: true }), "Search actions"),
                h("a", { class: "button quiet", href: root + "/openapi.json" }, "openapi.json")),
            h("div", { class: "split-view" },
                h("nav", { class: chosen ? "list has-choice" : "list", "aria-label": "Actions" },
                    shown.length === 0 && h("p", { class: "muted", role: "status" }, `No action contains “${text}”.`),
                    groups(shown).map(([title, list]) => h("section", { key: title }, h("h2", {}, title),
                        h("ul", {}, list.map((one) => h("li", { key: one.name }, h("a", {
                            href: link("actions", [one.name], { search: text }), "aria-current": one === chosen ? "page" : undefined,
                        }, h("span", { class: "method" }, one.method),
                            h("span", {}, one.name, h("small", { class: "line" }, one.path))))))))),
                chosen ? operationView(chosen, forms) : emptyState("Choose an action.",
                    "Its input, its output and a form that calls it appear here.")));
    }

    return { title: "Actions", view, accepts: (route) => route.page === "actions", leave: () => forms.forEach((form) => form.stop()) };
}

/** The application's actions, then the server's own. */
function groups(list) {
    return [["Application", list.filter((one) => !isOwn(one))],
        ["Administration", list.filter(isOwn)]].filter(([, shown]) => shown.length > 0);
}

function operationView(operation, forms) {
    if (!forms.has(operation.name)) forms.set(operation.name, callForm(operation));
    const scopes = (operation.security ?? []).flatMap((one) => Object.values(one).flat());
    const parameters = operation.parameters ?? [];
    const body = Object.entries(operation.requestBody?.content ?? {});
    return h("article", { key: operation.name, class: "stack operation" },
        h("header", {}, h("h2", {}, operation.name), h("p", {}, h("code", {}, `${operation.method} ${operation.path}`), " ",
            scopes.map((scope) => badge(scope, "accent")), operation.deprecated && badge("deprecated", "warn")),
        operation.description && h("p", {}, operation.description)),
        forms.get(operation.name).view(),
        parameters.length > 0 && h("section", {}, h("h3", {}, "Parameters"), membersTable(parameters.map((one) => ({
            name: one.name, note: one.in, schema: one.schema ?? {}, isRequired: one.required, description: one.description,
        })))),
        body.length > 0 && h("section", {}, h("h3", {}, "Body"), schemaView(body[0][1].schema, body.map(([type]) => type).join(", "))),
        h("section", {}, h("h3", {}, "Responses"), responsesView(operation)));
}

function responsesView(operation) {
    return h("div", { class: "stack" }, Object.entries(operation.responses).map(([status, given]) => {
        const response = resolved(given);
        const [type, content] = Object.entries(response.content ?? {})[0] ?? [];
        const isProblem = type === "application/problem+json";
        return h("details", { key: status, class: "response", open: status.startsWith("2") },
            h("summary", {}, badge(status, status.startsWith("2") ? "good" : "bad"), " ", response.description ?? ""),
            content && !isProblem && schemaView(content.schema?.contentSchema ?? content.schema ?? {}, type));
    }));
}

/** A schema as a table of its members; nested types have tables below it. */
function schemaView(schema, note, depth = 0) {
    const one = resolved(schema);
    const inner = one.type === "array" ? resolved(one.items) : one;
    const members = Object.entries(inner.properties ?? {});
    return h("div", { class: "schema" },
        h("p", {}, h("code", {}, typeText(schema)), note && h("small", {}, ` ${note}`)),
        one.description && h("p", { class: "muted" }, one.description),
        members.length > 0 && membersTable(members.map(([name, member]) => ({
            name, schema: member, isRequired: inner.required?.includes(name), description: member.description,
        }))),
        depth < 2 && members.map(([name, member]) => {
            const nested = member.items ?? member;
            return schemaName(nested) && resolved(nested).properties
                && h("details", { key: name }, h("summary", {}, `${name}: `, h("code", {}, schemaName(nested))),
                schemaView(nested, null, depth + 1));
        }));
}

function membersTable(members) {
    return h("div", { class: "table-frame" }, h("table", { class: "data members" },
        h("thead", {}, h("tr", {}, ["Name", "Type", "Meaning"].map((title) => h("th", { scope: "col", key: title }, title)))),
        h("tbody", {}, members.map(({ name, note, schema, isRequired, description }) => h("tr", { key: `${note} ${name}` },
            h("th", { scope: "row" }, h("code", {}, name), isRequired && h("small", { class: "line" }, "required"), note
                && h("small", { class: "line" }, note)),
            h("td", { "data-title": "Type" }, typeText(schema), limitsText(schema) && h("small", { class: "line" }, limitsText(schema))),
            h("td", { "data-title": "Meaning" }, description ?? resolved(schema).description ?? ""))))));
}
