import { stripVTControlCharacters } from 'node:util';
import { showName } from '@rootbound/kit/boundary';
import { clipText } from '@rootbound/kit/budget';
import { redact } from './redact.ts';

/** Bytes of the output of hooks and of the other side that a result repeats at most. */
const MAX_OUTPUT = 8_192;

/** Git's own words at a stop: results name it and the calls that go on, of which git's commands are none. */
const advice = /^(?:hint:|(?:error: c|C)ould not apply )/;

/**
 * Returns the output of hooks, or of the other side, without git's progress, credentials and control characters;
 * undefined when that is empty.
 */
export function hookOutput(output: string): string | undefined {
  const lines = redact(stripVTControlCharacters(output))
    .split('\n')
    // a carriage return overwrites the line: only its last text was meant to stay
    .map((line) => line.slice(line.lastIndexOf('\r', line.length - 2) + 1).trimEnd())
    .map((line) => line.split('\t').map(showName).join('\t'))
    .filter((line) => line !== '' && !advice.test(line));
  if (lines.length === 0) return undefined;
  return clipText(lines.join('\n'), MAX_OUTPUT).kept;
}
