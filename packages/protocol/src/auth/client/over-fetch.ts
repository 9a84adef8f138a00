import type { HttpReply, HttpRequest } from './net.ts';

/** Sends a request over a `fetch` that the caller has given; redirects are the caller's to follow. */
export async function sendOverFetch(
  own: typeof fetch,
  { url, method, headers, body, signal }: HttpRequest,
): Promise<HttpReply> {
  const init = { method, headers, redirect: 'manual', signal } as const;
  const response = await own(url, body === undefined ? init : { ...init, body });
  return {
    status: response.status,
    header: (name) => response.headers.get(name) ?? undefined,
    // a fetch gives bytes, whatever the type of its stream allows
    chunks: (response.body as AsyncIterable<Uint8Array> | null) ?? [],
    cancel: () => response.body?.cancel(),
  };
}
