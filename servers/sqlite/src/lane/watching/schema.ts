import { hash } from 'node:crypto';
import { payloadsOf, pointersOf, readVarint } from './cells.ts';
import type { FileSnapshot } from './file-snapshot.ts';
import { chainOf } from './tree.ts';

/** The parts of a table or view that determine which changes concern it. */
export interface Definition {
  /** root pages of the b-trees with its rows: those of the shadow tables of a virtual table, none of a view */
  readonly roots: readonly number[];
  /** hash of its SQL and of its indexes and triggers */
  readonly digest: string;
  /** whether its rows come from outside the known b-trees, so that any commit may change them */
  readonly isExternal: boolean;
  readonly isView: boolean;
}

interface Entry {
  readonly type: string;
  readonly name: string;
  readonly table: string;
  readonly root: number;
  readonly sql: string;
}

/** Matches names of shadow tables of SQLite's modules. */
const shadowOf = /^(.+)_(?:content|segments|segdir|docsize|stat|data|idx|config|node|parent|rowid)$/s;
const own = /using\s+["'`[]?(?:fts[345]|rtree|rtree_i32|geopoly)\b/i;

/** Reads the tables and views of a database, by name in lower case. */
export function readSchema(snapshot: FileSnapshot): ReadonlyMap<string, Definition> {
  const entries = entriesOf(snapshot);
  const byName = new Map(entries.map((entry) => [entry.name.toLowerCase(), entry]));
  const roots = new Map<string, number[]>();
  const words = new Map<string, string[]>();
  for (const { type, name, table, root, sql } of entries) {
    const key = table.toLowerCase();
    words.set(key, [...(words.get(key) ?? []), `${type} ${name} ${sql}`]);
    if (type !== 'table' || root === 0) continue;
    const above = shadowOf.exec(name.toLowerCase())?.[1];
    const owners = above !== undefined && byName.get(above)?.root === 0 ? [key, above] : [key];
    for (const owner of owners) roots.set(owner, [...(roots.get(owner) ?? []), root]);
  }
  const definitions = new Map<string, Definition>([
    ['sqlite_schema', { roots: [], digest: '', isExternal: false, isView: false }],
    ['sqlite_master', { roots: [], digest: '', isExternal: false, isView: false }],
  ]);
  for (const [key, { type, root, sql }] of byName) {
    if (type !== 'table' && type !== 'view') continue;
    const isVirtual = type === 'table' && root === 0;
    const digest = hash('sha256', JSON.stringify((words.get(key) ?? []).sort()));
    definitions.set(key, {
      roots: roots.get(key) ?? [],
      digest,
      isExternal: isVirtual && !own.test(sql),
      isView: type === 'view',
    });
  }
  return definitions;
}

function entriesOf(snapshot: FileSnapshot): Entry[] {
  const { header } = snapshot.stamp;
  if (header === undefined) return [];
  const entries: Entry[] = [];
  const seen = new Set<number>();
  const waiting = [1];
  for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
    const page = snapshot.page(number);
    if (seen.has(number) || page.length < header.pageSize) continue;
    seen.add(number);
    const { below } = pointersOf(page, number, header.usable);
    if (below.length > 0) {
      waiting.push(...below);
      continue;
    }
    for (const { size, at, local, next } of payloadsOf(page, number, header.usable)) {
      const head = page.subarray(at, at + local);
      const rest =
        next === 0 ? [] : [...chainOf(snapshot, next)].map(([, held]) => held.subarray(4, header.usable));
      const entry = entryOf(Buffer.concat([head, ...rest]).subarray(0, size), header.encoding);
      if (entry !== undefined) entries.push(entry);
    }
  }
  return entries;
}

/** Parses a row of `sqlite_schema`. Source: https://sqlite.org/fileformat2.html#record_format */
function entryOf(record: Buffer, encoding: 'utf8' | 'utf16le' | 'utf16be'): Entry | undefined {
  const head = readVarint(record, 0);
  const values: (string | number)[] = [];
  let at = head.value;
  for (let place = head.end; place < head.value && values.length < 5; ) {
    const { value: type, end } = readVarint(record, place);
    place = end;
    const length = lengthOf(type);
    const bytes = record.subarray(at, at + length);
    at += length;
    if (type >= 13) values.push(textOf(bytes, encoding));
    else
      values.push(type === 9 ? 1 : type >= 1 && type <= 6 && bytes.length === length ? integerOf(bytes) : 0);
  }
  const [type, name, table, root, sql] = values;
  if (typeof type !== 'string' || typeof name !== 'string' || typeof table !== 'string') return undefined;
  return {
    type,
    name,
    table,
    root: typeof root === 'number' ? root : 0,
    sql: typeof sql === 'string' ? sql : '',
  };
}

function lengthOf(type: number): number {
  if (type >= 12) return Math.floor((type - 12) / 2);
  return [0, 1, 2, 3, 4, 6, 8, 8, 0, 0][type] ?? 0;
}

function integerOf(bytes: Buffer): number {
  return bytes.length > 6 ? Number(bytes.readBigInt64BE()) : bytes.readIntBE(0, bytes.length);
}

function textOf(bytes: Buffer, encoding: 'utf8' | 'utf16le' | 'utf16be'): string {
  if (encoding === 'utf16be') return Buffer.from(bytes).swap16().toString('utf16le');
  return bytes.toString(encoding);
}
