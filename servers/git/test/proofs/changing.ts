import { createHash } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  type Stats,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { names } from '../porcelain/random-states.ts';

type Random = (below: number) => number;

export type Step =
  | 'write'
  | 'remove'
  | 'move'
  | 'executable'
  | 'link'
  | 'stage'
  | 'unstage'
  | 'conflict'
  | 'ignore'
  | 'folder';

export const steps: readonly Step[] = [
  ...(['write', 'write', 'write', 'remove', 'move', 'executable', 'link'] as const),
  ...(['stage', 'stage', 'stage', 'unstage', 'conflict', 'ignore', 'folder'] as const),
];

/** Those that a file has to be there for. */
const ofFiles: ReadonlySet<Step> = new Set(['remove', 'move', 'executable']);

/** The contents of files; the first are rules to ignore by. */
const texts = ['*.log\n', 'build/\n!y.log\n', '', ...Array.from({ length: 9 }, (_, text) => textOf(text))];
const blobs = texts.map((text) => Buffer.from(text));

function textOf(text: number): string {
  return Array.from(
    { length: 14 },
    (_, line) => `text ${text % 3}, line ${line === text ? 'other' : line}\n`,
  ).join('');
}

/** For `git fast-import`: all that may be staged, and a first commit. */
export const beginning: Buffer = Buffer.concat([
  ...blobs.map((blob) =>
    Buffer.concat([Buffer.from(`blob\ndata ${blob.length}\n`), blob, Buffer.from('\n')]),
  ),
  Buffer.from('commit refs/heads/main\ncommitter A <a@b> 1000000000 +0000\ndata 0\n'),
  ...['a', 'dir/b', 'x.log', 'build/out', 'two  blanks'].map((name, at) =>
    Buffer.concat([Buffer.from(`M 100644 inline ${name}\ndata ${blobs[at + 3]!.length}\n`), blobs[at + 3]!]),
  ),
  Buffer.from('\ndone\n'),
]);

const oids = blobs.map((blob) =>
  createHash('sha1').update(`blob ${blob.length}\0`).update(blob).digest('hex'),
);
const none = '0'.repeat(40);

/** Takes one or two steps in a work tree; what is to be done to the index is for `update-index --index-info -z`. */
export function change(folder: string, next: Random, counts: Map<Step, number>): string {
  const pick = <T>(all: readonly T[]): T => all[next(all.length)]!;
  const place = (name: string) => Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name, 'latin1')]);
  const statOf = (name: string) => entryAt(place(name));
  let index = '';
  for (let left = 1 + next(2); left > 0; left--) {
    const step = pick(steps);
    const files = ofFiles.has(step) ? names.filter((each) => statOf(each)?.isFile()) : [];
    const name = pick(files.length > 0 ? files : names);
    const there = statOf(name);
    if (!take(step, name, there)) continue;
    counts.set(step, (counts.get(step) ?? 0) + 1);
  }
  return index;

  function take(step: Step, name: string, there: Stats | undefined): boolean {
    const isFile = there?.isFile() === true;
    switch (step) {
      case 'write':
        makeWay(folder, name);
        writeFileSync(place(name), pick(blobs));
        return true;
      case 'link':
        makeWay(folder, name);
        symlinkSync('nowhere', place(name));
        return true;
      case 'ignore':
        makeWay(folder, '.gitignore');
        writeFileSync(join(folder, '.gitignore'), texts[next(2)]!);
        return true;
      case 'folder':
        makeWay(folder, name);
        mkdirSync(place(name));
        return true;
      case 'stage':
        index += `0 ${none}\t${name}\0${pick(['100644', '100644', '100755', '120000'])} ${pick(oids)}\t${name}\0`;
        return true;
      case 'unstage':
        index += `0 ${none}\t${name}\0`;
        return true;
      case 'conflict':
        index += `0 ${none}\t${name}\0`;
        for (const stage of [1, 2, 3]) if (next(3) > 0) index += `100644 ${pick(oids)} ${stage}\t${name}\0`;
        return true;
      case 'remove':
        if (there !== undefined) rmSync(place(name), { recursive: true });
        return there !== undefined;
      case 'executable':
        if (isFile) chmodSync(place(name), next(2) === 0 ? 0o755 : 0o644);
        return isFile;
      case 'move': {
        const to = pick(names);
        if (!isFile || to === name || to.startsWith(`${name}/`) || name.startsWith(`${to}/`)) return false;
        makeWay(folder, to);
        renameSync(place(name), place(to));
        return true;
      }
    }
  }
}

/** Nothing at the place, and folders that lead to it. */
function makeWay(folder: string, name: string): void {
  const place = (path: string) => Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, 'latin1')]);
  const parts = name.split('/');
  for (let depth = 1; depth < parts.length; depth++) {
    const above = place(parts.slice(0, depth).join('/'));
    if (entryAt(above)?.isDirectory() === false) rmSync(above);
  }
  mkdirSync(place(parts.slice(0, -1).join('/')), { recursive: true });
  rmSync(place(name), { recursive: true, force: true });
}

function entryAt(path: Buffer): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    // there is nothing below a file
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
