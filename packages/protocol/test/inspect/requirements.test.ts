import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { demandOf } from '../../src/inspect/check/demand.ts';
import { rules } from '../../src/inspect/check/examine.ts';
import { type RequirementId, requirements } from '../../src/inspect/check/requirements.ts';
import { allRevisions } from '../../src/protocol/revisions.ts';

interface Row {
  id: string;
  level: string;
  role: string;
  text: string;
  source: string;
}

const folder = join(import.meta.dirname, '..', '..', '..', '..', 'test', 'requirements', 'ledger');
const ledger = new Map(
  allRevisions.flatMap((revision) =>
    readFileSync(join(folder, `${revision}.jsonl`), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Row) // the ledger's own tests check its rows
      .map((row) => [row.id, row] as const),
  ),
);
const ids = Object.keys(requirements) as RequirementId[];

test('every requirement of the table is checked by a rule, and there are no other rules', () => {
  expect(Object.keys(rules).toSorted()).toEqual(ids.toSorted());
});

describe.each(allRevisions)('in %s', (revision) => {
  test('the table has exactly the levels of the ledger, and only rows that bind a server', () => {
    const ours = ids.flatMap((id) => demandOf(id, revision) ?? []).map(({ id, level }) => [id, level]);
    const theirs = ids.flatMap((id) => ledger.get(`${revision}/${id}`) ?? []);
    expect(ours).toEqual(theirs.map(({ id, level }) => [id, level]));
    expect(theirs.filter(({ role }) => role !== 'server' && role !== 'both')).toEqual([]);
  });

  test('every link leads to the dated page and the heading of the ledger', () => {
    for (const id of ids) {
      const demand = demandOf(id, revision);
      if (demand === undefined) continue;
      const [page = '', heading = ''] = ledger.get(demand.id)!.source.split('#');
      if (page === 'jsonrpc-2.0') {
        expect(demand.link).toBe(`https://www.jsonrpc.org/specification#${heading}`);
        continue;
      }
      const file = page === 'schema' && revision < '2025-06-18' ? `schema/${revision}/schema.ts` : undefined;
      const dated = file ?? `specification/${revision}/${page.replace(/\/index$/, '')}`;
      expect(demand.link).toContain(page.startsWith('docs/') || page === 'versioning' ? page : dated);
      if (file === undefined) expect(demand.link.toLowerCase()).toContain(heading.toLowerCase());
    }
  });
});

test('the text of a requirement is that of the newest revision that has it', () => {
  for (const id of ids) {
    const [newest] = allRevisions.toReversed().flatMap((revision) => ledger.get(`${revision}/${id}`) ?? []);
    expect([id, requirements[id][0]]).toEqual([id, newest?.text]);
  }
});
