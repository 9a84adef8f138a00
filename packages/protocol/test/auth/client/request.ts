import type { ClientAuth } from '../../../src/auth.ts';

export interface Outcome {
  readonly status: number;
  readonly body: string;
  /** the number of times that the request was sent */
  readonly times: number;
}

/** Sends one operation as a transport does: with credentials, and again as long as they require it. */
export async function request(
  auth: ClientAuth,
  url: string,
  operation = 'list',
  { revision, send = fetch }: { revision?: string; send?: typeof fetch } = {},
): Promise<Outcome> {
  for (let times = 1; ; times += 1) {
    const sent = await auth.headers({ method: 'POST', url: new URL(url) });
    const response = await send(url, { method: 'POST', headers: sent, body: operation });
    const body = await response.text();
    const header = (name: string): string | undefined => response.headers.get(name) ?? undefined;
    const { status } = response;
    const refused = [400, 401, 403].includes(status);
    const again =
      refused && (await auth.challenged({ status, url: new URL(url), header, revision, sent }, times));
    if (!again) return { status, body, times };
  }
}
