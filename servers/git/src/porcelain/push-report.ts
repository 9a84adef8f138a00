import { isOid, type Oid } from '../run/oid.ts';
import { nameOfByteString } from './names.ts';

/** What a push did, or would do, with one reference of the other repository. */
export interface PushedRef {
  readonly result: 'moved' | 'forced' | 'removed' | 'new' | 'rejected' | 'up-to-date';
  /** the whole name there */
  readonly ref: string;
  readonly before: Oid | undefined;
  readonly after: Oid | undefined;
  /** why it was rejected */
  readonly reason: string | undefined;
}

const flags = {
  ' ': 'moved',
  '+': 'forced',
  '-': 'removed',
  '*': 'new',
  '!': 'rejected',
  '=': 'up-to-date',
} as const;

/** Reads `push --porcelain` with `core.abbrev=no`, so that ids are whole. */
export function parsePushReport(stdout: Buffer): PushedRef[] {
  return stdout
    .toString('latin1')
    .split('\n')
    .flatMap((line) => {
      const [, flag, ref, told] = /^([ +\-*!=])\t[^\t]*:([^\t:]+)\t(.*)$/.exec(line) ?? [];
      if (flag === undefined) return [];
      const [, summary = '', reason] = /^(\[[^\]]*\]|\S+)(?: \((.*)\))?$/.exec(told!) ?? [];
      const [before, after] = summary.split(/\.{2,3}/);
      return {
        result: flags[flag as keyof typeof flags],
        ref: nameOfByteString(ref!),
        before: before !== undefined && isOid(before) ? before : undefined,
        after: after !== undefined && isOid(after) ? after : undefined,
        reason: flag === '!' ? nameOfByteString(reason ?? summary) : undefined,
      };
    });
}
