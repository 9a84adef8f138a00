import { badArgument } from './arguments.ts';

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** The time that an argument names, in milliseconds: a date, a date with a time, or how long ago. */
export function readSince(text: string, now: number): number {
  const plain = text.trim();
  const ago = /^(\d{1,6})\s*([mhdw])$/i.exec(plain);
  const time = ago
    ? now - Number(ago[1]) * unitMs[ago[2]!.toLowerCase()]!
    : /^\d{4}-\d{2}-\d{2}/.test(plain)
      ? Date.parse(plain)
      : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw badArgument(
    `since is not a time: ${JSON.stringify(text)}`,
    'give a date such as 2026-11-22 or 2026-11-22T08:30Z, or how long ago, such as 90m, 2h or 3d',
  );
}
