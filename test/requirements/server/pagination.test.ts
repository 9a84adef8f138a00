import { createServer, prompt, resource, type Server, template, tool } from '@rootbound/protocol';
import { expect } from 'vitest';
import * as z from 'zod';
import type { Message } from '../message.ts';
import { all } from '../revisions.ts';
import type { Talk } from './talk.ts';
import { over } from './world.ts';

const names = ['a', 'b', 'c', 'd', 'e'];
const empty = z.object({});

/** Creates a server with five of each feature, and pages of two. */
function paged(): Server {
  return createServer({
    name: 's',
    version: '1',
    pageSize: 2,
    tools: names.map((name) => tool({ name, description: 'x', input: empty, run: () => 'x' })),
    prompts: names.map((name) => prompt({ name, get: () => 'x' })),
    resources: [
      ...names.map((name) => resource({ uri: `memo://${name}`, name, read: () => 'x' })),
      ...names.map((name) => template({ uriTemplate: `${name}://{x}`, name, read: () => 'x' })),
    ],
  });
}

/** Returns the names on each page of a list, and the cursors. */
async function pages(
  talk: Talk,
  method: string,
  member: string,
): Promise<{ found: string[][]; cursors: unknown[] }> {
  const [found, cursors]: [string[][], unknown[]] = [[], []];
  for (let cursor: unknown; ; ) {
    const { result } = await talk.request(method, cursor === undefined ? {} : { cursor });
    found.push(result[member].map(({ name }: Message) => name));
    cursor = result.nextCursor;
    cursors.push('nextCursor' in result ? cursor : 'absent');
    if (cursor === undefined) return { found, cursors };
  }
}

const whole = [['a', 'b'], ['c', 'd'], ['e']];

over(all, 'lists have pages, each with the cursor of the next', async ({ open, proves }) => {
  const talk = await open(paged());
  const tools = await pages(talk, 'tools/list', 'tools');
  proves('2024-11-05/pagination/tools-list-paginated', () => expect(tools.found).toEqual(whole));
  const resources = await pages(talk, 'resources/list', 'resources');
  proves('2024-11-05/pagination/resources-list-paginated', () => expect(resources.found).toEqual(whole));
  const templates = await pages(talk, 'resources/templates/list', 'resourceTemplates');
  proves('2024-11-05/pagination/resource-templates-list-paginated', () =>
    expect(templates.found).toEqual(whole),
  );
  const prompts = await pages(talk, 'prompts/list', 'prompts');
  proves('2024-11-05/pagination/prompts-list-paginated', () => expect(prompts.found).toEqual(whole));
  proves('2024-11-05/pagination/server-chooses-page-size', () => expect(tools.found[0]).toHaveLength(2));
  proves('2024-11-05/pagination/cursor-is-opaque-string', () =>
    expect(tools.cursors.every((cursor) => typeof cursor === 'string')).toBe(true),
  );
  proves('2024-11-05/pagination/next-cursor-when-more-results', () =>
    expect(tools.cursors.slice(0, 2)).not.toContain('absent'),
  );
  proves('2024-11-05/pagination/next-cursor-omitted-at-end', () => expect(tools.cursors[2]).toBe('absent'));
  proves('2024-11-05/pagination/page-starts-after-cursor', () => expect(tools.found[1]).toEqual(['c', 'd']));
  const again = await pages(talk, 'tools/list', 'tools');
  const elsewhere = await talk.request('tools/list', { cursor: tools.cursors[0] });
  proves('2024-11-05/pagination/cursors-stable', () => {
    expect(again.cursors).toEqual(tools.cursors);
    expect(elsewhere.result.tools.map(({ name }: Message) => name)).toEqual(['c', 'd']);
  });
});

over(all, 'a cursor that is not one of the list is refused', async ({ open, proves }) => {
  const talk = await open(paged());
  const { cursors } = await pages(talk, 'tools/list', 'tools');
  const wrong = ['', 'foreign', `${String(cursors[0])}x`, Buffer.from('tools/list:2').toString('base64url')];
  const codes: unknown[] = [];
  for (const cursor of wrong) codes.push((await talk.request('tools/list', { cursor })).error?.code);
  const foreign = await talk.request('prompts/list', { cursor: cursors[0] });
  const typed = await talk.request('tools/list', { cursor: 2 });
  proves('2024-11-05/pagination/invalid-cursor-error-32602', () =>
    expect([...codes, foreign.error?.code, typed.error?.code]).toEqual([...wrong, 0, 0].map(() => -32602)),
  );
  const { result } = await talk.request('tools/list');
  proves('2024-11-05/pagination/invalid-cursors-handled', () => {
    expect(foreign.error.message).toBe(
      'cursor is not one that prompts/list returned; start again without it',
    );
    expect(result.tools).toHaveLength(2);
  });
});
