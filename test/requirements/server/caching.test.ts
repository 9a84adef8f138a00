import { createServer, prompt, resource, ToolError, tool } from '@rootbound/protocol';
import { serveMemory } from '@rootbound/protocol/testing';
import { expect } from 'vitest';
import * as z from 'zod';
import type { Message } from '../message.ts';
import { stateless } from '../revisions.ts';
import { Talk } from './talk.ts';
import { over } from './world.ts';

const hintsOf = ({ result }: Message) => [result.ttlMs, result.cacheScope];

over(stateless, 'each cacheable result has its ttl and scope', async ({ open, proves }) => {
  const talk = await open();
  const hints: Record<string, unknown[]> = {};
  for (const method of [
    'server/discover',
    'tools/list',
    'prompts/list',
    'resources/list',
    'resources/templates/list',
  ])
    hints[method] = hintsOf(await talk.request(method));
  hints['resources/read'] = hintsOf(await talk.request('resources/read', { uri: 'memo://today' }));
  const fits = (method: string) => () => {
    const [ttlMs, cacheScope] = hints[method]!;
    expect([Number.isInteger(ttlMs), ['public', 'private'].includes(String(cacheScope))]).toEqual([
      true,
      true,
    ]);
  };
  proves('2026-07-28/caching/discover-result-has-cache-hints', fits('server/discover'));
  proves('2026-07-28/caching/tools-list-result-has-cache-hints', fits('tools/list'));
  proves('2026-07-28/caching/prompts-list-result-has-cache-hints', fits('prompts/list'));
  proves('2026-07-28/caching/resources-list-result-has-cache-hints', fits('resources/list'));
  proves(
    '2026-07-28/caching/resource-templates-list-result-has-cache-hints',
    fits('resources/templates/list'),
  );
  proves('2026-07-28/caching/resources-read-result-has-cache-hints', fits('resources/read'));
  const all = Object.values(hints);
  proves('2026-07-28/caching/cache-scope-is-public-or-private', () =>
    expect(all.map(([, scope]) => scope)).toEqual(all.map(() => 'private')),
  );
  proves('2026-07-28/caching/ttl-is-not-negative', () =>
    expect(all.filter(([ttlMs]) => Number(ttlMs) < 0)).toEqual([]),
  );
  const called = await talk.call('echo', { text: 'x' });
  expect(called.result).not.toHaveProperty('ttlMs');
});

over(stateless, 'all pages of a list have the same scope', async ({ open, proves }) => {
  const names = ['a', 'b', 'c'];
  const server = createServer({
    name: 's',
    version: '1',
    pageSize: 1,
    listHints: { ttlMs: 5, cacheScope: 'public' },
    tools: names.map((name) => tool({ name, description: 'x', input: z.object({}), run: () => 'x' })),
  });
  const talk = await open(server);
  const scopes: unknown[] = [];
  for (let cursor: unknown; ; ) {
    const { result } = await talk.request('tools/list', cursor === undefined ? {} : { cursor });
    scopes.push(result.cacheScope);
    cursor = result.nextCursor;
    if (cursor === undefined) break;
  }
  proves('2026-07-28/caching/same-cache-scope-on-all-pages', () =>
    expect(scopes).toEqual(['public', 'public', 'public']),
  );
});

over(
  stateless,
  'results that depend on the caller are private, and authorized whatever their scope',
  async ({ proves, revision }) => {
    const reads: string[] = [];
    const server = createServer({
      name: 's',
      version: '1',
      listHints: { ttlMs: 60_000, cacheScope: 'public' },
      scope: ({ facts }) => {
        if (facts.principal !== 'ann') throw new ToolError('only ann may see this');
      },
      listResources: ({ facts }) => [{ uri: `memo://${facts.principal}`, name: String(facts.principal) }],
      prompts: [prompt({ name: 'p', get: () => 'x' })],
      resources: [
        resource({
          uri: 'memo://secret',
          name: 'secret',
          read: (uri) => {
            reads.push(uri);
            return 'x';
          },
        }),
      ],
    });
    const as = (principal: string) => new Talk(serveMemory(server, { principal }), revision, {});
    const [ann, bob] = [as('ann'), as('bob')];
    const listed = await ann.request('resources/list');
    const read = await ann.request('resources/read', { uri: 'memo://secret' });
    const refused = [
      await bob.request('resources/list'),
      await bob.request('resources/read', { uri: 'memo://secret' }),
      await bob.request('prompts/get', { name: 'p' }),
    ];
    proves('2026-07-28/caching/public-scope-sharing-accounted-for', () =>
      expect([listed, read].map(({ result }) => result.cacheScope)).toEqual(['private', 'private']),
    );
    proves('2026-07-28/caching/access-control-applied-per-primitive', () =>
      expect(refused.map(({ error }) => error?.code)).toEqual([-32602, -32602, -32602]),
    );
    proves('2026-07-28/caching/cache-scope-not-used-as-access-control', () =>
      expect(reads).toEqual(['memo://secret']),
    );
    proves('2026-07-28/caching/private-cache-not-shared-across-contexts', () =>
      expect(refused[0].result).toBeUndefined(),
    );
  },
);
