import { expect, test } from 'vitest';
import { readDeclined } from './declined.ts';
import { printTally, tally } from './tally.ts';

const both = '2026-07-28/jsonrpc/request-id-not-null';
const served = '2026-07-28/jsonrpc/result-has-result-type';
const should = '2024-11-05/ping/pings-issued-periodically';

test('a requirement of both sides needs a proof of each', () => {
  const one = tally([{ id: both, side: 'server' }], []).counts['2026-07-28']['MUST NOT'];
  expect([one.proved, one.missing.includes(both)]).toEqual([0, true]);
  const two = tally(
    [
      { id: both, side: 'server' },
      { id: both, side: 'client' },
    ],
    [],
  ).counts['2026-07-28']['MUST NOT'];
  expect([two.proved, two.missing.includes(both)]).toEqual([1, false]);
});

test('every requirement of server, client and both is counted once', () => {
  const { counts } = tally([{ id: served, side: 'server' }], []);
  const { total, proved, declined, missing } = counts['2026-07-28'].MUST;
  // the numbers of the ledger's table: 132 of the server, 118 of the client, 50 of both
  expect([total, proved, declined, missing.length]).toEqual([300, 1, 0, 299]);
});

test('a declined requirement is declined in every revision of its chain', () => {
  const { counts } = tally([], [{ id: should, reason: 'it costs more than it tells' }]);
  expect(Object.values(counts).map((row) => row.SHOULD.declined)).toEqual([1, 1, 1, 1, 0]);
});

test('a declined requirement must exist, have a reason and not be proved', () => {
  const { problems } = tally(
    [{ id: served, side: 'server' }],
    [
      { id: '2026-07-28/ping/none', reason: 'gone' },
      { id: should, alone: true, reason: ' ' },
      { id: served, reason: 'docs/contradictions.md' },
    ],
  );
  expect(problems).toEqual([
    '2026-07-28/ping/none is declined, but the ledger has no such id',
    `${should} is declined without a reason`,
    `${served} is declined, and proved as well`,
  ]);
});

test('a MUST can be declined only for a documented contradiction', () => {
  expect(tally([], [{ id: served, reason: 'too hard' }]).problems).toEqual([
    `${served} is a MUST: a reason must name the entry in docs/contradictions.md`,
  ]);
});

test('the list of declined requirements fits the ledger', () => {
  expect(tally([], readDeclined()).problems).toEqual([]);
});

test('the table lists the missing proofs', () => {
  const text = printTally(tally([], []).counts);
  expect(text).toContain('2026-07-28  MUST NOT       83       0         0       83');
  expect(text).toContain(`missing  MUST        ${served}\n`);
});
