import type { HttpReply, HttpRequest } from './net.ts';

/** Sends a request with the caller's `fetch`; redirects are not followed. */
export async function sendOverFetch(
  own: typeof fetch,
  { url, method, headers, body, signal }: HttpRequest,
): Promise<HttpReply> {
  const init = { method, headers, redirect: 'manual', signal } as const;
  const response = await own(url, body === undefined ? init : { ...init, body });
  return {
    status: response.status,
    header: (name) => response.headers.get(name) ?? undefined,
    // fetch yields bytes, although its type is wider
    chunks: (response.body as AsyncIterable<Uint8Array> | null) ?? [],
    cancel: () => response.body?.cancel(),
  };
}
