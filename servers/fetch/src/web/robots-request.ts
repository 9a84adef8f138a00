import { type FailureCode, WebError } from '../failure.ts';
import { ROBOTS_BYTES } from '../robots/robots.ts';
import { parseRetryAfter } from './header-fields.ts';
import type { RobotsAnswer } from './robots-files.ts';
import type { Visit, VisitRequest } from './visit.ts';

const DEADLINE_MS = 15_000;
/** codes of failures that concern the page as well as robots.txt */
const common = new Set<FailureCode>([
  'domain-refused',
  'address-refused',
  'name-not-found',
  'connect-failed',
  'tls-failed',
  'proxy-failed',
  'busy',
]);

/** Requests a robots.txt and returns what the response means for its site (RFC 9309, section 2.3.1). */
export async function askRobots(
  url: URL,
  signal: AbortSignal,
  send: (request: VisitRequest) => Promise<Visit>,
): Promise<RobotsAnswer> {
  const limits = { redirects: 5, wireBytes: Infinity, bodyBytes: Infinity, deadlineMs: DEADLINE_MS };
  try {
    const visit = await send({ url, identity: 'autonomous', redirects: 'follow', limits, signal });
    if (visit.status >= 200 && visit.status < 300) return { kind: 'rules', bytes: await readStart(visit) };
    visit.discard();
    if (visit.status < 500) return { kind: 'none' };
    const error = new WebError(`it responds with status ${visit.status}`, {
      code: 'http-status',
      status: visit.status,
      retryAfterMs: parseRetryAfter(visit.headers['retry-after']),
    });
    return { kind: 'unreachable', error, own: false };
  } catch (error) {
    if (!(error instanceof WebError)) throw error;
    const { code, way } = error;
    if (code === 'too-many-redirects' || code === 'redirect-loop') return { kind: 'none' };
    return { kind: 'unreachable', error, own: way.status === undefined && common.has(code) };
  }
}

/** Reads as much of a robots.txt as is parsed, and one byte more if there is one. */
async function readStart(visit: Visit): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of visit.body) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > ROBOTS_BYTES) break;
  }
  return Buffer.concat(pieces);
}
