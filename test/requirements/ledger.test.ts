import { expect, test } from 'vitest';
import { revisionNames } from '../schema/official.ts';
import { chainOf, idIn, ledger, levels, requirement } from './ledger.ts';

const rows = [...ledger.values()];

test('every row has the fields, level and id that the README describes', () => {
  for (const row of rows) {
    expect(Object.keys(row)).toEqual(['id', 'level', 'role', 'area', 'text', 'source', 'same_as']);
    expect([...levels, 'MAY']).toContain(row.level);
    const [revision, area, statement, more] = row.id.split('/');
    expect(revisionNames).toContain(revision);
    expect([area, more]).toEqual([row.area, undefined]);
    expect(statement).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  }
});

test('the ledger is complete: 3,776 ids, 1,515 of them distinct', () => {
  expect([ledger.size, rows.filter((row) => row.same_as === null).length]).toEqual([3776, 1515]);
});

test('same_as is an id of the previous revision', () => {
  for (const { id, same_as: before } of rows) {
    if (before === null) continue;
    const revision = revisionNames.findIndex((name) => id.startsWith(name));
    expect(requirement(before).id.startsWith(revisionNames[revision - 1]!)).toBe(true);
  }
});

test('a chain has the same requirement of every revision, for each of its ids', () => {
  const chain = revisionNames.map((revision) => `${revision}/jsonrpc/request-id-not-null`);
  expect(chainOf(chain[0]!)).toEqual(chain);
  expect(chainOf(chain[3]!)).toEqual(chain);
  expect(idIn('2025-06-18', chain[4]!)).toBe(chain[2]);
});

test('if one requirement became two, each begins its own chain', () => {
  expect(chainOf('2024-11-05/jsonrpc/response-id-matches-request')).toHaveLength(3);
  expect(chainOf('2026-07-28/jsonrpc/error-response-echoes-request-id')).toHaveLength(2);
});

test('an unknown id is an error', () => {
  expect(() => chainOf('2024-11-05/jsonrpc/no-such-thing')).toThrow('no id 2024-11-05/jsonrpc/no-such-thing');
});
