import { join } from 'node:path';
import { textOfBytes } from '@rootbound/kit/boundary';
import { yieldToEventLoop } from '@rootbound/kit/primitives';
import type { Opened } from '../../call/open-repository.ts';
import { bytesOfName } from '../../porcelain/names.ts';
import { openRepository } from '../../repository/open.ts';
import { entriesIn, orMissing } from './trace.ts';
import type { Look, PathKind } from './watched.ts';

/** Files and folders of one work tree; those of a larger one are not watched. */
export const mostFiles = 5_000;
/** Folders after which the walk yields to the event loop. */
const TURN_FOLDERS = 50;

/** Returns the files on which a status depends: all but ignored ones, and the folders of submodules. */
export async function filesOf(
  { repository: { place, opened } }: Opened,
  ignored: readonly string[],
): Promise<NonNullable<Look['files']>> {
  const files = new Map<string, PathKind>();
  if (place.workTree === undefined) return files;
  const top = place.workTree;
  const skipped = new Set(
    ignored.map((name) => join(top, textOfBytes(bytesOfName(name.replace(/\/("?)$/, '$1'))))),
  );
  const waiting = [top];
  for (let at = 0; at < waiting.length; at++) {
    const folder = waiting[at]!;
    files.set(folder, 'directory');
    for (const { name, bytes, kind } of entriesIn(opened.roots, folder)) {
      const path = join(folder, bytes === undefined ? name : textOfBytes(bytes));
      if (name === '.git') {
        files.set(path, 'file');
        if (folder !== top) addSubmodule(files, () => openRepository(opened.roots, folder, opened.allowed));
      } else if (skipped.has(path)) continue;
      else if (kind === 'directory') waiting.push(path);
      else files.set(path, 'file');
    }
    if (files.size + waiting.length - at > mostFiles) return 'too many';
    if (at % TURN_FOLDERS === TURN_FOLDERS - 1) await yieldToEventLoop();
  }
  return files;
}

/** the commit of a submodule shows in its own git dir */
function addSubmodule(files: Map<string, PathKind>, open: () => ReturnType<typeof openRepository>): void {
  const inner = orMissing(open);
  if (inner === undefined) return;
  for (const name of ['HEAD', 'logs/HEAD', 'index']) files.set(join(inner.place.gitDir, name), 'file');
}
