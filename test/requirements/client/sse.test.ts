import { connect, http, sse } from '@rootbound/protocol/client';
import { expect, onTestFinished } from 'vitest';
import type { LedgerRevision } from '../ledger.ts';
import { between } from '../revisions.ts';
import { type Asked, type Web, web } from './web.ts';
import { over } from './world.ts';

const hello = {
  protocolVersion: '2024-11-05',
  capabilities: { tools: {} },
  serverInfo: { name: 'old', version: '1' },
};

/** Creates a server with HTTP+SSE only, which refuses other requests with a status. */
function old(
  revision: LedgerRevision,
  refusal: (asked: Asked) => void = (asked) => asked.send(405),
): Promise<Web> {
  let stream: Asked | undefined;
  return web(revision, {
    play: (asked) => {
      if (asked.method === 'GET') {
        stream = asked.stream(`event: endpoint\ndata: /messages?id=7\n\n`);
        return false;
      }
      if (asked.url.pathname !== '/messages') {
        refusal(asked);
        return false;
      }
      asked.send(202);
      const { id, method } = asked.message;
      if (method === 'initialize') stream?.event({ id, result: hello });
      else if (id !== undefined) stream?.event({ id, result: { tools: [] } });
      return false;
    },
  });
}

over(
  ['2024-11-05'],
  'messages are posted to the endpoint of the stream, and responses arrive on the stream',
  async ({ proves, revision }) => {
    const site = await old(revision);
    const client = await connect(sse(site.url), { name: 'tester', version: '1' });
    const tools = await client.listTools();
    await client.close();
    const [get, ...posts] = site.asked;
    proves('2024-11-05/transport-sse-legacy/client-receives-messages-over-sse', () =>
      expect([get?.method, get?.headers.accept?.includes('text/event-stream'), tools]).toEqual([
        'GET',
        true,
        [],
      ]),
    );
    proves('2024-11-05/transport-sse-legacy/client-posts-to-announced-endpoint', () =>
      expect(new Set(posts.map(({ method, url }) => `${method} ${url.pathname}${url.search}`))).toEqual(
        new Set(['POST /messages?id=7']),
      ),
    );
    await get?.over;
    proves('2024-11-05/transport-sse-legacy/closing-connections-is-shutdown', () =>
      expect(get?.response.closed).toBe(true),
    );
  },
);

over(
  between('2025-03-26'),
  'the URL of either transport is accepted',
  async ({ proves, revision, stateless: modern }) => {
    const faults: Error[] = [];
    const options = {
      name: 'tester',
      version: '1',
      onError: (error: Error) => void faults.push(error),
      ...(!modern && { era: 'handshake' as const, revision }),
    };
    const reach = async (site: Web) => {
      const client = await connect(http(site.url), options);
      onTestFinished(() => client.close());
      await client.listTools();
      return site.asked.map(({ method }) => method);
    };
    const fresh = await web(revision, { capabilities: { tools: {} }, session: 's' });
    const [toFresh, oldSite] = [await reach(fresh), await old(revision)];
    const toOld = await reach(oldSite);
    proves('2025-03-26/transport-sse-legacy/client-takes-url-of-either-transport', () =>
      expect(oldSite.asked.at(-1)?.message.method).toBe('tools/list'),
    );
    proves('2025-03-26/transport-sse-legacy/client-posts-initialize-first', () =>
      expect([oldSite.asked[0]?.method, oldSite.asked[0]?.message.method]).toEqual([
        'POST',
        modern ? 'server/discover' : 'initialize',
      ]),
    );
    proves('2026-07-28/transport-sse-legacy/client-tries-post-first', () => expect(toOld[0]).toBe('POST'));
    proves('2025-03-26/transport-sse-legacy/post-success-means-streamable-http', () =>
      expect([toFresh[0], fresh.asked.filter(({ url }) => url.pathname !== '/mcp')]).toEqual(['POST', []]),
    );
    proves('2025-03-26/transport-sse-legacy/post-4xx-falls-back-to-get', () =>
      expect(toOld).toContain('GET'),
    );
    proves('2025-03-26/transport-sse-legacy/endpoint-event-selects-old-transport', () => {
      const after = oldSite.asked.slice(oldSite.asked.findIndex(({ method }) => method === 'GET') + 1);
      expect(new Set(after.map(({ url }) => url.pathname))).toEqual(new Set(['/messages']));
    });
  },
);

over(
  between('2025-11-25'),
  'only 400, 404 and 405 without a modern error cause a fallback to the old transport',
  async ({ proves, revision, stateless: modern }) => {
    const falls = async (refusal: (asked: Asked) => void) => {
      const site = await old(revision, refusal);
      const options = {
        name: 'tester',
        version: '1',
        onError: () => {},
        ...(!modern && { era: 'handshake' as const, revision }),
      };
      const client = await connect(http(site.url), options).catch(() => undefined);
      if (client !== undefined) onTestFinished(() => client.close());
      return site.asked.some(({ method }) => method === 'GET');
    };
    const outcomes: boolean[] = [];
    for (const status of [400, 404, 405, 401, 403, 500, 503])
      outcomes.push(await falls((asked) => asked.send(status)));
    const only = [true, true, true, false, false, false, false];
    proves('2025-11-25/transport-sse-legacy/client-falls-back-to-sse-on-400-404-405', () =>
      expect(outcomes).toEqual(only),
    );
    const outcome = await falls((asked) =>
      asked.error(-32022, 400, { data: { supported: ['2099-01-01'], requested: revision } }),
    );
    proves('2026-07-28/transport-sse-legacy/client-falls-back-to-sse-without-modern-error', () =>
      expect([...outcomes, modern && outcome]).toEqual([...only, false]),
    );
  },
);
