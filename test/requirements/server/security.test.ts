import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import { written } from '../documents.ts';
import type { Message } from '../message.ts';
import { all, isStateless } from '../revisions.ts';
import { type Files, files } from './files.ts';
import { over, type World } from './world.ts';

/** Creates a root beside a folder with a secret. */
async function open(world: World, options: Parameters<typeof files>[0] = {}) {
  const place = files(options);
  writeFileSync(join(place.root, 'a.txt'), 'inside');
  writeFileSync(join(place.outside, 'secret.txt'), 'the secret');
  const talk = await world.open(place.server);
  return { ...place, talk };
}

/** Paths that lead to the secret. */
function waysOut({ root, outside }: Files): string[] {
  mkdirSync(join(root, 'deep'));
  symlinkSync(outside, join(root, 'link'));
  symlinkSync(join(outside, 'secret.txt'), join(root, 'alias.txt'));
  return [
    join(outside, 'secret.txt'),
    `${root}/../outside/secret.txt`,
    `${root}/deep/../../outside/secret.txt`,
    `${root}/link/secret.txt`,
    `${root}/alias.txt`,
  ];
}

over(all, 'only allowed files are read and written', async (world) => {
  const { proves } = world;
  const place = await open(world);
  const { talk, root, outside } = place;
  const ways = waysOut(place);
  const reads: Message[] = [];
  for (const path of ways) reads.push(await talk.call('read_text_file', { path }));
  const writes: Message[] = [];
  for (const path of ways) writes.push(await talk.call('write_file', { path, content: 'changed' }));
  const own = await talk.call('read_text_file', { path: join(root, 'a.txt') });
  const refusals = reads.map(({ result }) => result.isError);
  const kept = (): void => {
    expect(talk.lines.join()).not.toContain('the secret');
    expect(readFileSync(join(outside, 'secret.txt'), 'utf8')).toBe('the secret');
  };
  proves('2024-11-05/security/access-controls-and-data-protections', () => {
    expect(refusals).toEqual(ways.map(() => true));
    kept();
  });
  proves('2024-11-05/security/user-data-protected-by-access-controls', () => {
    expect(own.result.isError).toBeUndefined();
    expect(writes.map(({ result }) => result.isError === true || 'replaced')).not.toContain(undefined);
    kept();
  });
  const missing = await talk.call('read_text_file', { path: join(outside, 'none.txt') });
  const there = await talk.call('read_text_file', { path: join(outside, 'secret.txt') });
  const textOf = ({ result }: Message) => result.content[0].text.replace(/\w+\.txt/, 'NAME');
  // the existence of outside files is not revealed
  proves('2024-11-05/security/privacy-considered-in-feature-design', () =>
    expect(textOf(there)).toBe(textOf(missing)),
  );
  const bounded = await open(world, { readOnly: true });
  const refused = await bounded.talk.call('write_file', { path: join(bounded.root, 'b.txt'), content: 'x' });
  proves('2024-11-05/security/server-respects-security-constraints', () =>
    expect([
      refused.error !== undefined || refused.result.isError,
      existsSync(join(bounded.root, 'b.txt')),
    ]).toEqual([true, false]),
  );
});

over(all, 'files have the file scheme, and no path leads outside their folders', async (world) => {
  const { proves, revision } = world;
  const place = await open(world);
  const { talk, root, outside } = place;
  const listed = (await talk.request('resources/list')).result.resources;
  const { resourceTemplates } = (await talk.request('resources/templates/list')).result;
  const schemes = [
    ...listed.map(({ uri }: Message) => uri),
    ...resourceTemplates.map(({ uriTemplate }: Message) => uriTemplate),
  ].map((uri: string) => uri.split(':')[0]);
  proves('2024-11-05/resources/https-scheme-only-if-client-can-fetch', () =>
    expect(schemes).not.toContain('https'),
  );
  proves('2024-11-05/resources/other-scheme-when-client-cannot-fetch', () =>
    expect(new Set(schemes)).toEqual(new Set(['file'])),
  );
  const base = pathToFileURL(root).href;
  const uris = [
    ...waysOut(place).map((path) => `file://${path}`),
    pathToFileURL(join(outside, 'secret.txt')).href,
    `${base}/%2e%2e/outside/secret.txt`,
    `${base}/deep/%2E%2E/%2E%2E/outside/secret.txt`,
  ];
  // these characters are in no file name
  const nameless = [`${base}/..%2foutside%2fsecret.txt`, `${base}/a.txt%00/../../outside/secret.txt`];
  const refusalOf = async (uri: string) => (await talk.request('resources/read', { uri })).error?.code;
  const codes: number[] = [];
  for (const uri of uris) codes.push(await refusalOf(uri));
  const invalid: number[] = [];
  for (const uri of nameless) invalid.push(await refusalOf(uri));
  const own = await talk.request('resources/read', { uri: `${base}/a.txt` });
  const absent = isStateless(revision) ? -32602 : -32002;
  proves('2026-07-28/resources/file-paths-sanitized', () => {
    expect(new Set(codes)).toEqual(new Set([absent]));
    expect(invalid).toEqual([-32602, -32602]);
    expect(own.result.contents[0].text).toBe('inside');
    expect(talk.lines.join()).not.toContain('the secret');
  });
});

over(all, 'the consequences of exposing files are documented', async ({ proves }) => {
  const [security, filesystem] = [written('SECURITY.md'), written('docs/reference/filesystem.md')];
  proves('2024-11-05/security/document-security-implications', () => {
    expect(security).toContain('The model, and any text that it reads, is hostile.');
    expect(filesystem).toContain('## Security model');
    expect(filesystem).toContain("**The operator's roots are the upper bound.**");
  });
});
