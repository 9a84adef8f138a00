import { createHash } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES } from 'node:http';

/** The subprotocol that client and server negotiate. */
export const SUBPROTOCOL = 'mcp';
export const VERSION = '13';
/** Source: RFC 6455 section 1.3 */
const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
/** 16 bytes in base64 */
const KEY = /^[A-Za-z0-9+/]{21}[AQgw]==$/;

/** The HTTP response to a refused upgrade. */
export interface Refused {
  status: number;
  /** one line */
  message: string;
  headers?: Readonly<Record<string, string>>;
}

/** Returns the refusal of an invalid upgrade request, or undefined. */
export function faultOf(request: IncomingMessage): Refused | undefined {
  const { headers, method, httpVersion } = request;
  if (method !== 'GET' || httpVersion !== '1.1') return bad('an upgrade must be a GET of HTTP/1.1');
  if (headers.upgrade?.toLowerCase() !== 'websocket') return bad('Upgrade must be websocket');
  // the bytes of a body would be parsed as frames
  if (Number(headers['content-length'] ?? 0) !== 0 || headers['transfer-encoding'] !== undefined) {
    return bad('an upgrade must have no body');
  }
  if (headers['sec-websocket-version'] !== VERSION) {
    const message = `Sec-WebSocket-Version must be ${VERSION}`;
    return { status: 426, message, headers: { 'Sec-WebSocket-Version': VERSION } };
  }
  if (!KEY.test(headers['sec-websocket-key'] ?? ''))
    return bad('Sec-WebSocket-Key must be 16 bytes in base64');
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  return offered.includes(SUBPROTOCOL) ? undefined : bad(`offer the subprotocol ${SUBPROTOCOL}`);
}

/** Returns the Sec-WebSocket-Accept of a key. */
export function acceptOf(key: string): string {
  return createHash('sha1').update(key).update(GUID).digest('base64');
}

/** Returns the response headers for a valid upgrade request. */
export function acceptance(request: IncomingMessage): string {
  const key = request.headers['sec-websocket-key'] ?? '';
  return headOf(101, {
    Upgrade: 'websocket',
    Connection: 'Upgrade',
    'Sec-WebSocket-Accept': acceptOf(key),
    'Sec-WebSocket-Protocol': SUBPROTOCOL,
  });
}

/** Returns a whole HTTP response. */
export function refusal({ status, message, headers = {} }: Refused): string {
  const body = `${message}\n`;
  const head = headOf(status, {
    ...headers,
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  });
  return head + body;
}

function bad(message: string): Refused {
  return { status: 400, message };
}

function headOf(status: number, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${oneLine(value)}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', ''].join('\r\n');
}

/** Returns a value on one line; a line end would start another header. */
function oneLine(value: string): string {
  return value.replaceAll(/[\r\n\0]+/g, ' ');
}
