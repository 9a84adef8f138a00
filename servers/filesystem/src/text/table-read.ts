import type { Stats } from 'node:fs';
import { assertOneName, openFile, refuse } from '@rootbound/kit/boundary';
import { isBinary } from '@rootbound/kit/media';
import type { Utf8Text } from '@rootbound/protocol';
import { inSlices } from '../edit/slices.ts';
import { decodeByTable } from '../encodings/decode-file.ts';
import type { Table } from '../encodings/table.ts';
import { tableOf } from '../encodings/tables.ts';
import type { Workspace } from '../workspace.ts';
import { readBytes } from './bytes.ts';
import type { Invalid, ReadText } from './read-text.ts';
import { assertUnchanged, type Demand, notText, toText } from './streamed.ts';
import { type Lines, windowOf } from './window.ts';

/** The largest file, in bytes, that is read by a table: all of it is decoded before its lines are counted. */
const MOST_BYTES = 64 * 1024 * 1024;

const utf8 = { encoding: 'utf-8', base: 0, unit: 1, newline: 0x0a } as const;

/** Reads lines of a file in an encoding that needs a table. Offsets are those in its text as UTF-8. */
export async function readByTable(
  workspace: Workspace,
  path: string,
  lines: Lines,
  encoding: string,
  demand: Demand,
): Promise<ReadText> {
  const table = tableOf(encoding);
  const { signal } = demand.call;
  const file = openFile(workspace.scope, path);
  try {
    const whole = ({ size }: Stats): { offset: number; length: number } => {
      if (size > MOST_BYTES)
        throw refuse('too-large', path, `the limit for ${table.name} files is ${MOST_BYTES} bytes`);
      return { offset: 0, length: size };
    };
    const { bytes, stat } = await readBytes(file, path, 0, whole, { signal });
    assertOneName(stat, path, workspace.changes.hardLinks);
    assertUnchanged(lines, stat, path);
    if (isBinary(bytes)) throw notText(path);
    const text = await inSlices(decodeByTable(bytes, table), signal);
    const window = windowOf(text, lines);
    const seen = { ...window, source: utf8, trail: [], short: false };
    const read = await toText(seen, { path: file.path, root: file.root, stat }, lines, demand);
    return { ...read, encoding: table.name, invalid: invalidIn(read.text, bytes, table) };
  } finally {
    file.close();
  }
}

/** Counts the U+FFFD of a part, and finds the offset of the first invalid byte of the file. */
function invalidIn(text: Utf8Text, bytes: Buffer, table: Table): Invalid | undefined {
  const count = text.toString().split('\ufffd').length - 1;
  if (count === 0) return undefined;
  let first = 0;
  while (first < bytes.length) {
    const line = bytes.indexOf(0x0a, first);
    const end = line < 0 ? bytes.length : line + 1;
    const at = table.decode(bytes.subarray(first, end)).indexOf('\ufffd');
    if (at >= 0) {
      const before = table.encode(table.decode(bytes.subarray(first, end)).slice(0, at));
      return { bytes: count, first: first + (before?.length ?? 0) };
    }
    first = end;
  }
  return undefined;
}
