import { createHash } from 'node:crypto';
import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import { parseTips, tipsCommand } from '../../porcelain/log.ts';
import { command } from '../../run/command.ts';
import { isOid, type Oid } from '../../run/oid.ts';
import { rangeOf } from './range.ts';

/** The commits where a log begins, and those that it excludes with their ancestors. */
export interface Tips {
  readonly from: readonly Oid[];
  readonly not: readonly Oid[];
}

/** Returns the commits where a log begins; none where the branch has no commit yet. */
export async function tipsFor(opened: Opened, revision: string | undefined, all: boolean): Promise<Tips> {
  if (revision === undefined) {
    const head = await opened.objects.info('HEAD^{commit}');
    const own = head === undefined ? [] : [head.oid];
    return { from: all ? await allTips(opened, own) : own, not: [] };
  }
  const tips = await tipsOfRevision(opened, revision);
  return all ? { ...tips, from: await allTips(opened, tips.from) } : tips;
}

async function tipsOfRevision(opened: Opened, revision: string): Promise<Tips> {
  const range = rangeOf(revision);
  if (range === undefined) return { from: [await opened.resolve(revision, 'commit')], not: [] };
  const from = await opened.resolve(range.from, 'commit');
  const to = await opened.resolve(range.to, 'commit');
  if (!range.symmetric) return { from: [to], not: [from] };
  const asked = command('merge-base', { flags: ['--all'], revisions: [from, to] });
  const { stdout } = await opened.run(asked, { okay: [0, 1] });
  return { from: [from, to], not: stdout.toString('latin1').split('\n').filter(isOid) };
}

async function allTips(opened: Opened, own: readonly Oid[]): Promise<Oid[]> {
  const { stdout } = await opened.run(tipsCommand());
  return [...new Set([...own, ...parseTips(stdout)])];
}

/** Returns the tips for a cursor: themselves, or a digest of many. */
export type KeptTips = { readonly from: readonly Oid[]; readonly not: readonly Oid[] } | string;

const MOST_KEPT = 8;

export function keepTips({ from, not }: Tips): KeptTips {
  if (from.length + not.length <= MOST_KEPT) return { from, not };
  return createHash('sha256')
    .update([...from, '', ...not].join())
    .digest('base64url')
    .slice(0, 20);
}

export function isKeptTips(value: unknown): value is KeptTips {
  if (typeof value === 'string') return true;
  const { from, not } = (value ?? {}) as Record<string, unknown>;
  const isOids = (list: unknown) =>
    Array.isArray(list) && list.every((oid) => typeof oid === 'string' && isOid(oid));
  return isOids(from) && isOids(not) && (from as Oid[]).length > 0;
}

/** Returns the tips of the earlier pages, whatever was committed since. */
export async function tipsAgain(opened: Opened, kept: KeptTips, find: () => Promise<Tips>): Promise<Tips> {
  if (typeof kept !== 'string') {
    for (const oid of [...kept.from, ...kept.not]) await opened.resolve(oid, 'commit');
    return kept;
  }
  const tips = await find();
  if (keepTips(tips) === kept) return tips;
  throw new ToolError('refs have moved since this page ended', {
    code: 'stale-cursor',
    hint: 'ask for it again without a cursor',
  });
}
