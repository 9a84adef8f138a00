import { afterEach, describe, expect, test, vi } from 'vitest';
import { byHandEnvironment } from '../../src/run/environment.ts';
import { call, Served } from '../harness.ts';
import { full, sampled } from '../seeds.ts';
import { type Case, Here, type Place } from './by-hand/case.ts';
import { committing } from './by-hand/cases/committing.ts';
import { joining } from './by-hand/cases/joining.ts';
import { moving } from './by-hand/cases/moving.ts';
import { nesting } from './by-hand/cases/nesting.ts';
import { looking } from './by-hand/cases/reading.ts';
import { transferring } from './by-hand/cases/transferring.ts';
import { compare } from './by-hand/comparing.ts';
import { type Difference, leftOut, type Row, rows } from './by-hand/differences.ts';
import type { Started } from './by-hand/recorder.ts';
import { hooks, Site } from './by-hand/site.ts';

const cases: readonly Case[] = [
  ...committing,
  ...joining,
  ...moving,
  ...transferring,
  ...looking,
  ...nesting,
];
const usual: readonly Place[] = ['main', 'linked'];
/** Reached by nearly every command. */
const common = ['hooks/reference-transaction', 'hooks/post-index-change'];

const served = new Served();
const site = new Site();
afterEach(() => void vi.unstubAllEnvs());

/** Where a case is done now. */
function placesOf({ places = usual, everyday = [] }: Case): readonly Place[] {
  return full ? places : everyday;
}

const firstOf = ({ first }: Row) => (first === undefined ? [] : [first]);
const started = (records: readonly Started[]) => [...new Set(records.map(({ place }) => place))].sort();

const todo = sampled(
  cases.flatMap((each) => placesOf(each).map((place) => [each.name, place, each] as const)),
  3,
);
describe.skipIf(process.platform !== 'linux')('what git starts in a trusted repository is as by hand', () => {
  test.each(todo)('%s (%s)', async (_, place, { differs = [], reads = false, ...each }) => {
    site.begin();
    const here = new Here(site, place);
    here.begin();
    await each.prepare?.(here);
    const [byHand, calls] = [each.byHand(here), each.calls(here)];
    site.keep(here.top, here.files);
    each.before?.(here);
    const first = differs.flatMap((name) => firstOf(rows[name]));
    const hand = await site.byHand(each.from?.(here) ?? here.top, [...first, ...byHand]);
    const refs = site.refs(here.top);
    expect(started(hand).filter((name) => !common.includes(name))).toEqual([...new Set(each.starts)].sort());

    site.restore();
    each.before?.(here);
    const client = await served.client([site.root], {
      extra: { trust: [here.top, site.bare], 'allow-protocol': ['http', 'ssh', 'file'] },
    });
    let code: string | undefined;
    for (const [tool, args] of calls) {
      const reported = await call(client, tool, { repo_path: here.path, ...args });
      if (reported.failed) code = reported.code;
      expect([tool, reported.failed ? (each.fails ?? reported.text) : undefined]).toEqual([tool, code]);
    }
    const named: readonly Difference[] = reads ? [...differs, 'reading'] : differs;
    const { faults, met } = compare(hand, site.recorder.take(), named);
    expect(faults).toEqual([]);
    const unmet = differs.filter((name) => !met.has(name) && firstOf(rows[name]).length === 0);
    expect([unmet, code]).toEqual([[], each.fails]);
    if (!differs.includes('pull') && !differs.includes('submodules')) expect(site.refs(here.top)).toBe(refs);
  });
});

describe('the comparison sees', () => {
  const one: Started = { place: 'hooks/pre-commit', cwd: '/a', args: ['x'], env: { A: '1' }, stdin: 'y' };
  const other: Started = { ...one, place: 'hooks/post-commit' };

  test.each([
    ['another folder', [{ ...one, cwd: '/b' }, other]],
    ['another argument', [{ ...one, args: ['y'] }, other]],
    ['another standard input', [{ ...one, stdin: '' }, other]],
    ['another value of a variable', [{ ...one, env: { A: '2' } }, other]],
    ['a variable more', [{ ...one, env: { A: '1', GIT_DIR: '.git' } }, other]],
    ['a variable less', [{ ...one, env: {} }, other]],
    ['another value of a variable that may differ', [{ ...one, env: { A: '1', GIT_ASKPASS: 'x' } }, other]],
    ['a program less', [one]],
    ['a program more', [one, other, other]],
    ['another order', [other, one]],
    ['a look that is not named', [one, { ...one, env: { A: '1', GIT_OPTIONAL_LOCKS: '0' } }, other]],
  ] as const)('%s', (_, byServer) => {
    expect(compare([one, other], [one, other], [])).toEqual({ faults: [], met: new Set() });
    expect(compare([one, other], byServer, []).faults).toHaveLength(1);
  });
});

test('the cases reach every hook that git starts, but for one, and every kind of program', () => {
  const reached = new Set([...common, ...cases.flatMap(({ starts }) => starts)]);
  const unreached = hooks.filter((hook) => !reached.has(`hooks/${hook}`));
  expect(unreached).toEqual(['push-to-checkout']);
  const others = [...reached].filter((place) => !place.startsWith('hooks/')).sort();
  expect(others).toEqual([
    ...['core.editor', 'core.fsmonitor', 'core.sshCommand', 'credential.helper', 'diff.external'],
    ...['diff.own.command', 'diff.own.textconv', 'filter.plain.clean', 'filter.plain.smudge'],
    ...['filter.smudged.smudge', 'filter.staying.process', 'gpg.program', 'gpg.ssh.defaultKeyCommand'],
    ...['gpg.ssh.program', 'gpg.x509.program', 'merge.own.driver', 'rebase-exec'],
    ...['remote.origin.receivepack', 'remote.origin.uploadpack', 'sequence.editor'],
    'submodule.module.update',
  ]);
});

test('every named difference is met by a case, and in every run where it says so', () => {
  const met = new Set(
    cases.flatMap(({ differs = [], reads }) => [...differs, ...(reads ? ['reading'] : [])]),
  );
  const always = Object.entries(rows).flatMap(([name, row]) => ('always' in row ? name : []));
  expect(Object.keys(rows).filter((name) => !met.has(name) && !always.includes(name))).toEqual(['leaving']);
});

test('a run as by hand has the variables that are named, and none that is left out', () => {
  const operator = Object.fromEntries([...leftOut, 'OWN'].map((name) => [name, 'x']));
  const { OWN, ...added } = byHandEnvironment({
    ...operator,
    GIT_CONFIG_KEY_0: 'x',
    GIT_CONFIG_VALUE_0: 'x',
  });
  const named = [rows.asking, rows.editing, rows.words].flatMap(({ variables }) =>
    Object.entries<(given: string | undefined) => boolean>(variables),
  );
  expect([OWN, named.filter(([name, accepts]) => name !== 'TEXTDOMAINDIR' && !accepts(added[name]))]).toEqual(
    ['x', []],
  );
  expect(Object.keys(added).filter((name) => !named.some(([other]) => other === name))).toEqual([]);
});
