import { join } from 'node:path';
import { readSmall } from '@rootbound/kit/boundary';
import { nameOfByteString } from '../porcelain/names.ts';
import { isNotFound } from './refusals.ts';
import type { Repository } from './repository.ts';

/** Bytes of HEAD that are read; git itself reads 255. */
const MOST_BYTES = 4096;

type Located = Pick<Repository, 'place' | 'reach'>;

/** Returns the content of HEAD without its line end, a byte string; empty when it cannot be read. */
export function textOfHead({ place, reach }: Located): string {
  try {
    const read = readSmall(reach, join(place.gitDir, 'HEAD'), MOST_BYTES);
    return read?.bytes.toString('latin1').trimEnd() ?? '';
  } catch (error) {
    if (isNotFound(error)) return '';
    throw error;
  }
}

/** Returns the full ref to which HEAD leads; undefined where it is detached, or refs are stored in another format. */
export function refOfHead(repository: Located): string | undefined {
  const ref = /^ref:\s*(\S.*)$/s.exec(textOfHead(repository))?.[1];
  return ref === undefined || ref === 'refs/heads/.invalid' ? undefined : nameOfByteString(ref);
}

/** Returns a ref without refs/heads/; one that is no branch keeps its full name. */
export function branchOf(ref: string): string {
  return ref.replace(/^refs\/heads\//, '');
}
