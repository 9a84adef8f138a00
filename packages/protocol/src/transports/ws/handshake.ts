import { createHash } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES } from 'node:http';

/** What both sides say that they talk over a WebSocket. */
export const SUBPROTOCOL = 'mcp';
export const VERSION = '13';
/** Source: RFC 6455 section 1.3 */
const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
/** 16 bytes in base64 */
const KEY = /^[A-Za-z0-9+/]{21}[AQgw]==$/;

/** An answer to an upgrade that is not made. */
export interface Refused {
  status: number;
  /** one line */
  message: string;
  headers?: Readonly<Record<string, string>>;
}

/** What is wrong with a request for an upgrade, or undefined when it can be answered. */
export function faultOf(request: IncomingMessage): Refused | undefined {
  const { headers, method, httpVersion } = request;
  if (method !== 'GET' || httpVersion !== '1.1') return bad('an upgrade is a GET of HTTP/1.1');
  if (headers.upgrade?.toLowerCase() !== 'websocket') return bad('Upgrade must be websocket');
  // bytes of a body would be taken for frames
  if (Number(headers['content-length'] ?? 0) !== 0 || headers['transfer-encoding'] !== undefined) {
    return bad('an upgrade has no body');
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

/** The proof that a key was read. */
export function acceptOf(key: string): string {
  return createHash('sha1').update(key).update(GUID).digest('base64');
}

/** The head of the answer to a request that `faultOf` finds no fault with. */
export function acceptance(request: IncomingMessage): string {
  const key = request.headers['sec-websocket-key'] ?? '';
  return headOf(101, {
    Upgrade: 'websocket',
    Connection: 'Upgrade',
    'Sec-WebSocket-Accept': acceptOf(key),
    'Sec-WebSocket-Protocol': SUBPROTOCOL,
  });
}

/** A whole HTTP response. */
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

/** A line end in a value would begin another header. */
function oneLine(value: string): string {
  return value.replaceAll(/[\r\n\0]+/g, ' ');
}
