import { join } from 'node:path';
import { textOfBytes } from '@rootbound/kit/boundary';
import { assertNoLinkOutOfObjects } from './links.ts';
import { contentOf, type Folder, folderAt, follow, statsIn } from './pointers.ts';
import { type Look, unsupported } from './refusals.ts';

const mostAlternates = 100;

/** Throws for objects outside the boundary: in the folder's own list of alternates, or in theirs. */
export function assertObjectsInside(look: Look, objects: Folder): void {
  const waiting = [objects.path];
  const seen = new Set(waiting);
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    assertNoLinkOutOfObjects(look, folder);
    for (const place of alternatesOf(look, folder)) {
      if (seen.has(place)) continue;
      seen.add(place);
      if (seen.size > mostAlternates)
        throw unsupported(
          look.displayPath,
          `more than ${mostAlternates} alternates`,
          'run git repack -a -d and remove them',
        );
      waiting.push(place);
    }
  }
}

function alternatesOf(look: Look, objects: string): string[] {
  const info = join(objects, 'info');
  const file = join(info, 'alternates');
  const [own] = statsIn(look, info, ['alternates']);
  const bytes = own === undefined ? undefined : contentOf(look, file);
  if (bytes === undefined) return [];
  const found: string[] = [];
  for (const written of entriesIn(bytes.toString('latin1'))) {
    const { path, exists } = follow(look, file, objects, textOfBytes(Buffer.from(written, 'latin1')));
    // git skips a missing one
    if (exists && folderAt(look.scope, path) !== undefined) found.push(path);
  }
  return found;
}

const quotedEntry = /"((?:[^"\\]|\\(?:[abfnrtv"\\]|[0-3][0-7]{2}))*)"/y;

/**
 * Returns the paths in a list, bytes as Latin-1, split where git splits: the text after a quoted path and one more byte
 * is the next.
 */
function* entriesIn(text: string): Generator<string> {
  const nul = text.indexOf('\0');
  const list = nul === -1 ? text : text.slice(0, nul);
  for (let at = 0; at < list.length; at++) {
    quotedEntry.lastIndex = at;
    const quoted = quotedEntry.exec(list);
    const lineEnd = list.indexOf('\n', at);
    const end = quoted !== null ? quotedEntry.lastIndex : lineEnd === -1 ? list.length : lineEnd;
    if (quoted !== null) yield unescaped(quoted[1]!);
    else if (end > at && list[at] !== '#') yield list.slice(at, end);
    at = end;
  }
}

const letters: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3}|.)/g, (_, code: string) =>
    code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (letters[code] ?? code),
  );
}
