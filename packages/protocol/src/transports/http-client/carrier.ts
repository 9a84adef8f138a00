import type { JsonText } from '../../jsonrpc/message.ts';

/** Header fields by lower-case name. */
export type Fields = Readonly<Record<string, string>>;

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: URL;
  readonly fields: Fields;
  readonly body: JsonText | undefined;
  readonly signal: AbortSignal;
  /** it must not come to the server twice, also when the first time may have been in vain */
  readonly once: boolean;
}

export interface HttpResponse {
  readonly status: number;
  /** the value of a header by its lower-case name */
  header(name: string): string | undefined;
  /** the body; iterating ends with an error when the body is not complete */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** breaks the connection if there is more of the body */
  cancel(): void;
}

/** Takes one HTTP request to a server and back; rejects with ConnectionError or AnswerLostError. */
export interface Carrier {
  send(request: HttpRequest): Promise<HttpResponse>;
  /** Lets go of connections that are kept. */
  close(): void;
}

/** How much of a body that nobody wants is read, and for how long, to keep its connection. */
const RELEASE_BYTES = 64 * 1024;
export const RELEASE_MS = 1000;

/** Lets go of a response whose body does not matter; the connection of a short one can be used again. */
export async function release(response: HttpResponse): Promise<void> {
  const timer = setTimeout(() => response.cancel(), RELEASE_MS);
  let left = RELEASE_BYTES;
  try {
    for await (const { length } of response.chunks) {
      left -= length;
      // leaving the loop breaks the connection
      if (left < 0) break;
    }
  } catch {
    // a body that nobody wants may break off
  } finally {
    clearTimeout(timer);
  }
}

export function isOk({ status }: HttpResponse): boolean {
  return status >= 200 && status < 300;
}

/** The media type of a response in lower case, without parameters. */
export function mediaType(response: HttpResponse): string | undefined {
  return response.header('content-type')?.split(';')[0]?.trim().toLowerCase();
}

export function isEventStream(response: HttpResponse): boolean {
  return isOk(response) && mediaType(response) === 'text/event-stream';
}
