export type Fetch = typeof globalThis.fetch;

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 1_048_576;

/**
 * Returns the JSON document at a URL; throws one line if it is missing, redirects, is slow, or is larger than
 * 1 MiB.
 */
export async function fetchJson(url: URL, fetch: Fetch = globalThis.fetch): Promise<unknown> {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel();
    throw new Error(`${url.href} responds with status ${response.status}`);
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) throw new Error(`${url.href} responds with more than 1 MiB`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch (cause) {
    throw new Error(`${url.href} does not respond with JSON`, { cause });
  }
}
