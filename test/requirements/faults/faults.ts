import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One small mistake in the source of the protocol package, and the requirement whose test has to notice it. */
export interface Fault {
  /** below `src` */
  file: string;
  /** occurs once in the file */
  from: string;
  to: string;
  id: string;
}

const root = join(import.meta.dirname, '..', '..', '..');

/** The source that faults are made in copies of. */
export const source = join(root, 'packages', 'protocol', 'src');

/** The rows of `faults.jsonl`. */
export function readFaults(): Fault[] {
  const text = readFileSync(new URL('./faults.jsonl', import.meta.url), 'utf8');
  // holds: the tests check each row
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Fault);
}

/** The text of a file with a fault in it; throws when its place is not there any more, or there twice. */
export function faulty({ file, from, to }: Fault): string {
  const parts = readFileSync(join(source, file), 'utf8').split(from);
  if (parts.length === 2) return parts.join(to);
  throw new Error(`${file} must hold ${JSON.stringify(from)} once, but does ${parts.length - 1} times`);
}
