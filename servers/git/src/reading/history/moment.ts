import type { Opened } from '../../call/open-repository.ts';
import { command } from '../../run/command.ts';
import type { Filters } from './log-query.ts';

/** The relative ends of a log, fixed at the time of its first page. */
export type Moments = Pick<Filters, 'since' | 'until'>;

const fixed = /^\d{4}-\d\d-\d\d[T ]\d/;
const moment = /^@\d+ \+0000$/;

/** Resolves relative dates such as `2 days ago` against one present time; a date with its time needs none. */
export async function momentsOf(opened: Opened, { since, until }: Filters): Promise<Moments> {
  const [from, to] = [since, until].map((date) =>
    date === undefined || fixed.test(date) ? undefined : date,
  );
  if (from === undefined && to === undefined) return {};
  const asked = command('rev-parse', { options: { '--since': from, '--until': to } });
  const printed = (await opened.run(asked)).stdout.toString();
  const at = (age: string): string => `@${new RegExp(`^--${age}-age=(\\d+)$`, 'm').exec(printed)![1]} +0000`;
  return { ...(from !== undefined && { since: at('max') }), ...(to !== undefined && { until: at('min') }) };
}

/** Returns whether a cursor holds them. */
export function isMoments(value: unknown): value is Moments {
  const { since, until, ...others } = (value ?? {}) as Record<string, unknown>;
  const ends = [since, until].filter((end) => end !== undefined);
  return Object.keys(others).length === 0 && ends.every((end) => typeof end === 'string' && moment.test(end));
}
