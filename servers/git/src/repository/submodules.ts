import { readSync } from 'node:fs';
import { join } from 'node:path';
import { openFile, statEntry, textOfBytes } from '@rootbound/kit/boundary';
import { command } from '../run/command.ts';
import type { Git } from '../run/git.ts';
import { stream } from '../run/run.ts';
import type { Given } from './given.ts';
import { openRepository } from './open.ts';
import { readingPlace } from './private-dir.ts';
import { isNotFound } from './refusals.ts';
import type { Repository } from './repository.ts';
import { Kept, witness } from './witness.ts';

const known = new Kept<readonly string[]>(64);
/** The mode of a submodule in an index of any version, 0160000. */
const mode = Buffer.of(0, 0, 0xe0, 0);
/** The extension of an index with a part in another file. */
const link = Buffer.from('link');
const chunkBytes = 1 << 20;

/**
 * Returns the checked-out submodules. git starts a git in each of them when it looks for changes, with the
 * configuration of the submodule; any repository in the work tree at a path of the index is one.
 */
export async function submodulesOf(
  git: Git,
  repository: Repository,
  given: Given,
  signal?: AbortSignal,
): Promise<Repository[]> {
  const { place, opened } = repository;
  if (place.workTree === undefined) return [];
  const found: Repository[] = [];
  for (const path of await pathsOf(git, repository, given, signal)) {
    const top = join(place.workTree, path);
    if (!isThere(repository, join(top, '.git'))) continue;
    const inner = openRepository(opened.roots, top, opened.allowed);
    // a `.git` that git does not accept leads to the superproject
    if (inner.identity !== repository.identity) found.push(inner);
  }
  return found;
}

/** Returns the index entries for submodules, as paths from the top. */
async function pathsOf(
  git: Git,
  repository: Repository,
  given: Given,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const before = known.find(repository.identity);
  if (before !== undefined) return before;
  const begun = Date.now();
  const index = join(repository.place.gitDir, 'index');
  const paths = mayHold(repository, index) ? await listed(git, repository, given, signal) : [];
  return known.keep(repository.identity, witness([Buffer.from(index).toString('latin1')], begun), paths);
}

/** Returns whether the bytes of an index could contain a submodule; most cannot, and need no git to tell. */
function mayHold({ reach }: Repository, index: string): boolean {
  let file: ReturnType<typeof openFile>;
  try {
    file = openFile(reach, index);
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
  try {
    const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, file.stat.size) + mode.length);
    let kept = 0;
    for (;;) {
      const read = readSync(file.fd, chunk, kept, chunk.length - kept, null);
      if (read === 0) return false;
      const part = chunk.subarray(0, kept + read);
      if (part.includes(mode) || part.includes(link)) return true;
      // one that spans two chunks
      kept = Math.min(mode.length - 1, part.length);
      chunk.copyWithin(0, part.length - kept, part.length);
    }
  } finally {
    file.close();
  }
}

async function listed(
  git: Git,
  repository: Repository,
  given: Given,
  signal?: AbortSignal,
): Promise<string[]> {
  const paths: string[] = [];
  const { chunks, finished } = stream(git, command('ls-files', { flags: ['--stage', '-z'] }), {
    place: readingPlace(repository, given),
    signal,
  });
  let rest = '';
  for await (const chunk of chunks) {
    const text = chunk.toString('latin1');
    // a long name comes in many chunks
    if (!text.includes('\0')) {
      rest += text;
      continue;
    }
    const records = (rest + text).split('\0');
    rest = records.pop()!;
    for (const record of records)
      if (record.startsWith('160000 '))
        paths.push(textOfBytes(Buffer.from(record.slice(record.indexOf('\t') + 1), 'latin1')));
  }
  await finished;
  return paths;
}

function isThere({ reach }: Repository, path: string): boolean {
  try {
    statEntry(reach, path);
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}
