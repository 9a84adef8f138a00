import { hookOutput } from '../../run/hook-output.ts';
import { parseProgress } from '../../run/progress.ts';

const mark = 'remote: ';
/** lines that packing prints at its end, on either side */
const counted = /^(?:remote: )?Total \d+ \(delta \d+\)/;

/** Returns the messages of the other repository, without its progress; with `all`, also those of hooks here. */
export function remoteOutput(stderr: string, all = false): string | undefined {
  const lines = stderr
    .split(/[\r\n]+/)
    .filter((line) => parseProgress(line) === undefined && !counted.test(line));
  const theirs = lines.filter((line) => line.startsWith(mark)).map((line) => line.slice(mark.length));
  return hookOutput((all ? lines : theirs).join('\n'));
}
