import { clipText } from '@rootbound/kit/budget';

/** Most bytes of what hooks and the other side said that a result repeats. */
const MOST_SAID = 8_192;

/** What hooks, or the other side, printed, without git's progress; undefined where that is nothing. */
export function saidBy(output: string): string | undefined {
  const lines = output
    .split('\n')
    // a carriage return writes over the line: only what stands at its end was meant to stay
    .map((line) => line.slice(line.lastIndexOf('\r', line.length - 2) + 1).trimEnd())
    .filter((line) => line !== '');
  if (lines.length === 0) return undefined;
  return clipText(lines.join('\n'), MOST_SAID).kept;
}
