import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A fault in the source of the protocol package, and the requirement whose test has to detect it. */
export interface Fault {
  /** below `src` */
  file: string;
  /** occurs once in the file */
  from: string;
  to: string;
  id: string;
}

const root = join(import.meta.dirname, '..', '..', '..');

/** The source folder, which is copied for the faults. */
export const source = join(root, 'packages', 'protocol', 'src');

/** The rows of `faults.jsonl`. */
export function readFaults(): Fault[] {
  const text = readFileSync(new URL('./faults.jsonl', import.meta.url), 'utf8');
  // the tests check each row
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Fault);
}

/** Returns the text of a file with a fault. Throws unless the text to replace occurs once. */
export function faulty({ file, from, to }: Fault): string {
  const parts = readFileSync(join(source, file), 'utf8').split(from);
  if (parts.length === 2) return parts.join(to);
  throw new Error(`${file} must hold ${JSON.stringify(from)} once, but does ${parts.length - 1} times`);
}
