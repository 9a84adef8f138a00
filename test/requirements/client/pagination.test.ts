import { AnswerError } from '@rootbound/protocol/client';
import { expect } from 'vitest';
import type { Message } from '../message.ts';
import { all, handshake, stateless } from '../revisions.ts';
import type { Script, ScriptOptions } from './script.ts';
import { over } from './world.ts';

const capabilities = { tools: {}, prompts: {}, resources: {} };
const odd = 'a b/{"offset":2}==\u0000é';

/** Returns a list whose pages have these numbers of items, with their cursors. */
function listing(
  script: (options: ScriptOptions) => Script,
  sizes: readonly number[],
  cursors: readonly string[],
): Script {
  const page =
    (member: string, item: (name: string) => object) =>
    ({ params: { cursor } }: Message) => {
      const index = cursor === undefined ? 0 : cursors.indexOf(cursor) + 1;
      const items = Array.from({ length: sizes[index] ?? 0 }, (_, at) => item(`${index}-${at}`));
      return server.done({ [member]: items, ...(index < cursors.length && { nextCursor: cursors[index] }) });
    };
  const server = script({
    capabilities,
    answers: {
      'tools/list': page('tools', (name) => ({ name, inputSchema: { type: 'object' } })),
      'prompts/list': page('prompts', (name) => ({ name })),
      'resources/list': page('resources', (name) => ({ uri: `memo://${name}`, name })),
      'resources/templates/list': page('resourceTemplates', (name) => ({
        uriTemplate: `memo://${name}/{a}`,
        name,
      })),
    },
  });
  return server;
}

over(all, 'a list is read to its end, in pages of any size', async ({ script, proves }) => {
  const server = listing(script, [3, 0, 1], [odd, 'second']);
  const client = await server.connect();
  const names = (list: readonly { name: string }[]) => list.map(({ name }) => name);
  const whole = ['0-0', '0-1', '0-2', '2-0'];
  const tools = names(await client.listTools());
  proves('2024-11-05/pagination/tools-list-paginated', () => expect(tools).toEqual(whole));
  const prompts = names(await client.listPrompts());
  proves('2024-11-05/pagination/prompts-list-paginated', () => expect(prompts).toEqual(whole));
  const resources = names(await client.listResources());
  proves('2024-11-05/pagination/resources-list-paginated', () => expect(resources).toEqual(whole));
  const templates = names(await client.listResourceTemplates());
  proves('2024-11-05/pagination/resource-templates-list-paginated', () => expect(templates).toEqual(whole));
  proves('2024-11-05/pagination/no-fixed-page-size-assumed', () => expect(tools).toHaveLength(4));
  const sent = server.all('tools/list').map(({ params }) => params?.cursor);
  proves('2024-11-05/pagination/client-sends-cursor-to-continue', () =>
    expect(sent).toEqual([undefined, odd, 'second']),
  );
  proves('2024-11-05/pagination/cursor-is-opaque-string', () => expect(sent[1]).toBe(odd));
  proves('2024-11-05/pagination/cursor-treated-as-opaque', () => expect(sent[1]).toBe(odd));
  proves('2024-11-05/pagination/cursor-not-parsed-or-modified', () =>
    expect(JSON.stringify(sent[1])).toBe(JSON.stringify(odd)),
  );
  proves('2024-11-05/pagination/missing-next-cursor-means-end', () => expect(sent).toHaveLength(3));
  const single = listing(script, [2], []);
  const unpaged = await (await single.connect()).listTools();
  proves('2024-11-05/pagination/paginated-and-unpaginated-flows-supported', () =>
    expect([unpaged.length, tools.length]).toEqual([2, 4]),
  );
});

over(handshake, 'a new session restarts a list', async ({ script, proves }) => {
  const server = listing(script, [1, 1], ['next']);
  await (await server.connect()).listTools();
  await (await server.connect()).listTools();
  proves('2024-11-05/pagination/cursor-not-kept-across-sessions', () =>
    expect(server.all('tools/list').map(({ params }) => params?.cursor)).toEqual([
      undefined,
      'next',
      undefined,
      'next',
    ]),
  );
});

over(stateless, 'only an absent cursor ends a list', async ({ script, proves }) => {
  const server = listing(script, [1, 1], ['']);
  const tools = await (await server.connect()).listTools();
  proves('2026-07-28/pagination/empty-cursor-is-not-the-end', () =>
    expect(server.all('tools/list').map(({ params }) => params.cursor)).toEqual([undefined, '']),
  );
  proves('2026-07-28/pagination/only-cursor-presence-decides', () => expect(tools).toHaveLength(2));
});

over(all, 'an endless list is given up', async ({ script }) => {
  const server = script({
    capabilities,
    answers: { 'tools/list': () => server.done({ tools: [], nextCursor: 'same' }) },
  });
  const error = await (await server.connect()).listTools().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(AnswerError);
});
