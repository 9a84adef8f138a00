import { existsSync, lstatSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toFileUri } from '@rootbound/kit/boundary';
import type { Layout } from './layouts.ts';
import { outsideText, type Site, spoken, type Thing, targetText } from './site.ts';

/** The outcome of a call: `done` or an error code. */
export interface Outcome {
  readonly code: string;
  /** the whole text that the client received */
  readonly words: string;
}

export interface Operation {
  readonly name: string;
  /** the entry at the target before the call */
  readonly thing: Thing;
  /** returns the expected outcome */
  expect(layout: Layout): string;
  act(site: Site, layout: Layout): Promise<Outcome>;
  /** returns whether the call had its effect; called after `done` */
  did?(site: Site, layout: Layout, outcome: Outcome): boolean;
}

type Arguments = Record<string, unknown>;

async function call(site: Site, name: string, args: Arguments): Promise<Outcome> {
  const { isError, content, structuredContent, _meta } = await site.client.callTool(name, args);
  const failure = _meta?.failure as { code: string } | undefined; // this server's member
  return {
    code: isError ? (failure?.code ?? 'failed') : 'done',
    words: JSON.stringify([content, structuredContent]),
  };
}

function tool(name: string, args: (path: string) => Arguments) {
  return (site: Site, layout: Layout) => call(site, name, args(spoken(site, layout)));
}

/** Returns the expected outcome of operations that follow links to an existing entry. */
function whereThere(layout: Layout): string {
  if (layout.unusable) return 'invalid-path';
  return layout.place === undefined || layout.orphan ? 'not-found' : 'done';
}

/** Returns the expected outcome of operations on the last name itself. */
function wherePresent(layout: Layout): string {
  return layout.link === undefined ? whereThere(layout) : 'done';
}

/** Returns the expected outcome of operations that need the parent folder. */
function whereHeld(layout: Layout): string {
  return layout.inFile ? 'not-a-directory' : whereThere(layout);
}

/** Returns the expected outcome of changes of the last name itself. */
function whereNamed(layout: Layout): string {
  return layout.link === undefined ? whereHeld(layout) : 'done';
}

/** Returns whether a path with a trailing slash names a link or file, which is refused. */
function asFolder(layout: Layout, otherwise: string): string {
  return layout.path.endsWith('/') && otherwise === 'done' ? 'not-a-directory' : otherwise;
}

function whereDeleted(layout: Layout): string {
  return layout.link === undefined ? whereNamed(layout) : asFolder(layout, whereNamed(layout));
}

/** Returns the expected outcome of operations that need a free name; a link is not free. */
function whereFree(layout: Layout): string {
  return layout.link === undefined ? whereHeld(layout) : 'exists';
}

/** Returns the expected outcome of a write, which follows a link and never creates the target of a dangling one. */
function whereWritten(layout: Layout, isThere: boolean): string {
  if (layout.unusable && !layout.path.endsWith('/')) return 'invalid-path';
  if (layout.path.endsWith('/')) return 'not-a-file';
  return layout.link !== undefined && !isThere ? 'not-found' : whereHeld(layout);
}

function placeOf(site: Site, { place = '' }: Layout): string {
  return join(site.root, place);
}

function holds(path: string, text: string): boolean {
  return existsSync(path) && lstatSync(path).isFile() && readFileSync(path, 'utf8') === text;
}

const keepsLink = (site: Site, { link }: Layout): boolean =>
  link === undefined || lstatSync(join(site.root, link)).isSymbolicLink();

const saysTarget = (_site: Site, _layout: Layout, { words }: Outcome): boolean => words.includes('target');
const saysFound = (_site: Site, _layout: Layout, { words }: Outcome): boolean => words.includes('found');

const reading: readonly Operation[] = [
  { name: 'read_text_file', args: (path: string) => ({ path }) },
  { name: 'read_text_file', args: (path: string) => ({ path, tail: 1 }) },
  { name: 'read_media_file', args: (path: string) => ({ path }) },
].map(({ name, args }, index) => ({
  name: `${name} ${index}`,
  thing: 'file',
  expect: whereThere,
  act: tool(name, args),
  ...(name === 'read_text_file' && { did: saysTarget }),
}));

const together: Operation = {
  name: 'read_multiple_files',
  thing: 'file',
  // an unreadable file is reported beside the others
  expect: (layout) => (whereThere(layout) === 'done' ? 'done' : 'told'),
  async act(site, layout) {
    const outcome = await call(site, 'read_multiple_files', { paths: [spoken(site, layout)] });
    return outcome.code === 'done' && /"error":/.test(outcome.words) ? { ...outcome, code: 'told' } : outcome;
  },
  did: saysTarget,
};

