/** JSON Schemas of the API's description: references, types in words, examples. */
import { apiDescription } from "./api.js";

/** The schema behind a reference. */
export function resolved(schema) {
    let found = schema;
    for (let depth = 0; found?.$ref && depth < 16; depth += 1) {
        found = found.$ref.split("/").slice(1).reduce((value, part) => value?.[part.replaceAll("~1", "/").replaceAll("~0", "~")],
            apiDescription());
    }
    return found ?? {};
}

/** The name of a reference: "Photo". */
export function schemaName(schema) {
    return schema?.$ref?.split("/").at(-1) ?? null;
}

/** A type in words: "integer", "list of Photo", "text or null". */
export function typeText(schema) {
    const name = schemaName(schema);
    if (name) return name;
    if (!schema || Object.keys(schema).length === 0) return "any value";
    if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(", ");
    const alternatives = schema.oneOf ?? schema.anyOf;
    if (alternatives) return [...new Set(alternatives.map(typeText))].join(" or ");
    if (Array.isArray(schema.type)) return schema.type.map((type) => typeText({ ...schema, type })).join(" or ");
    if (schema.type === "array") return `list of ${typeText(schema.items)}`;
    if (schema.type === "string") return schema.format && schema.format !== "binary" ? `text (${schema.format})` : schema.format ?? "text";
    return schema.type ?? "any value";
}

/** A schema's limits in words: "1 to 100", "at most 200 characters". */
export function limitsText(schema) {
    const one = resolved(schema);
    const parts = [];
    const isWhole = one.minimum < -9e15 && one.maximum > 9e15;
    if (!isWhole && one.minimum !== undefined && one.maximum !== undefined) parts.push(`${one.minimum} to ${one.maximum}`);
    else if (!isWhole && one.minimum !== undefined) parts.push(`at least ${one.minimum}`);
    else if (!isWhole && one.maximum !== undefined) parts.push(`at most ${one.maximum}`);
    if (one.minLength > 0) parts.push(`at least ${one.minLength} character${one.minLength === 1 ? "" : "s"}`);
    if (one.maxLength !== undefined) parts.push(`at most ${one.maxLength} characters`);
    if (one.maxItems !== undefined) parts.push(`at most ${one.maxItems} elements`);
    if (one.default !== undefined) parts.push(`default ${JSON.stringify(one.default)}`);
    return parts.join(", ");
}

/** An example of a schema: its own, or one made from its type. */
export function exampleOf(schema, depth = 0) {
    const one = resolved(schema);
    if (one.examples?.length > 0) return one.examples[0];
    if (one.default !== undefined) return one.default;
    if (one.enum) return one.enum[0];
    if (one.oneOf ?? one.anyOf) return exampleOf((one.oneOf ?? one.anyOf)[0], depth);
    const type = Array.isArray(one.type) ? one.type[0] : one.type;
    switch (type) {
    case "object": return Object.fromEntries(Object.entries(one.properties ?? {}).filter(([name, member]) => depth < 4
        && (one.required?.includes(name) || resolved(member).examples)).map(([name, member]) => [name, exampleOf(member, depth + 1)]));
    case "array": return depth < 4 && one.items ? [exampleOf(one.items, depth + 1)] : [];
    case "integer": case "number": return one.minimum > 0 ? one.minimum : 1;
    case "boolean": return false;
    case "string": return "";
    default: return null;
    }
}
