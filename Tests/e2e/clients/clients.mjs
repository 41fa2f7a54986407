// Node's clients: http, http2 and fetch. Prints a JSON object of their outcomes.
//
//     node clients.mjs URL AUTHORITY        (fetch reads the authority from NODE_EXTRA_CA_CERTS)
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import http from "node:http";
import http2 from "node:http2";
import https from "node:https";
import { once } from "node:events";
import { Readable } from "node:stream";

const [url, authority] = process.argv.slice(2);
const ca = readFileSync(authority);

function* body() {
  yield '{"title":"Mir"';
  for (let count = 0; count < 60; count++) yield " ".repeat(10_000);
  yield "}";
}

async function digest(source) {
  const total = createHash("sha256");
  for await (const piece of source) total.update(piece);
  return total.digest("hex");
}

async function firstLine(source) {
  let text = "";
  for await (const piece of source) {
    text += Buffer.from(piece).toString();
    if (text.includes("\n")) return text.split("\n")[0];
  }
  return text;
}

// `send` returns the status, the body and the protocol's version.
async function outcome(send) {
  const got = await send("GET", "/large", {});
  const whole = await digest(got.body);
  const part = await send("GET", "/large", { range: "bytes=1000-1999" });
  const partDigest = await digest(part.body);
  const posted = await send("POST", "/photos", { "content-type": "application/json" }, body());
  await digest(posted.body);
  const stream = await send("GET", "/photos/42/likes", {});
  const streamed = (await firstLine(stream.body)).includes("likes");
  return { whole, part: [part.status, partDigest], posted: posted.status, streamed, version: got.version };
}

async function withHTTP() {
  const { request, Agent } = url.startsWith("https:") ? https : http;
  const agent = new Agent({ keepAlive: true, ca });
  const result = await outcome(async (method, path, headers, pieces) => {
    const sent = request(url + path, { method, headers, agent });
    if (pieces) Readable.from(pieces).pipe(sent);
    else sent.end();
    const [answer] = await once(sent, "response");
    return { status: answer.statusCode, body: answer, version: answer.httpVersion };
  });
  agent.destroy();
  return result;
}

async function withHTTP2() {
  const session = http2.connect(url, { ca });
  const result = await outcome(async (method, path, headers, pieces) => {
    const stream = session.request({ ":method": method, ":path": path, ...headers }, { endStream: !pieces });
    if (pieces) Readable.from(pieces).pipe(stream);
    const [fields] = await once(stream, "response");
    return { status: fields[":status"], body: stream, version: "2" };
  });
  session.destroy();
  return result;
}

async function withFetch() {
  return outcome(async (method, path, headers, pieces) => {
    const options = pieces ? { body: Readable.from(Array.from(pieces, piece => Buffer.from(piece))), duplex: "half" } : {};
    const answer = await fetch(url + path, { method, headers, ...options });
    return { status: answer.status, body: answer.body, version: "1.1" };
  });
}

const outcomes = {};
for (const [name, client] of [["http", withHTTP], ["http2", withHTTP2], ["fetch", withFetch]]) {
  try {
    outcomes[name] = await client();
  } catch (error) {
    outcomes[name] = String(error.cause ?? error);
  }
}
console.log(JSON.stringify(outcomes));
process.exit(0);
