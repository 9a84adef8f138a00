import { WebError } from '../failure.ts';
import { statusFailure } from '../fetching/status-failure.ts';
import type { Visit } from '../web/visit.ts';
import type { Workspace } from '../workspace.ts';
import { wayOf } from './failures.ts';
import { matches, parseContentRange, parseUnsatisfied } from './ranges.ts';

/** What came before, and is the beginning of the whole where that is still what it was. */
export interface Before {
  readonly bytes: number;
  readonly validator: string;
}

/** An answer that brings a file, or the rest of it. */
export interface Arrival {
  readonly visit: Visit;
  /** the bytes before those that it brings */
  readonly first: number;
  /** of the whole, where that is known */
  readonly total: number | undefined;
  /** whether it brings nothing, since all is there */
  readonly isWhole: boolean;
}

/** Asks for a file with these header fields. */
export type Asking = (headers: Readonly<Record<string, string>>) => Promise<Visit>;

// encoded bytes have no ranges that another answer would fit
const WHOLE = { accept: '*/*', 'accept-encoding': 'identity' };
/** As much of an answer without the file as is read for its failure. */
const FAILURE_BYTES = 64 * 1024;

/** Asks for what follows on what came before, and for all where there is nothing before or it is out of date. */
export async function arrive(
  workspace: Workspace,
  ask: Asking,
  before: Before | undefined,
): Promise<Arrival> {
  if (before !== undefined) {
    const visit = await ask({
      ...WHOLE,
      range: `bytes=${before.bytes}-`,
      'if-range': before.validator,
    });
    const rest = restOf(visit, before);
    if (rest !== undefined) return rest;
    if (visit.status !== 206 && visit.status !== 416) return wholeOf(workspace, visit);
    visit.discard();
  }
  return wholeOf(workspace, await ask(WHOLE));
}

function restOf(visit: Visit, { bytes, validator }: Before): Arrival | undefined {
  const { status, headers } = visit;
  if (!matches(headers, validator)) return undefined;
  const field = headers['content-range'];
  if (status === 416 && parseUnsatisfied(field) === bytes)
    return { visit, first: bytes, total: bytes, isWhole: true };
  const range = status === 206 ? parseContentRange(field) : undefined;
  return range?.first === bytes
    ? { visit, first: bytes, total: range.total ?? range.last + 1, isWhole: false }
    : undefined;
}

async function wholeOf(workspace: Workspace, visit: Visit): Promise<Arrival> {
  const { status, length } = visit;
  if (status === 200 || status === 203) return { visit, first: 0, total: length, isWhole: false };
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
  return new WebError(`the server answers ${visit.status}, which brings no file`, {
    code: 'http-status',
    hint: leads ? `it leads to ${location.slice(0, 500)}; download that address if it is wanted` : undefined,
    ...wayOf(visit),
  });
}
