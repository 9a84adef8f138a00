import { pipeline, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { WebError } from '../failure.ts';

type Pieces = AsyncIterable<Uint8Array>;

const CHAINED = 5;
const chunkSize = 32 * 1024;
/** values that some servers send for unencoded content */
const plain = new Set(['', 'identity', 'none', 'utf-8', 'utf8', 'binary']);

// not zstd: Node 22's decoder reports no error for a truncated body, and ignores frames after the first
const decoders: Readonly<Record<string, (first: Uint8Array) => Transform>> = {
  gzip: () => createGunzip({ chunkSize }),
  'x-gzip': () => createGunzip({ chunkSize }),
  // some servers omit the zlib header
  deflate: ([byte = 0]) =>
    (byte & 0x0f) === 8 ? createInflate({ chunkSize }) : createInflateRaw({ chunkSize }),
  br: () => createBrotliDecompress({ chunkSize }),
};

/** The value of Accept-Encoding. */
export const acceptedCodings = 'gzip, deflate, br';

/** Parses the codings of a Content-Encoding field in the order of application, without those that change nothing. */
export function parseCodings(field: string): string[] {
  const codings = field
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => !plain.has(coding));
  if (codings.length > CHAINED)
    throw unreadable(`the response has ${codings.length} content codings; the limit is ${CHAINED}`);
  const unknown = codings.find((coding) => !Object.hasOwn(decoders, coding));
  if (unknown !== undefined)
    throw unreadable(`the response has an unknown content coding, ${unknown.slice(0, 40)}`);
  return codings;
}

/** Yields the pieces with their codings undone, with backpressure. */
export function decode(pieces: Pieces, codings: readonly string[]): Pieces {
  return codings.reduceRight<Pieces>(undo, pieces);
}

/** Returns the failure for a decoder's error; undefined for other errors. */
export function toCodingError(error: unknown): WebError | undefined {
  if (
    error instanceof WebError ||
    !(error instanceof Error) ||
    !('code' in error) ||
    typeof error.code !== 'string'
  )
    return undefined;
  if (error.code === 'Z_BUF_ERROR')
    return new WebError('the encoded response is truncated', {
      code: 'connection-cut',
      retryable: true,
      hint: 'try again; the response was incomplete',
    });
  if (/^Z_|BROTLI|^ERR_(?:_|PADDING|FORMAT)/i.test(error.code))
    return unreadable('the response does not match its Content-Encoding');
  return undefined;
}

async function* undo(pieces: Pieces, coding: string): AsyncGenerator<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]();
  let first = await iterator.next();
  while (first.done !== true && first.value.length === 0) first = await iterator.next();
  if (first.done === true) return;
  const decoder = decoders[coding]!(first.value);
  // the loop below throws the error as well
  pipeline(startingWith(first.value, iterator), decoder, () => {});
  yield* decoder as AsyncIterable<Uint8Array>; // zlib streams yield Buffers
}

async function* startingWith(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  yield* { [Symbol.asyncIterator]: () => rest };
}

function unreadable(message: string): WebError {
  return new WebError(message, { code: 'invalid-response', hint: 'this is an error of the web server' });
}
