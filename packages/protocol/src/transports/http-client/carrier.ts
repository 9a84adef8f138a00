import type { JsonText } from '../../jsonrpc/message.ts';

/** Header fields by lower-case name. */
export type Fields = Readonly<Record<string, string>>;

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: URL;
  readonly fields: Fields;
  readonly body: JsonText | undefined;
  readonly signal: AbortSignal;
  /** true if it must not reach the server twice, even if the first attempt seems to have failed */
  readonly once: boolean;
}

export interface HttpResponse {
  readonly status: number;
  /** returns a header by its lower-case name */
  header(name: string): string | undefined;
  /** the body; iteration fails if the body is incomplete */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** closes the connection if there is more of the body */
  cancel(): void;
}

/** Sends HTTP requests; rejects with ConnectionError or AnswerLostError. */
export interface Carrier {
  send(request: HttpRequest): Promise<HttpResponse>;
  /** Closes idle connections. */
  close(): void;
}

/** The maximum size and time for reading an unused body to the end, so that its connection can be reused. */
const RELEASE_BYTES = 64 * 1024;
export const RELEASE_MS = 1000;

/** Discards a response; the connection of a short one can be reused. */
export async function release(response: HttpResponse): Promise<void> {
  const timer = setTimeout(() => response.cancel(), RELEASE_MS);
  let left = RELEASE_BYTES;
  try {
    for await (const { length } of response.chunks) {
      left -= length;
      // leaving the loop closes the connection
      if (left < 0) break;
    }
  } catch {
    // an incomplete body does not matter
  } finally {
    clearTimeout(timer);
  }
}

export function isOk({ status }: HttpResponse): boolean {
  return status >= 200 && status < 300;
}

/** Returns the media type of a response in lower case, without parameters. */
export function mediaType(response: HttpResponse): string | undefined {
  return response.header('content-type')?.split(';')[0]?.trim().toLowerCase();
}

export function isEventStream(response: HttpResponse): boolean {
  return isOk(response) && mediaType(response) === 'text/event-stream';
}