const looking: readonly Operation[] = [
  {
    name: 'get_file_info',
    thing: 'file',
    expect: wherePresent,
    act: tool('get_file_info', (path) => ({ path })),
    did(_site, layout, { words }) {
      if (layout.link === undefined) return words.includes('"size":7');
      // the target of a link to outside is not revealed, not even its existence
      return words.includes('"symlink"') && words.includes('"target":') === (layout.place !== undefined);
    },
  },
  ...[
    { name: 'list_directory', args: (path: string) => ({ path, details: true }) },
    { name: 'directory_tree', args: (path: string) => ({ path }) },
    { name: 'search_files', args: (path: string) => ({ path, pattern: 'found' }) },
    { name: 'search_content', args: (path: string) => ({ path, pattern: 'target', output: 'files' }) },
  ].map(
    ({ name, args }): Operation => ({
      name,
      thing: 'folder',
      expect: whereThere,
      act: tool(name, args),
      did: saysFound,
    }),
  ),
];

const writing: readonly Operation[] = [
  {
    name: 'write_file, new',
    thing: 'nothing',
    expect: (layout) => whereWritten(layout, false),
    act: tool('write_file', (path) => ({ path, content: 'new' })),
    did: (site, layout) => holds(placeOf(site, layout), 'new'),
  },
  {
    name: 'write_file, over',
    thing: 'file',
    expect: (layout) => whereWritten(layout, true),
    act: tool('write_file', (path) => ({ path, content: 'new' })),
    did: (site, layout) => holds(placeOf(site, layout), 'new') && keepsLink(site, layout),
  },
  {
    name: 'write_file, with the folders above',
    thing: 'nothing',
    expect: (layout) => (layout.orphan ? 'done' : whereWritten(layout, false)),
    act: tool('write_file', (path) => ({ path, content: 'new', createParents: true })),
    did: (site, layout) => holds(placeOf(site, layout), 'new'),
  },
  {
    name: 'write_file, append to new',
    thing: 'nothing',
    expect: (layout) => whereWritten(layout, false),
    act: tool('write_file', (path) => ({ path, content: 'new', append: true })),
    did: (site, layout) => holds(placeOf(site, layout), 'new'),
  },
  {
    name: 'write_file, append',
    thing: 'file',
    expect: (layout) => whereWritten(layout, true),
    act: tool('write_file', (path) => ({ path, content: 'more', append: true })),
    did: (site, layout) => holds(placeOf(site, layout), `${targetText}more`) && keepsLink(site, layout),
  },
  {
    name: 'set_file_attributes',
    thing: 'file',
    expect: (layout) => asFolder(layout, whereHeld(layout)),
    act: tool('set_file_attributes', (path) => ({ path, mode: '640', modified: '2001-02-03T04:05:06Z' })),
    did(site, layout) {
      const { mode, mtimeMs } = lstatSync(placeOf(site, layout));
      return (mode & 0o777) === 0o640 && mtimeMs === Date.UTC(2001, 1, 3, 4, 5, 6) && keepsLink(site, layout);
    },
  },
  {
    name: 'set_file_attributes, new',
    thing: 'nothing',
    expect: (layout) => (layout.link === undefined ? whereHeld(layout) : 'not-found'),
    act: tool('set_file_attributes', (path) => ({ path, create: true })),
    did: (site, layout) => holds(placeOf(site, layout), ''),
  },
  {
    name: 'edit_file',
    thing: 'file',
    expect: whereHeld,
    act: tool('edit_file', (path) => ({ path, edits: [{ oldText: 'target', newText: 'edited' }] })),
    did: (site, layout) => holds(placeOf(site, layout), 'edited\n') && keepsLink(site, layout),
  },
  {
    name: 'create_directory, new',
    thing: 'nothing',
    expect(layout) {
      if (layout.orphan) return 'done';
      return layout.link === undefined ? whereHeld(layout) : 'not-found';
    },
    act: tool('create_directory', (path) => ({ path })),
    did: (site, layout) => lstatSync(placeOf(site, layout)).isDirectory(),
  },
  {
    name: 'create_directory, there',
    thing: 'folder',
    expect: (layout) => (layout.orphan ? 'done' : whereHeld(layout)),
    act: tool('create_directory', (path) => ({ path })),
  },
];

const from = 'source of it';
const to = 'destination of it';

/** Returns whether a move moved the named entry, a link itself. */
function arrived(site: Site, layout: Layout, links: string): boolean {
  const path = join(site.root, to);
  return layout.link === undefined ? holds(path, targetText) : readlinkSync(path) === links;
}

function linkText(site: Site, { link }: Layout): string {
  return link === undefined ? '' : readlinkSync(join(site.root, link));
}

