import { WebError } from '../failure.ts';
import { decode, parseCodings, toCodingError } from './content-codings.ts';
import { toWebError } from './failures.ts';
import type { Lifetime } from './lifetime.ts';

export interface BodyOptions {
  readonly wire: AsyncIterable<Uint8Array>;
  /** the Content-Encoding field */
  readonly encoding: string;
  /** whether the response declares where its body ends */
  readonly framed: boolean;
  readonly host: string;
  readonly bodyBytes: number;
  readonly lifetime: Lifetime;
  /** called once at the end, in any case */
  readonly done: () => void;
  /** maps an error to the one that is thrown */
  readonly tell: (error: unknown) => unknown;
}

/** Yields the decoded pieces of a body, up to a limit. */
export async function* readBody(options: BodyOptions): AsyncGenerator<Uint8Array, void, undefined> {
  const { wire, lifetime } = options;
  let bytes = 0;
  let empty = true;
  try {
    const codings = parseCodings(options.encoding);
    for await (const piece of codings.length === 0 ? wire : decode(wire, codings)) {
      lifetime.assertGoing();
      empty = false;
      bytes += piece.length;
      if (bytes > options.bodyBytes) throw tooLarge(options, codings.length > 0);
      yield piece;
    }
    if (empty && codings.length > 0 && !options.framed) throw cutShort(options.host);
  } catch (error) {
    throw options.tell(
      lifetime.over?.reason ?? toCodingError(error) ?? toWebError(error, options.host, true),
    );
  } finally {
    options.done();
  }
}

function tooLarge({ host, bodyBytes }: BodyOptions, encoded: boolean): WebError {
  const decoded = encoded ? ' after decoding' : '';
  const bytes = bodyBytes.toLocaleString('en');
  return new WebError(`the response of ${host} has more than ${bytes} bytes${decoded}, the limit`, {
    code: 'too-large',
    hint: 'save it with download, whose limit is larger',
  });
}

function cutShort(host: string): WebError {
  return new WebError(`${host} closed the connection before the response was complete`, {
    code: 'connection-cut',
    retryable: true,
    hint: 'try again; the response was incomplete',
  });
}
