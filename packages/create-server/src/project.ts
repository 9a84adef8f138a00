import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Files, writeFiles } from './files.ts';
import { Problem } from './problem.ts';

/** Throws for a place where the project would meet existing files. */
export function assertFree(folder: string): void {
  if (existsSync(folder)) {
    if (!statSync(folder).isDirectory()) throw new Problem(`${folder} is a file; choose another folder`);
    if (readdirSync(folder).length > 0)
      throw new Problem(`${folder} is not empty, and nothing is overwritten; choose another folder`);
  } else if (!existsSync(dirname(folder)))
    throw new Problem(`${dirname(folder)} does not exist; make it first`);
}

/**
 * Creates a folder with files, and those that `prepare` adds, completely or not at all: it is created under another
 * name, and renamed when it is complete.
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
  // a rename replaces an empty folder that appeared meanwhile, and fails where there is more
  try {
    renameSync(draft, folder);
  } catch (cause) {
    if (!existsSync(folder)) throw cause;
    throw new Problem(`${folder} was made by someone else meanwhile; choose another folder`, { cause });
  }
}

/** Fills an existing empty folder, which stays the same folder, as it may be somebody's working directory. */
function moveUp(draft: string, folder: string): void {
  if (readdirSync(folder).some((name) => name !== basename(draft)))
    throw new Problem(`${folder} is no longer empty; choose another folder`);
  for (const name of readdirSync(draft)) renameSync(join(draft, name), join(folder, name));
  rmdirSync(draft);
}
