import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Files, writeFiles } from './files.ts';
import { Problem } from './problem.ts';

/** Refuses a place at which a project would meet something that is there. */
export function assertFree(folder: string): void {
  if (existsSync(folder)) {
    if (!statSync(folder).isDirectory()) throw new Problem(`${folder} is a file; choose another folder`);
    if (readdirSync(folder).length > 0)
      throw new Problem(`${folder} is not empty, and nothing is overwritten; choose another folder`);
  } else if (!existsSync(dirname(folder)))
    throw new Problem(`${dirname(folder)} does not exist; make it first`);
}

/**
 * Makes a folder with files, and what `prepare` adds to them, whole or not at all: it is made under another name, and
 * gets its own when it is done.
 */
export async function makeProject(
  folder: string,
  files: Files,
  prepare: (draft: string) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  assertFree(folder);
  const empty = existsSync(folder);
  const draft = join(empty ? folder : dirname(folder), `.${basename(folder)}-${randomUUID()}`);
  try {
    mkdirSync(draft);
    writeFiles(draft, files);
    await prepare(draft);
    signal.throwIfAborted();
    if (empty) moveUp(draft, folder);
    else rename(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function rename(draft: string, folder: string): void {
  // a rename takes the place of an empty folder that came meanwhile, and fails where there is more
  try {
    renameSync(draft, folder);
  } catch (cause) {
    if (!existsSync(folder)) throw cause;
    throw new Problem(`${folder} was made by someone else meanwhile; choose another folder`, { cause });
  }
}

/** Fills a folder that is there and empty: somebody may be in it, so it stays itself. */
function moveUp(draft: string, folder: string): void {
  if (readdirSync(folder).some((name) => name !== basename(draft)))
    throw new Problem(`${folder} is no longer empty; choose another folder`);
  for (const name of readdirSync(draft)) renameSync(join(draft, name), join(folder, name));
  rmdirSync(draft);
}
