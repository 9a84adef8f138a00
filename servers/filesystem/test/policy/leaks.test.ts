import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Client } from '@rootbound/protocol/client';
import { beforeEach, describe, expect, test } from 'vitest';
import { call, inEveryRevision, newest, Scene } from '../harness.ts';

const scene = new Scene();

/** The arguments of each read-only tool for one path. */
const looks: Record<string, (path: string) => Record<string, unknown>> = {
  read_text_file: (path) => ({ path }),
  read_file: (path) => ({ path }),
  read_media_file: (path) => ({ path }),
  read_multiple_files: (path) => ({ paths: [path] }),
  get_file_info: (path) => ({ path }),
  list_directory: (path) => ({ path }),
  list_directory_with_sizes: (path) => ({ path }),
  directory_tree: (path) => ({ path }),
  search_files: (path) => ({ path, pattern: '*' }),
  search_content: (path) => ({ path, pattern: 'secret' }),
  copy_file: (source) => ({ source, destination: 'copied' }),
};

/** The arguments of each tool that changes an existing path. */
const changes: Record<string, (path: string) => Record<string, unknown>> = {
  edit_file: (path) => ({ path, edits: [{ oldText: 'secret', newText: 'x' }] }),
  move_file: (source) => ({ source, destination: 'moved' }),
  delete_file: (path) => ({ path }),
  set_file_attributes: (path) => ({ path, mode: '600' }),
};

/** The arguments of each tool that creates a path. */
const makings: Record<string, (path: string) => Record<string, unknown>> = {
  write_file: (path) => ({ path, content: 'x' }),
  create_directory: (path) => ({ path }),
  set_file_attributes: (path) => ({ path, create: true }),
  move_file: (destination) => ({ source: 'plain.txt', destination }),
  copy_file: (destination) => ({ source: 'plain.txt', destination }),
};

beforeEach(() => {
  scene.put('plain.txt', 'plain');
  scene.put('.env', 'secret');
  scene.put('.git/config', 'secret');
  writeFileSync(join(scene.outside, 'secret.txt'), 'secret');
  mkdirSync(join(scene.outside, 'folder'));
  symlinkSync('../outside/secret.txt', scene.at('to-outside'));
  symlinkSync('../outside/folder', scene.at('to-folder'));
  symlinkSync('../outside/none', scene.at('to-nothing'));
  symlinkSync('.env', scene.at('to-env'));
  symlinkSync('.git', scene.at('to-git'));
});

const client = (): Promise<Client> => scene.client({ extra: { 'allow-delete': true, confirm: 'never' } });

/** Returns the whole answer to a call, without the path that the client sent. */
async function answerOf(
  from: Client,
  tool: string,
  args: Record<string, unknown>,
  path: string,
): Promise<string> {
  const { result, failed } = await call(from, tool, args);
  if (tool !== 'read_multiple_files') expect(failed, `${tool} ${path}`).toBe(true);
  return JSON.stringify(result).replaceAll(JSON.stringify(path).slice(1, -1), '<path>');
}

const unreachable = (): string[] => [
  join(scene.outside, 'secret.txt'),
  join(scene.outside, 'folder'),
  join(scene.outside, 'none'),
  '/etc/passwd',
  '../outside/secret.txt',
  '.env',
  '.git',
  '.git/config',
  '.git/none',
  '.env.none',
  scene.at('.ENV'),
];

describe('missing paths, paths outside the roots and denied paths have the same answer', () => {
  test.each(Object.keys(looks))('of %s', async (tool) => {
    const from = await client();
    const missing = await answerOf(from, tool, looks[tool]!('none'), 'none');
    expect(missing).toContain('<path>');
    for (const path of [...unreachable(), 'to-env/x', 'to-git/config', 'to-outside/x', 'to-folder/x'])
      expect(await answerOf(from, tool, looks[tool]!(path), path), path).toBe(missing);
  });

  test.each(Object.keys(looks))('of %s behind a link', async (tool) => {
    const from = await client();
    // the link itself can be read and copied
    if (tool === 'get_file_info' || tool === 'copy_file') return;
    const missing = await answerOf(from, tool, looks[tool]!('to-nothing'), 'to-nothing');
    for (const path of ['to-outside', 'to-folder', 'to-env', 'to-git'])
      expect(await answerOf(from, tool, looks[tool]!(path), path), path).toBe(missing);
  });

  test.each(Object.keys(changes))('of %s, except that the error names the policy', async (tool) => {
    const from = await client();
    const missing = await answerOf(from, tool, changes[tool]!('none'), 'none');
    const denied = await answerOf(from, tool, changes[tool]!('.env.none'), '.env.none');
    expect(denied).toContain("the operator's policy denies this name: <path>");
    for (const path of unreachable()) {
      const expected = path.toLowerCase().includes('.env') || path.includes('.git') ? denied : missing;
      expect(await answerOf(from, tool, changes[tool]!(path), path), path).toBe(expected);
    }
    expect(scene.bytes('.env').toString()).toBe('secret');
  });

  test.each(Object.keys(makings))('of %s, except that the error names the policy', async (tool) => {
    const from = await client();
    const outside = await answerOf(from, tool, makings[tool]!('/none/x'), '/none/x');
    const denied = await answerOf(from, tool, makings[tool]!('.env.none'), '.env.none');
    expect(denied).toContain("the operator's policy denies this name: <path>");
    for (const path of unreachable()) {
      const expected = path.toLowerCase().includes('.env') || path.includes('.git') ? denied : outside;
      expect(await answerOf(from, tool, makings[tool]!(path), path), path).toBe(expected);
    }
    for (const path of ['to-folder/x', 'to-git/x', 'to-nothing/x'])
      expect(await answerOf(from, tool, makings[tool]!(path), path), path).toBe(outside);
    expect(scene.names(join(scene.outside, 'folder'))).toEqual([]);
    expect(scene.names(scene.at('.git'))).toEqual(['config']);
  });
});

