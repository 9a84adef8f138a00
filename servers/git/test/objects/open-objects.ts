import { createHash } from 'node:crypto';
import { Boundary, parseRootSpec } from '@rootbound/kit/boundary';
import { afterAll } from 'vitest';
import { Objects, type ObjectsOptions } from '../../src/repository/objects.ts';
import { openRepository } from '../../src/repository/open.ts';
import { findGit } from '../../src/run/git.ts';
import { type Oid, toOid } from '../../src/run/oid.ts';
import { type Scratch, scratch } from '../scratch.ts';

const opened: Objects[] = [];

afterAll(async () => {
  for (const objects of opened.splice(0)) await objects.close();
});

/** The objects of the repository in a folder; they are closed after the tests of the file. */
export function openObjects(folder: string, options: Partial<ObjectsOptions> = {}): Objects {
  const roots = [parseRootSpec(folder)];
  const scope = new Boundary({ roots, policy: 'narrow' }).narrowing().scope(undefined);
  const repository = openRepository(scope, folder, { commonDirs: [] });
  const objects = new Objects({ git: findGit(), repository, place: () => repository.place, ...options });
  opened.push(objects);
  return objects;
}

/** A repository with one commit. */
export interface Made extends Scratch {
  readonly objects: Objects;
  readonly head: () => Oid;
  readonly commit: (message: string) => Oid;
  readonly blob: (content: string | Buffer) => Oid;
}

export function repository(format = 'sha1', options: Partial<ObjectsOptions> = {}): Made {
  const made = scratch();
  const { folder, git } = made;
  git(folder, 'init', '-q', `--object-format=${format}`);
  const head = () => toOid(git(folder, 'rev-parse', 'HEAD').toString().trim());
  const commit = (message: string) => {
    git(folder, 'commit', '-q', '--allow-empty', '-m', message);
    return head();
  };
  const blob = (content: string | Buffer) =>
    toOid(git(folder, 'hash-object', '-w', '--stdin', { input: content }).toString().trim());
  commit('one');
  return { ...made, objects: openObjects(folder, options), head, commit, blob };
}

/** Two contents whose objects have names that begin with the same four digits. */
export function namesakes(): [string, string] {
  const seen = new Map<string, string>();
  for (let index = 0; ; index++) {
    const content = `content ${index}`;
    const short = createHash('sha1').update(`blob ${content.length}\0${content}`).digest('hex').slice(0, 4);
    const other = seen.get(short);
    if (other !== undefined) return [other, content];
    seen.set(short, content);
  }
}
