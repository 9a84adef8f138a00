import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type At, type Case, cases, changing } from './cases.ts';
import { type Difference, differences } from './differences.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import { official, ours, type Side, startSide } from './side.ts';

let sides: [Side, Side];
beforeAll(async () => {
  sides = await Promise.all([startSide(official), startSide(ours)]);
});
afterAll(() => Promise.all(sides.map((side) => side.close())));

/** Returns both outcomes of one case. */
async function both(one: Case, name: string): Promise<[Outcome, Outcome]> {
  const [theirs, own] = await Promise.all(sides.map((side) => outcome(side, one, name)));
  return [theirs!, own!];
}

async function outcome({ place, client }: Side, { tool, args }: Case, name: string): Promise<Outcome> {
  const changes = changing.includes(tool);
  const below = changes ? name : 'read';
  const folder = place.folder(below, !changes);
  const at: At = { folder, below, root: place.root, outside: place.outside };
  const call = client.callTool({ name: tool, arguments: args(at) });
  const result = await call.catch(() => ({ content: [], isError: true }));
  const outcome = outcomeOf(tool, result, folder, place.root);
  return changes ? { ...outcome, disk: place.disk(below) } : outcome;
}

/** Describes how the outcomes differ apart from the declared differences. */
function howDifferent([theirs, own]: [Outcome, Outcome]): Difference['how'] | undefined {
  if (isDeepStrictEqual(theirs, own)) return undefined;
  if (own.refused && !theirs.refused) return 'we refuse';
  return theirs.refused && !own.refused ? 'they refuse' : 'both answer';
}

/** Returns whether the declared differences explain all differences. */
function explains(declared: readonly Difference[], [theirs, own]: [Outcome, Outcome]): boolean {
  const how = howDifferent([theirs, own]);
  if (declared.length === 0 || declared.some((one) => one.how !== how)) return false;
  if (how !== 'both answer' || declared.some(({ rest }) => rest === undefined)) return true;
  const rest = ({ facts }: Outcome, whose: 'theirs' | 'ours'): unknown =>
    declared.reduce((left, one) => one.rest!(left, whose), facts);
  return isDeepStrictEqual(rest(theirs, 'theirs'), rest(own, 'ours'));
}

test('every tool of the official server exists, with every argument', async () => {
  const [theirs] = sides;
  const tools = (await theirs.client.listTools()).tools;
  expect(tools.map(({ name }) => name).toSorted()).toEqual(
    [...new Set(cases.map(({ tool }) => tool))].toSorted(),
  );
  const args = new Set<string>();
  const at: At = { folder: '/f', below: 'f', root: '/', outside: '/o' };
  for (const one of cases) for (const key of Object.keys(one.args(at))) args.add(`${one.tool} ${key}`);
  const offered = tools.flatMap(({ name, inputSchema }) =>
    Object.keys(inputSchema.properties ?? {}).map((key) => `${name} ${key}`),
  );
  expect(offered.filter((one) => !args.has(one) && !one.startsWith('read_file '))).toEqual([]);
});

test('every call has the same effect as at the official server, or a declared difference', async () => {
  expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
  const undeclared: unknown[] = [];
  const observed = new Set<Difference>();
  for (const [index, one] of cases.entries()) {
    const outcomes = await both(one, `case-${index}`);
    const declared = differences.filter((difference) => difference.cases.test(one.name));
    const how = howDifferent(outcomes);
    if (how === undefined && declared.length === 0) continue;
    if (explains(declared, outcomes)) for (const difference of declared) observed.add(difference);
    else undeclared.push({ name: one.name, how, declared: declared.map(({ says }) => says), outcomes });
  }
  expect(undeclared).toEqual([]);
  expect(differences.filter((one) => !observed.has(one))).toEqual([]);
});
