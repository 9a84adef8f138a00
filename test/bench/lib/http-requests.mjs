/**
 * A message to post, without its id.
 * @typedef {{ method: string, params?: Record<string, unknown> }} Message
 */

/**
 * Returns the text of an HTTP request before and after the id of its message.
 * @typedef {(id: number) => string} Request
 */

// ids have the same width, so that all requests of a kind have the same length
const FIRST_ID = 1_000_000;
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '0.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const introduction = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'bench', version: '0.0.0' },
};

/**
 * @param {number} port
 * @param {Message} message
 * @returns {Request}
 */
export function statelessRequest(port, { method, params = {} }) {
  const named = typeof params.name === 'string' ? [`Mcp-Name: ${params.name}`] : [];
  const headers = ['MCP-Protocol-Version: 2026-07-28', `Mcp-Method: ${method}`, ...named];
  return post(port, headers, { method, params: { ...params, _meta: meta } });
}

/**
 * @param {number} port
 * @param {string} session
 * @param {Message} message
 * @returns {Request}
 */
export function sessionRequest(port, session, { method, params = {} }) {
  return post(port, sessionHeaders(session), { method, params });
}

/**
 * Returns the request that opens a session.
 * @param {number} port
 * @returns {Request}
 */
export function initializeRequest(port) {
  return post(port, [], { method: 'initialize', params: introduction });
}

/**
 * Returns the text of the notification after it.
 * @param {number} port
 * @param {string} session
 */
export function initializedText(port, session) {
  const body = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
  return `${head(port, 'POST', [...sessionHeaders(session), ...json, `Content-Length: ${body.length}`])}${body}`;
}

/**
 * Returns the text of the request for the stream of a session.
 * @param {number} port
 * @param {string} session
 */
export function streamText(port, session) {
  return head(port, 'GET', [...sessionHeaders(session), 'Accept: text/event-stream']);
}

const json = ['Content-Type: application/json', 'Accept: application/json, text/event-stream'];

/** @param {string} session */
function sessionHeaders(session) {
  return [`Mcp-Session-Id: ${session}`, 'MCP-Protocol-Version: 2025-11-25'];
}

/**
 * @param {number} port
 * @param {readonly string[]} headers
 * @param {Message} message
 * @returns {Request}
 */
function post(port, headers, message) {
  const rest = JSON.stringify(message).slice(1);
  const start = '{"jsonrpc":"2.0","id":';
  const length = start.length + String(FIRST_ID).length + 1 + rest.length;
  const before = `${head(port, 'POST', [...headers, ...json, `Content-Length: ${length}`])}${start}`;
  return (id) => `${before}${FIRST_ID + id},${rest}`;
}

/**
 * @param {number} port
 * @param {'GET' | 'POST'} method
 * @param {readonly string[]} headers
 */
function head(port, method, headers) {
  return `${method} /mcp HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${headers.join('\r\n')}\r\n\r\n`;
}
