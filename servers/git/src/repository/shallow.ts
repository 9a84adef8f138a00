import { join } from 'node:path';
import { readSmall } from '@rootbound/kit/boundary';
import { isOid, type Oid } from '../run/oid.ts';
import { isNotFound } from './refusals.ts';
import type { Repository } from './repository.ts';

/** Bytes of the file, which has 40 digits and a newline for each commit where a shallow clone ends. */
const MAX_BYTES = 4 << 20;

/**
 * Returns the commits where a shallow clone ends, none in a complete one; undefined when only git knows the history.
 */
export function readShallow(
  repository: Pick<Repository, 'commonDir' | 'reach'>,
): ReadonlySet<Oid> | undefined {
  if (textIn(repository, 'info/grafts') !== '') return undefined;
  const lines = textIn(repository, 'shallow')?.split('\n');
  return lines && new Set(lines.filter(isOid));
}

/** empty when there is no such file; undefined when it is too large or being written */
function textIn(
  { commonDir, reach }: Pick<Repository, 'commonDir' | 'reach'>,
  path: string,
): string | undefined {
  try {
    return readSmall(reach, join(commonDir, path), MAX_BYTES)?.bytes.toString('latin1');
  } catch (error) {
    if (isNotFound(error)) return '';
    throw error;
  }
}
