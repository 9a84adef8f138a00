import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Containment } from '@rootbound/kit/boundary';
import { type Client, connect, streams } from '@rootbound/protocol/client';
import type { Parts } from './build.ts';
import type { Layout } from './layouts.ts';

export const targetText = 'target\n';
export const outsideText = 'the secret outside\n';

/** The entry that is created at the target of a layout before a call. */
export type Thing = 'file' | 'folder' | 'nothing';

/** A root between folders outside of it. */
export interface Site {
  readonly top: string;
  readonly root: string;
  readonly client: Client;
  close(): Promise<void>;
}

/** Starts a server with an empty root. */
export async function openSite(parts: Parts, containment: Containment): Promise<Site> {
  const top = mkdtempSync(join(realpathSync(tmpdir()), 'table-'));
  const root = join(top, 'root');
  mkdirSync(root);
  furnish(top);
  const filesystem = parts.createFilesystem({
    roots: [{ path: root, readOnly: false }],
    readOnly: false,
    tools: parts.toolNames,
    clientRoots: 'ignore',
    maxOutput: 102_400,
    containment,
    extra: { 'allow-delete': true, confirm: 'never' },
  });
  const client = await connect(
    streams(() => parts.serveMemory(filesystem.server)),
    { name: 'table', version: '1.0.0', timeout: 120_000 },
  );
  return {
    top,
    root,
    client,
    async close() {
      await client.close();
      await filesystem.close();
      rmSync(top, { recursive: true, force: true });
    },
  };
}

/** Restores the files around the root. */
export function furnish(top: string): void {
  for (const name of readdirSync(top))
    if (name !== 'root') rmSync(join(top, name), { recursive: true, force: true });
  for (const folder of ['outside/folder', 'root2']) mkdirSync(join(top, folder), { recursive: true });
  for (const file of ['outside/secret', 'outside/folder/found-outside', 'root2/secret'])
    writeFileSync(join(top, file), outsideText);
}

/** Recreates the root with a layout, and creates the thing at the target of its path. */
export function build(site: Site, layout: Layout, thing: Thing): void {
  for (const name of readdirSync(site.root)) rmSync(join(site.root, name), { recursive: true, force: true });
  for (const entry of layout.holds) {
    const [name = '', target] = entry.split(' -> ');
    const path = join(site.root, name);
    mkdirSync(name.endsWith('/') ? path : dirname(path), { recursive: true });
    if (target !== undefined) symlinkSync(absolute(site, target), path);
    else if (!name.endsWith('/')) writeFileSync(path, name);
  }
  if (layout.place === undefined || layout.orphan || thing === 'nothing') return;
  const place = join(site.root, layout.place);
  if (thing === 'file') writeFileSync(place, targetText);
  else {
    mkdirSync(place);
    writeFileSync(join(place, 'found'), targetText);
  }
}

/** Returns the caller's path of a layout. */
export function spoken(site: Site, layout: Layout): string {
  return absolute(site, layout.path);
}

function absolute(site: Site, text: string): string {
  return text.replace('$ROOT', site.root).replace('$OUTSIDE', join(site.top, 'outside'));
}

/** Lists everything below a folder with types and contents, without following links. */
export function snapshot(folder: string, below = ''): string[] {
  return readdirSync(join(folder, below))
    .sort()
    .flatMap((own) => {
      const name = join(below, own);
      const path = join(folder, name);
      const stat = lstatSync(path);
      const mode = (stat.mode & 0o777).toString(8);
      if (stat.isSymbolicLink()) return [`${name} -> ${readlinkSync(path)}`];
      if (stat.isDirectory()) return [`${name}/ ${mode}`, ...snapshot(folder, name)];
      return [`${name}: ${readFileSync(path, 'utf8')} ${mode}`];
    });
}

/** Lists everything outside the root. */
export function surroundings(site: Site): string {
  return [
    ...readdirSync(site.top).sort(),
    ...snapshot(join(site.top, 'outside')),
    ...snapshot(join(site.top, 'root2')),
  ].join();
}
