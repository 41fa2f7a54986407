extension DocumentationPage {
    static let style = """
        :root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
        body{max-width:60rem;margin:0 auto;padding:1rem}
        details{border:1px solid #8886;border-radius:.5rem;margin:.5rem 0;padding:.5rem .75rem}
        summary{cursor:pointer;overflow-wrap:anywhere}summary b{font-family:monospace;margin-right:.75rem}
        summary .deprecated{text-decoration:line-through}p{white-space:pre-line}
        pre{overflow:auto;background:#8881;padding:.5rem;border-radius:.25rem;max-height:24rem}
        label{display:block;margin:.4rem 0}label small{opacity:.8;margin-left:.5rem}
        input,textarea,select{font:inherit;width:100%;box-sizing:border-box;padding:.25rem}
        textarea{font-family:monospace}button{font:inherit;padding:.25rem 1rem}
        .wrong{display:block;color:light-dark(#b3261e,#ff8a80)}.wrong:empty{display:none}
        [aria-invalid=true]{outline:2px solid light-dark(#b3261e,#ff8a80)}
        .good{color:light-dark(#0a6b2b,#6fdc8c)}.bad{color:light-dark(#b3261e,#ff8a80)}
        """

    static let script = #"""
        "use strict";
        const make = (name, text, parent) => {
          const node = document.createElement(name);
          if (text !== undefined) node.textContent = text;
          if (parent) parent.append(node);
          return node;
        };
        const plain = (token) => token.replace(/~1/g, "/").replace(/~0/g, "~");
        const resolve = (api, schema) => schema && schema.$ref
          ? api.components.schemas[plain(schema.$ref.split("/").pop())] : schema || {};
        const types = (schema) => [].concat(schema.type);
        // An initial value. It contains an optional member if the schema says something about its value.
        const example = (api, given, depth) => {
          const schema = resolve(api, given) || {};
          if (schema.examples) return schema.examples[0];
          if (schema.default !== undefined) return schema.default;
          if (types(schema).includes("null")) return null;
          if (schema.enum) return schema.enum[0];
          if (schema.anyOf) return schema.anyOf.some((each) => each.type === "null") ? null : example(api, schema.anyOf[0], depth);
          if (depth > 6) return null;
          switch (types(schema)[0]) {
            case "object": return Object.fromEntries(Object.entries(schema.properties || {})
              .map(([name, member]) => [name, example(api, member, depth + 1)])
              .filter(([name, value]) => (schema.required || []).includes(name) || value === null || value !== ""));
            case "array": return schema.minItems || depth === 0 ? [example(api, schema.items, depth + 1)] : [];
            case "integer": case "number": return Math.max(schema.minimum || 0, 0);
            case "boolean": return false;
            case "string": return schema.format === "date-time" ? "2026-01-31T12:00:00Z" : "";
            default: return null;
          }
        };
        // Adds line breaks to the JSON text. Parsing it would round numbers: JavaScript's have 53 bits.
        const indented = (json) => {
          let depth = 0;
          const line = () => "\n" + "  ".repeat(depth);
          return json.replace(/"(?:[^"\\]|\\.)*"|[\[{]\s*[\]}]|[\[{]|[\]}]|,|:/g, (token) => {
            switch (token) {
              case "{": case "[": depth += 1; return token + line();
              case "}": case "]": depth = Math.max(0, depth - 1); return line() + token;
              case ",": return token + line();
              case ":": return ": ";
              default: return token;
            }
          });
        };
        const show = (api, title, value, parent) => {
          const details = make("details", undefined, parent);
          make("summary", title, details);
          make("pre", JSON.stringify(value, null, 2), details).tabIndex = 0;
        };
        const read = async (response, shown) => {
          const isJSON = /[/+]json\b/.test(response.headers.get("Content-Type") || "");
          const reader = response.body ? response.body.pipeThrough(new TextDecoderStream()).getReader() : null;
          let text = "";
          while (reader && text.length < 1000000) {
            const { done, value } = await reader.read();
            if (done) break;
            text += value;
            if (!isJSON) shown.append(value);
          }
          if (isJSON) shown.append(indented(text));
          return text;
        };
        const send = async (path, method, fields, body, output, tell) => {
          output.replaceChildren();
          const stop = new AbortController();
          const button = make("button", "Stop", output);
          button.type = "button";
          button.onclick = () => stop.abort();
          const shown = make("pre", method.toUpperCase() + " " + path + "\n", output);
          shown.tabIndex = 0;
          tell([]);
          try {
            const token = document.getElementById("token").value;
            if (token) fields["Authorization"] = "Bearer " + token;
            const response = await fetch(path, { method, headers: fields, body, signal: stop.signal });
            make("b", response.status + " " + response.statusText, shown).className = response.ok ? "good" : "bad";
            shown.append("\n");
            for (const [name, value] of response.headers) shown.append(name + ": " + value + "\n");
            shown.append("\n");
            const text = await read(response, shown);
            if (!response.ok) tell(JSON.parse(text).errors || []);
          } catch (error) { shown.append(stop.signal.aborted ? "(stopped)" : String(error)); }
          button.remove();
        };
        const place = (input, label) => {
          const wrong = make("small", undefined, label);
          wrong.className = "wrong";
          wrong.setAttribute("role", "alert");
          return (text) => {
            wrong.textContent = text;
            input.setAttribute("aria-invalid", text !== "");
          };
        };
        const field = (api, parameter, form) => {
          const label = make("label", parameter.name, form);
          make("small", parameter.in + (parameter.required ? ", required" : "") +
            (parameter.description ? ": " + parameter.description : ""), label);
          const schema = resolve(api, parameter.schema);
          const choice = schema.enum || (types(schema).includes("boolean") ? [true, false] : null);
          const input = make(choice ? "select" : "input", undefined, label);
          input.name = parameter.name;
          input.required = Boolean(parameter.required);
          if (choice) for (const value of ["", ...choice]) make("option", String(value), input);
          const value = schema.examples ? schema.examples[0] : schema.default;
          if (value !== undefined) input.value = String(value);
          const renew = () => { if (parameter.name === "Idempotency-Key") input.value = "\"" + key() + "\""; };
          renew();
          return { parameter, input, renew, tell: place(input, label) };
        };
        const key = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
        const first = (api, type, content) => {
          const value = example(api, content.schema, 0);
          if (/[/+]json$/.test(type)) return JSON.stringify(value, null, 2);
          if (type !== "application/x-www-form-urlencoded") return "";
          return String(new URLSearchParams(Object.entries(value || {})
            .flatMap(([name, each]) => [].concat(each).map((text) => [name, text]))
            .filter(([, text]) => text !== null && typeof text !== "object")));
        };
        const bodyField = (api, content, form) => {
          const label = make("label", "body", form);
          const type = make("select", undefined, label);
          type.ariaLabel = "The body's media type";
          for (const name of Object.keys(content)) make("option", name, type);
          const text = make("textarea", undefined, label);
          text.name = "body";
          text.ariaLabel = "body";
          text.spellcheck = false;
          type.onchange = () => {
            text.value = first(api, type.value, content[type.value]);
            text.rows = Math.min(24, text.value.split("\n").length + 1);
          };
          type.onchange();
          for (const [name, each] of Object.entries(content)) show(api, "The schema of " + name, each.schema, form);
          return { text, type, tell: place(text, label) };
        };
        const operation = (api, path, method, about) => {
          const details = make("details", undefined, document.querySelector("main"));
          details.id = about.operationId;
          const summary = make("summary", undefined, details);
          make("b", method.toUpperCase() + " " + path, summary);
          make("span", about.summary || about.operationId, summary).className = about.deprecated ? "deprecated" : "";
          if (about.description) make("p", about.description, details);
          const security = about.security || [];
          if (security.length) make("p", security.some((each) => !Object.keys(each).length) ? "Accepts a token, but needs none."
            : "Needs a known caller with: " + [...new Set(security.map(
              (each) => Object.values(each).flat().join(", ") || "any scope"))].join("; "), details);
          const form = make("form", undefined, details);
          const parameters = about.parameters || [];
          const isExtra = (parameter) => parameter.in === "header" && !parameter.required;
          const fields = parameters.filter((each) => !isExtra(each)).map((each) => field(api, each, form));
          const body = about.requestBody ? bodyField(api, about.requestBody.content, form) : null;
          if (parameters.some(isExtra)) {
            const more = make("details", undefined, form);
            make("summary", "Header fields", more);
            for (const each of parameters.filter(isExtra)) fields.push(field(api, each, more));
          }
          const button = make("button", "Send", form);
          const others = place(button, form);
          const output = make("div", undefined, details);
          // Shows each error at its input. Header fields have other names than their members.
          const tell = (errors) => {
            const said = new Map([...fields.map((each) => each.tell), body ? body.tell : others, others].map((each) => [each, []]));
            for (const { pointer, detail } of errors) {
              const name = plain(pointer.split("/")[1] || "");
              const at = fields.find((each) => each.parameter.in !== "header" && each.parameter.name === name);
              if (at) said.get(at.tell).push(detail);
              else said.get(body ? body.tell : others).push(pointer + ": " + detail);
            }
            for (const [each, texts] of said) each(texts.join("; "));
          };
          form.onsubmit = async (event) => {
            event.preventDefault();
            let target = path;
            const query = new URLSearchParams(), headers = {};
            for (const { parameter, input } of fields) {
              const value = input.value;
              if (parameter.in === "path") target = target.replace("{" + parameter.name + "}", encodeURIComponent(value));
              else if (value === "") continue;
              else if (parameter.in === "header") headers[parameter.name] = value;
              else for (const item of types(resolve(api, parameter.schema)).includes("array") ? value.split(",") : [value])
                query.append(parameter.name, item);
            }
            const text = body ? body.text.value : "";
            if (text) headers["Content-Type"] = body.type.value;
            await send(target + (query.size ? "?" + query : ""), method.toUpperCase(), headers, text || undefined, output, tell);
            for (const each of fields) each.renew();
          };
          show(api, "Responses", about.responses, details);
        };
        document.querySelector("header form").onsubmit = (event) => event.preventDefault();
        fetch("/openapi.json").then((response) => response.json()).then((api) => {
          document.title = api.info.title;
          document.querySelector("h1").textContent = api.info.title + " " + api.info.version;
          document.querySelector("header p").textContent = api.info.description || "";
          for (const [path, item] of Object.entries(api.paths))
            for (const [method, about] of Object.entries(item)) operation(api, path, method, about);
          const main = document.querySelector("main");
          make("h2", "Types", main);
          for (const [name, schema] of Object.entries(api.components.schemas)) show(api, name, schema, main);
          const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
          if (named) { named.open = true; named.scrollIntoView(); }
        }).catch((error) => make("p", String(error), document.querySelector("main")));
        """#
}