function transfers(name: 'move_file' | 'copy_file'): readonly Operation[] {
  const moves = name === 'move_file';
  return [
    {
      name: `${name}, from there`,
      thing: 'file',
      expect: (layout) => asFolder(layout, moves ? whereNamed(layout) : wherePresent(layout)),
      async act(site, layout) {
        const links = linkText(site, layout);
        const outcome = await call(site, name, { source: spoken(site, layout), destination: to });
        if (outcome.code !== 'done' || arrived(site, layout, links)) return outcome;
        return { ...outcome, code: 'something else arrived' };
      },
      did: (site, layout) => isThere(site, layout) !== moves,
    },
    {
      name: `${name}, to there`,
      thing: 'nothing',
      expect: whereFree,
      act(site, layout) {
        writeFileSync(join(site.root, from), targetText);
        return call(site, name, { source: from, destination: spoken(site, layout) });
      },
      did: (site, layout) =>
        holds(placeOf(site, layout), targetText) && existsSync(join(site.root, from)) !== moves,
    },
  ];
}

/** Returns whether the last name exists, without following a link. */
function isThere(site: Site, { link, place = '' }: Layout): boolean {
  return lstatSync(join(site.root, link ?? place), { throwIfNoEntry: false }) !== undefined;
}

const deleting: readonly Operation[] = [
  {
    name: 'delete_file',
    thing: 'file',
    expect: whereDeleted,
    act: tool('delete_file', (path) => ({ path })),
    did: (site, layout) =>
      !isThere(site, layout) &&
      (layout.link === undefined || layout.place === undefined || holds(placeOf(site, layout), targetText)),
  },
  {
    name: 'delete_file, a folder',
    thing: 'folder',
    expect: whereDeleted,
    act: tool('delete_file', (path) => ({ path, recursive: true })),
    did: (site, layout) =>
      !isThere(site, layout) &&
      (layout.link === undefined ||
        layout.place === undefined ||
        holds(join(placeOf(site, layout), 'found'), targetText)),
  },
];

/** Returns a URI with the layout's path, which the server resolves. */
function uriOf(site: Site, layout: Layout): string {
  const path = spoken(site, layout);
  return toFileUri(path.startsWith('/') ? path : `${site.root}/${path}`);
}

const resources: readonly Operation[] = [
  {
    name: 'resources/read',
    thing: 'file',
    expect: (layout) => (whereThere(layout) === 'done' ? 'done' : 'refused'),
    act: (site, layout) => asked(() => site.client.readResource(uriOf(site, layout))),
    did: saysTarget,
  },
  {
    name: 'subscribe',
    thing: 'file',
    // a missing path can be subscribed to, and is notified once it exists
    expect: (layout) => (layout.place !== undefined || layout.inFile ? 'done' : 'refused'),
    act: (site, layout) =>
      asked(async () => {
        let heard = (): void => {};
        const change = new Promise<void>((resolve) => {
          heard = resolve;
        });
        const subscription = await site.client.subscribe(uriOf(site, layout), () => heard());
        if (layout.place !== undefined && !layout.orphan) {
          writeFileSync(placeOf(site, layout), 'changed');
          await change;
        }
        await subscription.close();
        return 'heard';
      }),
  },
  {
    name: 'completion/complete',
    thing: 'folder',
    expect: (layout) => (whereThere(layout) === 'done' ? 'done' : 'refused'),
    async act(site, layout) {
      const value = `${uriOf(site, layout).slice('file:///'.length).replace(/\/$/, '')}/fo`;
      const { values } = await site.client.complete(
        { type: 'ref/resource', uri: 'file:///{+path}' },
        { name: 'path', value },
      );
      return { code: values.length > 0 ? 'done' : 'refused', words: JSON.stringify(values) };
    },
    did: saysFound,
  },
];

async function asked(request: () => Promise<unknown>): Promise<Outcome> {
  try {
    return { code: 'done', words: JSON.stringify(await request()) };
  } catch (error) {
    return { code: 'refused', words: error instanceof Error ? error.message : '' };
  }
}

/** All operations that take a path. */
export const operations: readonly Operation[] = [
  ...reading,
  together,
  ...looking,
  ...writing,
  ...transfers('move_file'),
  ...transfers('copy_file'),
  ...deleting,
  ...resources,
];

/** Returns a secret that the client received, if any. */
export function leaked(site: Site, layout: Layout, { words }: Outcome): string | undefined {
  const secrets = [outsideText.trim(), 'found-outside', join(site.top, 'outside')];
  return secrets.find((secret) => words.includes(secret) && !spoken(site, layout).includes(secret));
}