test('no failure names a path that was not sent', async () => {
  const from = await client();
  const calls = [looks, changes, makings].flatMap((tools) => Object.entries(tools));
  for (const [tool, argsOf] of calls) {
    for (const path of [
      'none',
      'none/none',
      '../x',
      '.env',
      'to-outside',
      'to-folder/x',
      'plain.txt/x',
      '.',
    ]) {
      const { failed, result } = await call(from, tool, argsOf(path));
      if (failed) expect(JSON.stringify(result), `${tool} ${path}`).not.toContain(scene.top);
    }
  }
});

test('a link shows the same, wherever outside the roots it leads', async () => {
  // the size of a link is the length of its target path
  for (const [name, target] of [
    ['l-1', '../outside/secret.txt'],
    ['l-2', '../outside/missing.tx'],
    ['l-3', './/////////.git/config'.slice(0, 21)],
  ] as const)
    symlinkSync(target, scene.at(name));
  symlinkSync('.////////.git/config', scene.at('l-4'));
  symlinkSync('.////////none/config', scene.at('l-5'));
  const from = await client();
  const seen = async (name: string): Promise<string> => {
    const { result } = await call(from, 'get_file_info', { path: name });
    return JSON.stringify(result)
      .replaceAll(name, '<name>')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
      .replaceAll(/[0-9a-z]+-[0-9a-z-]+(?=[",\\])/g, '<etag>');
  };
  expect(await seen('l-2')).toBe(await seen('l-1'));
  expect(await seen('l-5')).toBe(await seen('l-4'));
  const { facts } = await call(from, 'list_directory', { path: '.', details: true });
  const entries = (facts as unknown as { entries: Record<string, unknown>[] }).entries;
  const shapes = entries
    .filter(({ name }) => /^l-[1245]$/.test(String(name)))
    .map((entry) => [Object.keys(entry).sort(), entry.type, entry.target]);
  expect(new Set(shapes.map((shape) => JSON.stringify(shape))).size).toBe(1);
});

inEveryRevision((revision) => {
  test('resources: missing, outside and denied have the same answer', async () => {
    const from = await scene.client({ revision });
    const answer = async (path: string): Promise<string> => {
      const uri = pathToFileURL(path).href;
      const error = await from.readResource(uri).then(
        () => new Error('was read'),
        (reason: unknown) => reason as Error & { code?: number; data?: unknown },
      );
      const { code, data } = error as { code?: number; data?: unknown };
      return JSON.stringify([error.message, code, data]).replaceAll(uri, '<uri>').replaceAll(path, '<path>');
    };
    const missing = await answer(scene.at('none'));
    expect(missing).not.toContain('was read');
    for (const path of [
      join(scene.outside, 'secret.txt'),
      join(scene.outside, 'none'),
      scene.at('.env'),
      scene.at('.git'),
      scene.at('.git/config'),
      scene.at('to-env'),
      scene.at('to-outside'),
    ])
      expect(await answer(path), path).toBe(missing);
  });

  test('completion finds nothing outside the roots or below denied paths, and omits denied names', async () => {
    const from = await scene.client({ revision });
    const template = { type: 'ref/resource', uri: 'file:///{+path}' } as const;
    const values = async (path: string): Promise<string[]> =>
      (await from.complete(template, { name: 'path', value: path.slice(1) })).values;
    for (const path of [scene.at('.git/'), scene.at('.e'), scene.at('to-git/'), scene.at('to-folder/')])
      expect(await values(path), path).toEqual([]);
    expect(await values(`${scene.outside}/`)).toEqual([]);
  });
});

test('a subscription to a path that is outside the roots or denied is never notified', async () => {
  const wire = scene.wire();
  const uris = ['.env', '.git/config', 'to-env'].map((name) => pathToFileURL(scene.at(name)).href);
  uris.push(pathToFileURL(join(scene.outside, 'secret.txt')).href);
  const good = pathToFileURL(scene.at('plain.txt')).href;
  wire.ask('subscriptions/listen', {
    notifications: { resourceSubscriptions: [...uris, good] },
    _meta: {
      'io.modelcontextprotocol/protocolVersion': newest,
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
    },
  });
  const { params } = await wire.until(({ method }) => method?.startsWith('notifications/') === true);
  expect(params).toMatchObject({ notifications: { resourceSubscriptions: [good] } });
});
