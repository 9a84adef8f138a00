import { progressReader } from '../../run/progress.ts';

/** Reports git's progress to the client: each stage adds one hundred, with its name and percent. */
export function progressTo(
  report: (progress: number, total?: number, message?: string) => void,
): (chunk: Buffer) => void {
  const stages: string[] = [];
  return progressReader(({ stage, remote, done, total }) => {
    const name = remote ? `remote: ${stage}` : stage;
    let at = stages.indexOf(name);
    if (at === -1) at = stages.push(name) - 1;
    const percent = total === undefined || total === 0 ? 0 : (100 * done) / total;
    const counted = total === undefined ? `${done}` : `${done} of ${total}`;
    report(100 * at + percent, undefined, `${name}: ${counted}`);
  });
}
