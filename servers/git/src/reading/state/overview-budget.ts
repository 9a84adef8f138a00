import { fit } from '@rootbound/kit/budget';
import type { Head, Lists, Overview } from './overview-facts.ts';
import { overviewText } from './overview-text.ts';

/** Fits both halves into the budget: each list loses its end, the longest lists first. */
export function fitOverview(
  head: Head,
  lists: Lists,
  maxOutput: number,
): { structured: Overview; content: string } {
  const longest = Math.max(...Object.values(lists).map((list) => list.length));
  const { halves } = fit(longest, maxOutput, (kept) => {
    const omitted: Record<string, number> = {};
    const shortened = Object.fromEntries(
      Object.entries(lists).map(([name, list]) => {
        if (list.length > kept) omitted[name] = list.length - kept;
        return [name, list.slice(0, kept)];
      }),
    ) as Lists; // the same members, each list shorter
    const truncated = Object.keys(omitted).length > 0;
    const structured: Overview = { ...head, ...shortened, ...(truncated && { omitted }), truncated };
    return { structured, text: overviewText(structured) };
  });
  return { structured: halves.structured, content: halves.text };
}
