import { WebError } from '../failure.ts';
import { statusFailure } from '../fetching/status-failure.ts';
import type { Visit } from '../web/visit.ts';
import type { Workspace } from '../workspace.ts';
import { wayOf } from './failures.ts';
import { isMultipart, matches, parseContentRange, parseUnsatisfied } from './ranges.ts';

/** The part of a file that an earlier download received, and the facts that identify the same file. */
export interface ReceivedPart {
  readonly bytes: number;
  readonly validator: string;
  /** length of the whole file, if its server gave it */
  readonly total: number | undefined;
  /** the URL that it came from, by `originOf` */
  readonly origin: string;
}

/** A response with a file or the rest of it. */
export interface FileResponse {
  readonly visit: Visit;
  /** offset of its first byte in the file */
  readonly first: number;
  /** offset behind its last byte, if it is known */
  readonly end: number | undefined;
  /** length of the whole file, if it is known */
  readonly total: number | undefined;
  /** whether it has no bytes, because the file was already complete */
  readonly isWhole: boolean;
  /** why the part before could not be continued */
  readonly restarted?: string;
}

/** Requests a file with these header fields. */
export type Asking = (headers: Readonly<Record<string, string>>) => Promise<Visit>;

// ranges of an encoded body fit no other response
const WHOLE = { accept: '*/*', 'accept-encoding': 'identity' };
/** Bytes of an error response that are read for its text. */
const FAILURE_BYTES = 64 * 1024;

/**
 * Requests the rest of a file after the part that was received, or the whole file if there is no part or it is
 * outdated.
 */
export async function requestFile(
  workspace: Workspace,
  ask: Asking,
  before: ReceivedPart | undefined,
): Promise<FileResponse> {
  if (before !== undefined) {
    const visit = await ask({
      ...WHOLE,
      range: `bytes=${before.bytes}-`,
      'if-range': before.validator,
    });
    const rest = restOf(visit, before);
    if (typeof rest !== 'string') return rest;
    const isRest = visit.status === 206 || visit.status === 416;
    if (isRest) visit.discard();
    const whole = await wholeOf(workspace, isRest ? await ask(WHOLE) : visit);
    return { ...whole, restarted: rest };
  }
  return wholeOf(workspace, await ask(WHOLE));
}

/** Returns the URL of a response without its query, in which signed URLs of one file differ. */
export function originOf({ url }: Visit): string {
  return url.origin + url.pathname;
}

/** Returns the response as the rest of the file, or the reason why it is not. */
function restOf(visit: Visit, before: ReceivedPart): FileResponse | string {
  const { status, headers } = visit;
  if (status !== 206 && status !== 416) return 'the server sent the whole file';
  if (originOf(visit) !== before.origin) return 'the URL redirects elsewhere now';
  if (!matches(headers, before.validator)) return 'the server does not confirm that it is the same file';
  return status === 416 ? endOf(visit, before) : partOf(visit, before);
}

function endOf(visit: Visit, { bytes, total = bytes }: ReceivedPart): FileResponse | string {
  if (total !== bytes || parseUnsatisfied(visit.headers['content-range']) !== bytes)
    return 'the server has no such range of the file';
  return { visit, first: bytes, end: bytes, total, isWhole: true };
}

function partOf(visit: Visit, { bytes, total: known }: ReceivedPart): FileResponse | string {
  const range = isMultipart(visit.headers) ? undefined : parseContentRange(visit.headers['content-range']);
  if (range?.first !== bytes) return 'the server sent another range of the file';
  const total = range.total ?? known;
  // without a length, a part that may end anywhere would count as the whole file
  if (total === undefined) return 'the server does not send the length of the file';
  if ((known ?? total) !== total || range.last >= total) return 'the file has another length';
  return { visit, first: bytes, end: range.last + 1, total, isWhole: false };
}

async function wholeOf(workspace: Workspace, visit: Visit): Promise<FileResponse> {
  const { status, length } = visit;
  if (status === 200 || status === 203)
    return { visit, first: 0, end: length, total: length, isWhole: false };
  throw status >= 400 ? await refusal(workspace, visit) : notFile(visit);
}

async function refusal({ engine }: Workspace, visit: Visit): Promise<WebError> {
  const { status, headers, url } = visit;
  const way = wayOf(visit);
  const reading = await readStart(visit).then((bytes) =>
    engine.readers.read({ bytes, contentType: headers['content-type'], url: url.href, want: 'article' }),
  );
  return statusFailure({ status, headers, text: reading.text, way });
}

async function readStart({ body }: Visit): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes >= FAILURE_BYTES) break;
  }
  return Buffer.concat(pieces);
}

function notFile(visit: Visit): WebError {
  visit.discard();
  const { location } = visit.headers;
  const leads = visit.status >= 300 && location !== undefined;
  return new WebError(`the server responds with status ${visit.status}, which has no file`, {
    code: 'http-status',
    hint: leads ? `it redirects to ${location.slice(0, 500)}; download that URL if it is wanted` : undefined,
    ...wayOf(visit),
  });
}
