import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { full } from '../../../../test/extent.ts';
import { call } from '../harness.ts';
import { oneServer } from '../one-server.ts';
import { scratch } from '../scratch.ts';
import { Chance } from '../values/generated.ts';
import { generatedSelect, generatedTables } from './selects.ts';

const { folder, database } = scratch();
const client = oneServer(folder);
const TABLES = full ? 10 : 2;
const QUERIES = full ? 200 : 60;
const END = '-- end of rows';

const { error } = spawnSync('sqlite3', ['--version']);

test.skipIf(error !== undefined)(
  'generated queries over joins, groups, windows and collations return the rows of the sqlite3 command line',
  async () => {
    const chance = new Chance(3);
    let rows = 0;
    for (let turn = 0; turn < TABLES; turn += 1) {
      const path = database(`shell-${turn}.db`, generatedTables(chance));
      const selects = Array.from({ length: QUERIES }, () => generatedSelect(chance));
      const expected = rowsOfShell(path, selects);
      for (const [at, { sql }] of selects.entries()) {
        const { facts, text } = await call<{ rows: unknown[][]; truncated: boolean }>(
          await client(),
          'read_query',
          { query: sql, database: path, limit: 1000 },
        );
        expect([sql, facts?.rows?.map((row) => row.map(comparable)), facts?.truncated, text]).toEqual([
          sql,
          expected[at],
          false,
          text,
        ]);
        rows += facts.rows.length;
      }
    }
    // queries without rows prove nothing
    expect(rows).toBeGreaterThan(TABLES * QUERIES * 5);
  },
);

/** Selects every value as its type and bytes, which the command line prints exactly. */
function rowsOfShell(path: string, selects: readonly { sql: string; columns: number }[]): string[][][] {
  const script = selects.map(({ sql, columns }) => {
    const cells = Array.from({ length: columns }, (_, at) => {
      const cell = `c${at + 1}`;
      return `typeof(${cell}) || ':' || hex(iif(typeof(${cell}) = 'real', ieee754_to_blob(${cell}), ${cell}))`;
    });
    return `SELECT ${cells.join()} FROM (${sql});\n.print ${END}\n`;
  });
  const { stdout, stderr } = spawnSync('sqlite3', ['-batch', '-noheader', '-list', path], {
    input: script.join(''),
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  expect(stderr).toBe('');
  const parts = stdout.split(`${END}\n`).slice(0, -1);
  return parts.map((part) =>
    part === ''
      ? []
      : part
          .trimEnd()
          .split('\n')
          .map((line) => line.split('|').map(fromShell)),
  );
}

function comparable(cell: unknown): string {
  if (cell === null) return 'null:';
  if (typeof cell === 'string') return `text:${hex(Buffer.from(cell))}`;
  if (typeof cell === 'number') return `number:${cell}`;
  const { $int, $real, $blob } = cell as Record<string, string>;
  if ($int !== undefined) return `number:${$int}`;
  if ($real !== undefined) return `number:${$real}`;
  return `blob:${hex(Buffer.from($blob!, 'base64'))}`;
}

/** Decodes a value from the JSON of a result; whether 5 is a REAL is tested elsewhere. */
function fromShell(line: string): string {
  const [type, bytes = ''] = line.split(':');
  if (type === 'integer') return `number:${Buffer.from(bytes, 'hex').toString()}`;
  if (type === 'real') return `number:${Buffer.from(bytes, 'hex').readDoubleBE()}`;
  return line;
}

const hex = (bytes: Buffer): string => bytes.toString('hex').toUpperCase();
