import type { JsonText } from '../../jsonrpc/message.ts';
import type { Carrier, HttpRequest, HttpResponse } from './carrier.ts';
import { brokenBy, unreachableBy } from './node-carrier.ts';

/** Error codes of connections that were never established. */
const unreached = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

/** Sends requests with the caller's `fetch`. */
export class FetchCarrier implements Carrier {
  readonly #fetch: typeof fetch;

  constructor(own: typeof fetch) {
    this.#fetch = own;
  }

  async send({ method, url, fields, body, signal }: HttpRequest): Promise<HttpResponse> {
    try {
      return responseOf(
        await this.#fetch(url, {
          method,
          headers: fields,
          redirect: 'manual',
          signal,
          ...(body !== undefined && { body: textOf(body) }),
        }),
      );
    } catch (error) {
      if (signal.aborted || !(error instanceof Error)) throw error;
      // the built-in fetch puts the system error into the cause
      const cause: NodeJS.ErrnoException = error.cause instanceof Error ? error.cause : error;
      throw unreached.has(cause.code ?? '') ? unreachableBy(cause) : brokenBy(cause);
    }
  }

  close(): void {
    // the fetch owns its connections
  }
}

function responseOf({ status, headers, body }: Response): HttpResponse {
  // fetch yields bytes, although its type is wider
  const reader = body?.getReader() as ReadableStreamDefaultReader<Uint8Array> | undefined;
  const cancel = (): void =>
    void reader?.cancel().catch(() => {
      // a failed stream needs no cancellation
    });
  return {
    status,
    header: (name) => headers.get(name) ?? undefined,
    chunks: reader === undefined ? nothing() : chunksOf(reader, cancel),
    cancel,
  };
}

async function* chunksOf(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  cancel: () => void,
): AsyncGenerator<Uint8Array> {
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    cancel();
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {
  // a response without a body
}

function textOf(body: JsonText): string {
  if (typeof body === 'string') return body;
  const decoder = new TextDecoder();
  return body.map((piece) => (typeof piece === 'string' ? piece : decoder.decode(piece))).join('');
}
