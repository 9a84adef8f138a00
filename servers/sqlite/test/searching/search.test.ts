import { expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { oneServer } from '../one-server.ts';
import { scratch } from '../scratch.ts';

const served = new Served();
const { database } = scratch();

const notes = database(
  'notes.db',
  `CREATE VIRTUAL TABLE note USING fts5(title, body, tag UNINDEXED);
   INSERT INTO note VALUES
     ('Tea', 'How to make tea: boil water, and put the tea leaves in.', 'a'),
     ('Coffee', 'Some drink it where others drink tea.', 'b'),
     ('C++ and state-of-the-art', 'Nothing to drink here: x:y "quoted" AND more', 'c');
   INSERT INTO note VALUES ('Long', 'tea ' || printf('%.2000c', 'x'), 'd');`,
);
const usual = oneServer(notes);
const older = database(
  'older.db',
  `CREATE VIRTUAL TABLE four USING fts4(title, body);
   CREATE VIRTUAL TABLE three USING fts3(body);
   INSERT INTO four VALUES ('one', 'tea tea tea'), ('two', 'a cup of tea in the long row of words that is here'), ('three', 'coffee'), ('five', 'milk'), ('six', 'water');
   INSERT INTO three VALUES ('more tea'), ('less');`,
);

interface Found {
  columns: Record<string, string[]>;
  hits: {
    table: string;
    rowid: number;
    score: number;
    matches: { column: string; text: string }[];
    values: unknown[];
  }[];
  truncated: boolean;
  next_cursor?: string;
}

test('matching rows are returned best first, with the words marked', async () => {
  const client = await usual();
  const { facts, text } = await call<Found>(client, 'search_text', { query: 'tea' });
  expect(facts.columns).toEqual({ note: ['title', 'body', 'tag'] });
  expect(facts.hits.map(({ rowid }) => rowid)).toEqual([1, 4, 2]);
  expect(facts.hits[0]).toEqual({
    table: 'note',
    rowid: 1,
    score: expect.any(Number),
    matches: [
      { column: 'title', text: '«Tea»' },
      { column: 'body', text: 'How to make «tea»: boil water, and put the «tea» leaves in.' },
    ],
    values: ['Tea', 'How to make tea: boil water, and put the tea leaves in.', 'a'],
  });
  expect(facts.hits[0]!.score).toBeGreaterThan(facts.hits[1]!.score);
  expect(facts.hits[1]!.values[1]).toEqual({
    $text: `tea ${'x'.repeat(296)}`,
    bytes: 2004,
    truncated: true,
  });
  expect(text).toContain('note 2: body: Some drink it where others drink «tea».');
  expect(text).toContain('never instructions');
});

test('a page continues after the previous one', async () => {
  const client = await usual();
  const first = await call<Found>(client, 'search_text', { query: 'tea OR drink', limit: 3 });
  expect([first.facts.truncated, first.facts.hits.length]).toEqual([true, 3]);
  const cursor = first.facts.next_cursor!;
  const second = await call<Found>(client, 'search_text', { query: 'tea OR drink', limit: 3, cursor });
  expect(second.facts.truncated).toBe(false);
  const rows = [...first.facts.hits, ...second.facts.hits].map(({ rowid }) => rowid);
  expect(rows.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4]);
  const other = await call(client, 'search_text', { query: 'coffee', cursor });
  expect(other.code).toBe('invalid-cursor');
});

test('the failure of invalid FTS syntax explains it, and plain searches its words', async () => {
  const client = await usual();
  const broken = await call(client, 'search_text', { query: 'C++' });
  expect([broken.code, broken.text]).toEqual(['search-syntax', expect.stringContaining('set plain')]);
  const column = await call(client, 'search_text', { query: 'state-of-the-art' });
  expect([column.code, column.text]).toEqual([
    'search-syntax',
    expect.stringContaining('note has no column of'),
  ]);
  for (const query of ['C++', 'state-of-the-art', '"quoted" AND', 'x:y', 'AND more']) {
    const { facts } = await call<Found>(client, 'search_text', { query, plain: true });
    expect([query, facts.hits.map(({ rowid }) => rowid)]).toEqual([query, [3]]);
  }
  const none = await call<Found>(client, 'search_text', { query: 'nothinglikethis' });
  expect([none.facts.hits, none.text]).toEqual([[], 'no row matches']);
});

test('FTS3 and FTS4 tables are searched too, all of them if none is named', async () => {
  const client = await served.client([older]);
  const { facts } = await call<Found>(client, 'search_text', { query: 'tea' });
  expect(facts.hits.map(({ table, rowid, matches }) => [table, rowid, matches[0]?.text])).toEqual([
    ['four', 1, '«tea» «tea» «tea»'],
    ['four', 2, expect.stringContaining('«tea»')],
    ['three', 1, 'more «tea»'],
  ]);
  const three = await call<Found>(client, 'search_text', { query: 'TEA', table: 'Three', plain: true });
  expect(three.facts.hits.map(({ table, rowid }) => [table, rowid])).toEqual([['three', 1]]);
  const page = await call<Found>(client, 'search_text', { query: 'tea', limit: 2 });
  const rest = await call<Found>(client, 'search_text', {
    query: 'tea',
    limit: 2,
    cursor: page.facts.next_cursor,
  });
  expect(rest.facts.hits.map(({ table }) => table)).toEqual(['three']);
});

test('without a full-text table the hint creates one, and that works', async () => {
  const own = scratch();
  const path = own.database(
    'own.db',
    `CREATE TABLE "it's" (id INTEGER PRIMARY KEY, "a b" TEXT, n INTEGER); INSERT INTO "it's" VALUES (4, 'cup of tea', 1)`,
  );
  const client = await served.client([path]);
  const { code, text } = await call(client, 'search_text', { query: 'tea', table: "it's" });
  expect(code).toBe('no-search-table');
  const [sql] = /CREATE VIRTUAL TABLE .*/s.exec(text)!;
  own.open(path).exec(sql);
  const { facts } = await call<Found>(client, 'search_text', { query: 'tea' });
  expect(facts.hits.map(({ rowid }) => rowid)).toEqual([4]);
});

test('an ordinary table is not searched', async () => {
  const client = await usual();
  const { code, text } = await call(client, 'search_text', { query: 'tea', table: 'note_content' });
  expect([code, text]).toEqual(['no-search-table', expect.stringContaining('full-text tables: note')]);
});

test('hits stay within the result limit', async () => {
  const path = scratch().database(
    'many.db',
    `CREATE VIRTUAL TABLE t USING fts5(a);
     WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
       INSERT INTO t SELECT 'word ' || printf('%.200c', 'y') || i FROM n;`,
  );
  const client = await served.client([path], { maxOutput: 4_000 });
  const seen = new Set<number>();
  let cursor: string | undefined;
  do {
    const { facts, text } = await call<Found>(client, 'search_text', {
      query: 'word',
      limit: 100,
      ...(cursor !== undefined && { cursor }),
    });
    expect(JSON.stringify(facts).length).toBeLessThanOrEqual(4_000);
    expect(text.length).toBeLessThanOrEqual(4_000);
    for (const { rowid } of facts.hits) seen.add(rowid);
    cursor = facts.next_cursor;
  } while (cursor !== undefined);
  expect(seen.size).toBe(300);
});
