// The lower bound: the same answers in minimal Node code, without validation or cancellation, for the requests of the
// benchmark only.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { listen } from './announce.mjs';
import { schemaOf, tools } from './tools.mjs';

const INFO = '{"name":"bench","version":"1.0.0"}';
const STAMP = `"_meta":{"io.modelcontextprotocol/serverInfo":${INFO}}`;
const TOOLS = JSON.stringify(
  tools.map(({ name, title, description, input, output }) => ({
    name,
    title,
    description,
    inputSchema: schemaOf(input),
    outputSchema: schemaOf(output),
  })),
);
const ACKNOWLEDGED =
  '{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{}}}';

/** @type {Map<string, import('node:http').ServerResponse | undefined>} */
const sessions = new Map();

/** @type {Record<string, (params: any) => string>} */
const handshake = {
  initialize: ({ protocolVersion }) =>
    `{"protocolVersion":${JSON.stringify(protocolVersion)},"capabilities":{"tools":{}},"serverInfo":${INFO}}`,
  'tools/list': () => `{"tools":${TOOLS}}`,
  'tools/call': ({ arguments: { a, b } }) => `{${added(a + b)}}`,
};

/** @type {Record<string, (params: any) => string>} */
const stateless = {
  'tools/list': () =>
    `{"tools":${TOOLS},"resultType":"complete","ttlMs":60000,"cacheScope":"private",${STAMP}}`,
  'tools/call': ({ arguments: { a, b } }) => `{"resultType":"complete",${added(a + b)},${STAMP}}`,
};

if (process.argv[2] === 'stdio') serveStdio();
else listen(createServer(serveHttp));

/** @param {number} sum */
function added(sum) {
  return `"content":[{"type":"text","text":"{\\"sum\\":${sum}}"}],"structuredContent":{"sum":${sum}}`;
}

/**
 * @param {{ id: number, method: string, params: any }} message
 * @returns {string}
 */
function answer({ id, method, params }) {
  const serve = params._meta === undefined ? handshake[method] : stateless[method];
  return `{"jsonrpc":"2.0","id":${id},"result":${serve?.(params)}}`;
}

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
function serveHttp(request, response) {
  if (request.method === 'GET') {
    sessions.set(String(request.headers['mcp-session-id']), response);
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.flushHeaders();
    return;
  }
  /** @type {Buffer[]} */
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const message = JSON.parse(chunks.length === 1 ? String(chunks[0]) : Buffer.concat(chunks).toString());
    if (message.method === 'subscriptions/listen') {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write(`data: ${ACKNOWLEDGED}\n\n`);
      return;
    }
    /** @type {Record<string, string | number>} */
    const headers = { 'Content-Type': 'application/json' };
    if (message.method === 'initialize') {
      const id = randomUUID();
      sessions.set(id, undefined);
      headers['Mcp-Session-Id'] = id;
    }
    if (message.id === undefined) {
      response.writeHead(202, headers);
      response.end();
      return;
    }
    const text = answer(message);
    headers['Content-Length'] = Buffer.byteLength(text);
    response.writeHead(200, headers);
    response.end(text);
  });
}

function serveStdio() {
  let rest = '';
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    let replies = '';
    for (const line of lines) {
      const message = JSON.parse(line);
      if (message.id !== undefined) replies += `${answer(message)}\n`;
    }
    if (replies !== '') process.stdout.write(replies);
  });
  process.stdin.on('end', () => process.exit(0));
}
