// node peer.mjs PORT FILE [h2c]: Node's own http, or its http2 over cleartext.
import { readFileSync } from "node:fs";
import http from "node:http";
import http2 from "node:http2";

const [port, file, mode] = process.argv.slice(2);
const behaviors = readFileSync(file);
const photos = new Map();

/** Counts a like in memory: in all, and of each user. */
function add(like, id) {
  let photo = photos.get(id);
  if (!photo) photos.set(id, (photo = { likes: 0, byUser: new Map() }));
  photo.likes += 1;
  photo.byUser.set(like.user, (photo.byUser.get(like.user) ?? 0) + 1);
  return { likes: photo.likes, photo: id };
}

function answer(response, status, body) {
  response.writeHead(status, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) });
  response.end(body);
}

function handle(request, response) {
  if (request.method === "GET" && request.url === "/behaviors.json") return answer(response, 200, behaviors);
  const match = request.method === "POST" && /^\/photos\/(\d+)\/like$/.exec(request.url);
  if (!match) return answer(response, 404, "{}");
  let body = "";
  request.setEncoding("utf8");
  request.on("data", (piece) => (body += piece));
  request.on("end", () => {
    try {
      answer(response, 200, JSON.stringify(add(JSON.parse(body), Number(match[1]))));
    } catch {
      answer(response, 400, "{}");
    }
  });
}

const server = mode === "h2c" ? http2.createServer(handle) : http.createServer({ keepAliveTimeout: 60_000 }, handle);
server.listen({ port: Number(port), host: "127.0.0.1", backlog: 4096 });
