import type { ChartKind } from './drawing.ts';
import type { Plot, SeriesFacts } from './plot.ts';

const MOST_BINS = 20;

/** Describes a chart in words, for readers who do not see it. */
export function describePlot(
  kind: ChartKind,
  { x, range, series, points, nulls, notNumbers, bins }: Plot,
): string {
  const parts =
    bins === undefined
      ? [
          `${kind} chart of ${series.map(({ name }) => name).join(', ')} by ${x.name}`,
          `${count(points, 'point')}, ${x.name} from ${range[0]} to ${range[1]}`,
          ...series.map(describeSeries),
        ]
      : [
          `histogram of ${x.name}: ${count(points, 'value')} from ${range[0]} to ${range[1]}`,
          ...bins.slice(0, MOST_BINS).map(({ from, to, n }) => `${from} to ${to}: ${n}`),
          ...(bins.length > MOST_BINS ? [`${bins.length - MOST_BINS} more bins`] : []),
        ];
  if (nulls > 0) parts.push(`${count(nulls, 'NULL')} left out`);
  if (notNumbers > 0) parts.push(`${count(notNumbers, 'value')} left out that cannot be drawn`);
  return parts.join('; ');
}

function describeSeries({ name, n, min, max, first }: SeriesFacts): string {
  const more = n > first.length ? ', …' : '';
  return `${name}: ${min} to ${max}, beginning ${first.join(', ')}${more}`;
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}
