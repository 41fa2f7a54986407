import HTTPCodec
import Identity

/// The page that shows an API and calls it.
///
/// It holds nothing of the API itself: its script reads `/openapi.json` and puts what it says into the
/// page as text, never as HTML. The page's policy lets only this script and this style run, and
/// connects nowhere else.
enum DocumentationPage {
    static var html: String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>API</title>
        <style>\(style)</style>
        </head>
        <body>
        <header><h1></h1><p></p>
        <label>Bearer token <input id="token" type="password" autocomplete="off"></label></header>
        <main></main>
        <script>\(script)</script>
        </body>
        </html>

        """
    }

    static var fields: [(name: String, value: String)] {
        let policy =
            "default-src 'none'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
            + "frame-ancestors 'none'; style-src \(hash(style)); script-src \(hash(script))"
        return [
            ("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-cache"),
            ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"),
        ]
    }

    /// A source of a policy (CSP 3, 2.3.1, which takes the alphabet of URLs, too).
    static func hash(_ text: String) -> String {
        let digest = Array(text.utf8).withUnsafeBufferPointer { Digest.sha256($0) }
        return "'sha256-\(Base64URL.encode(digest))='"
    }

    static let style = """
        :root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
        body{max-width:60rem;margin:0 auto;padding:1rem}
        details{border:1px solid #8886;border-radius:.5rem;margin:.5rem 0;padding:.5rem .75rem}
        summary{cursor:pointer}summary b{font-family:monospace;margin-right:.75rem}
        summary .deprecated{text-decoration:line-through}
        pre{overflow:auto;background:#8881;padding:.5rem;border-radius:.25rem;max-height:24rem}
        label{display:block;margin:.4rem 0}label small{opacity:.7;margin-left:.5rem}
        input,textarea,select{font:inherit;width:100%;box-sizing:border-box;padding:.25rem}
        textarea{font-family:monospace;min-height:6rem}button{font:inherit;padding:.25rem 1rem}
        """

    static let script = #"""
        "use strict";
        const make = (name, text, parent) => {
          const node = document.createElement(name);
          if (text !== undefined) node.textContent = text;
          if (parent) parent.append(node);
          return node;
        };
        const resolve = (api, schema) => schema && schema.$ref
          ? api.components.schemas[schema.$ref.split("/").pop().replace(/~1/g, "/").replace(/~0/g, "~")] : schema || {};
        const example = (api, given, depth) => {
          const schema = resolve(api, given) || {};
          if (schema.examples) return schema.examples[0];
          if (schema.default !== undefined) return schema.default;
          if (schema.enum) return schema.enum[0];
          if (schema.anyOf) return example(api, schema.anyOf[0], depth);
          if (depth > 6) return null;
          switch ([].concat(schema.type)[0]) {
            case "object": return Object.fromEntries(Object.entries(schema.properties || {})
              .map(([name, member]) => [name, example(api, member, depth + 1)]));
            case "array": return [example(api, schema.items, depth + 1)];
            case "integer": case "number": return Math.max(schema.minimum || 0, 0);
            case "boolean": return false;
            case "string": return schema.format === "date-time" ? "2026-01-31T12:00:00Z" : "";
            default: return null;
          }
        };
        const show = (api, title, value, parent) => {
          const details = make("details", undefined, parent);
          make("summary", title, details);
          make("pre", JSON.stringify(value, null, 2), details);
        };
        const send = async (path, method, fields, body, output) => {
          output.replaceChildren();
          const stop = new AbortController();
          const button = make("button", "Stop", output);
          button.type = "button";
          button.onclick = () => stop.abort();
          const shown = make("pre", method.toUpperCase() + " " + path + "\n", output);
          try {
            const token = document.getElementById("token").value;
            if (token) fields["Authorization"] = "Bearer " + token;
            const response = await fetch(path, { method, headers: fields, body, signal: stop.signal });
            shown.append(response.status + " " + response.statusText + "\n");
            for (const [name, value] of response.headers) shown.append(name + ": " + value + "\n");
            shown.append("\n");
            const reader = response.body ? response.body.pipeThrough(new TextDecoderStream()).getReader() : null;
            let size = 0;
            while (reader && size < 1000000) {
              const { done, value } = await reader.read();
              if (done) break;
              size += value.length;
              shown.append(value);
            }
          } catch (error) { shown.append(String(error)); }
          button.remove();
        };
        const field = (api, parameter, form) => {
          const label = make("label", parameter.name, form);
          make("small", parameter.in + (parameter.required ? ", required" : "") +
            (parameter.description ? ": " + parameter.description : ""), label);
          const schema = resolve(api, parameter.schema);
          const choice = schema.enum || ([].concat(schema.type).includes("boolean") ? [true, false] : null);
          const input = make(choice ? "select" : "input", undefined, label);
          if (choice) for (const value of ["", ...choice]) make("option", String(value), input);
          const value = schema.examples ? schema.examples[0] : schema.default;
          if (value !== undefined) input.value = String(value);
          return { parameter, input };
        };
        const operation = (api, path, method, about) => {
          const details = make("details", undefined, document.querySelector("main"));
          details.id = about.operationId;
          const summary = make("summary", undefined, details);
          make("b", method.toUpperCase() + " " + path, summary);
          make("span", about.summary || about.operationId, summary).className = about.deprecated ? "deprecated" : "";
          if (about.description) make("p", about.description, details);
          if (about.security) make("p", "Needs a token with: " + about.security.map(
            (each) => Object.values(each).flat().join(", ") || "any scope").join("; "), details);
          const form = make("form", undefined, details);
          const fields = (about.parameters || []).map((parameter) => field(api, parameter, form));
          const content = about.requestBody ? about.requestBody.content : {};
          const type = Object.keys(content)[0];
          let text;
          if (type) {
            text = make("textarea", undefined, make("label", "body: " + type, form));
            text.value = type === "application/json" ? JSON.stringify(example(api, content[type].schema, 0), null, 2) : "";
            show(api, "The body's schema", content[type].schema, form);
          }
          make("button", "Send", form);
          const output = make("div", undefined, details);
          form.onsubmit = (event) => {
            event.preventDefault();
            let target = path;
            const query = new URLSearchParams(), headers = {};
            for (const { parameter, input } of fields) {
              const value = input.value;
              if (parameter.in === "path") target = target.replace("{" + parameter.name + "}", encodeURIComponent(value));
              else if (value === "") continue;
              else if (parameter.in === "header") headers[parameter.name] = value;
              else for (const item of resolve(api, parameter.schema).type === "array" ? value.split(",") : [value])
                query.append(parameter.name, item);
            }
            if (text && text.value && type) headers["Content-Type"] = type === "*/*" ? "application/octet-stream" : type;
            send(target + (query.size ? "?" + query : ""), method.toUpperCase(), headers,
              text && text.value ? text.value : undefined, output);
          };
          show(api, "Answers", about.responses, details);
        };
        fetch("/openapi.json").then((response) => response.json()).then((api) => {
          document.title = api.info.title;
          document.querySelector("h1").textContent = api.info.title + " " + api.info.version;
          document.querySelector("header p").textContent = api.info.description || "";
          for (const [path, item] of Object.entries(api.paths))
            for (const [method, about] of Object.entries(item)) operation(api, path, method, about);
          const main = document.querySelector("main");
          make("h2", "Types", main);
          for (const [name, schema] of Object.entries(api.components.schemas)) show(api, name, schema, main);
        }).catch((error) => make("p", String(error), document.querySelector("main")));
        """#
}
