import { closeSync, readSync } from 'node:fs';
import type { Directory, DirectoryAccess } from './directory.ts';
import { type Ignores, type IgnoreTexts, withIgnores } from './ignores.ts';

/** Flags for the entries of a directory that decide which entries are ignored. */
export const GIT_FILE = 1;
export const OWN_FILE = 2;
export const REPOSITORY = 4;
export const REPOSITORY_FOLDER = 8;

const MOST_BYTES = 1024 * 1024;
const piece = Buffer.allocUnsafeSlow(16 * 1024);

/** Called for an ignore file that has no effect because it cannot be read. */
export type OnUnread = (path: string, error: unknown) => void;

/** Reads the ignore files of a directory with these `marks`, and adds them to those of its ancestors. */
export function readIgnores(
  access: DirectoryAccess,
  directory: Directory,
  base: string,
  marks: number,
  outer: Ignores | undefined,
  onUnread: OnUnread,
): Ignores {
  const read = (from: Directory, name: string, path: string): string | undefined => {
    try {
      return readText(access, from, name);
    } catch (error) {
      onUnread(base + path, error);
      return undefined;
    }
  };
  const texts: IgnoreTexts = { base, repository: (marks & (REPOSITORY | REPOSITORY_FOLDER)) !== 0 };
  if ((marks & GIT_FILE) !== 0) texts.git = read(directory, '.gitignore', '.gitignore');
  if ((marks & OWN_FILE) !== 0) texts.own = read(directory, '.ignore', '.ignore');
  if ((marks & REPOSITORY_FOLDER) !== 0) {
    texts.exclude = readExclude(access, directory, (from) => read(from, 'exclude', '.git/info/exclude'));
  }
  return withIgnores(outer, texts);
}

function readExclude(
  access: DirectoryAccess,
  directory: Directory,
  read: (from: Directory) => string | undefined,
): string | undefined {
  const held: Directory[] = [];
  try {
    held.push(access.enter(directory, '.git'));
    held.push(access.enter(held[0]!, 'info'));
    return read(held[1]!);
  } catch {
    // many repositories have no such folder, which is not an error
    return undefined;
  } finally {
    for (const one of held) access.leave(one);
  }
}

function readText(access: DirectoryAccess, directory: Directory, name: string): string {
  const fd = access.file(directory, name);
  try {
    let text = '';
    for (let read = piece.length; read > 0; ) {
      read = readSync(fd, piece, 0, piece.length, null);
      text += piece.toString('latin1', 0, read);
      if (text.length > MOST_BYTES) throw Object.assign(new Error('too large'), { code: 'EFBIG' });
    }
    return text;
  } finally {
    closeSync(fd);
  }
}
