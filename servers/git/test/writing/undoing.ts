import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@rootbound/protocol/client';
import { call } from '../harness.ts';
import type { Scratch } from '../scratch.ts';

/** The calls that an undo text names, with their arguments. */
export function callsIn(undo: string): { tool: string; args: Record<string, unknown> }[] {
  return undo.split(', then ').map((text) => {
    const [, tool, rest] = /^(\w+) with (.*)$/s.exec(text) ?? [];
    if (tool === undefined) throw new Error(`no call: ${text}`);
    const args: Record<string, unknown> = {};
    const parts = rest!.matchAll(
      /(\w+)(?: (true|false|"(?:[^"\\]|\\.)*"|\[(?:[^\]"]|"(?:[^"\\]|\\.)*")*\]))?(?:, | and |$)/gs,
    );
    for (const [, name, value = 'true'] of parts) args[name!] = JSON.parse(value);
    return { tool, args };
  });
}

/** Makes the calls of an undo one after the other, exactly as they are told. */
export async function takeBack(client: Client, repo: string, undo: string): Promise<void> {
  for (const { tool, args } of callsIn(undo)) {
    const { failed, text } = await call(client, tool, { ...args, repo_path: repo });
    if (failed) throw new Error(`${tool} ${JSON.stringify(args)} of the undo failed: ${text}`);
  }
}

export interface Seen {
  /** mode and content of each file of the work tree */
  readonly files: Readonly<Record<string, string>>;
  /** what `git ls-files --stage` lists */
  readonly index: readonly string[];
}

/** The work tree and the index, byte for byte. */
export function lookAt({ git }: Scratch, repo: string): Seen {
  const files: Record<string, string> = {};
  const walk = (folder: string): void => {
    for (const { name } of readdirSync(join(repo, folder), { withFileTypes: true })) {
      if (name === '.git') continue;
      const path = folder === '' ? name : `${folder}/${name}`;
      const stat = lstatSync(join(repo, path));
      if (stat.isDirectory()) walk(path);
      else if (stat.isSymbolicLink()) files[path] = `120000 ${readlinkSync(join(repo, path))}`;
      else
        files[path] =
          `${(stat.mode & 0o100) === 0 ? '100644' : '100755'} ${readFileSync(join(repo, path), 'latin1')}`;
    }
  };
  walk('');
  const listed = git(repo, 'ls-files', '--stage', '-t', '-z').toString('latin1');
  return { files, index: listed.split('\0').filter(Boolean) };
}

/** The paths that two looks have differently, and how. */
export function changesBetween(before: Seen['files'], after: Seen['files']): Record<string, string> {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return Object.fromEntries(
    paths.flatMap((path) => {
      if (before[path] === after[path]) return [];
      const kind = before[path] === undefined ? 'created' : after[path] === undefined ? 'deleted' : 'changed';
      return [[path, kind]];
    }),
  );
}
