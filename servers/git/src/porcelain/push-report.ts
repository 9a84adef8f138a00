import { nameOfByteString } from './names.ts';

/** The outcome of a push, or of its dry run, for one reference of the other repository, with abbreviated ids. */
export interface ReportedRef {
  readonly result: 'moved' | 'forced' | 'removed' | 'new' | 'rejected' | 'up-to-date';
  /** the full name there */
  readonly ref: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  /** the reason for a rejection */
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

/** Reads the output of `push --porcelain`. */
export function parsePushReport(stdout: Buffer): ReportedRef[] {
  return stdout
    .toString('latin1')
    .split('\n')
    .flatMap((line) => {
      const [, flag, ref, outcome] = /^([ +\-*!=])\t[^\t]*:([^\t:]+)\t(.*)$/.exec(line) ?? [];
      if (flag === undefined) return [];
      const [, summary = '', reason] = /^(\[[^\]]*\]|\S+)(?: \((.*)\))?$/.exec(outcome!) ?? [];
      const [before, after] = summary.split(/\.{2,3}/);
      return {
        result: flags[flag as keyof typeof flags],
        ref: nameOfByteString(ref!),
        before: before !== undefined && isId(before) ? before : undefined,
        after: after !== undefined && isId(after) ? after : undefined,
        reason: flag === '!' ? nameOfByteString(reason ?? summary) : undefined,
      };
    });
}

/** Returns whether a text is an id, or an abbreviated one. */
function isId(text: string): boolean {
  return /^[0-9a-f]{4,64}$/.test(text);
}
