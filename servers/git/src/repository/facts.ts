import { join } from 'node:path';
import { statEntry } from '@rootbound/kit/boundary';
import { isAtLeast, type Version } from '../run/version.ts';
import { isNotFound } from './refusals.ts';
import type { Repository } from './repository.ts';

/** The properties of a repository that change which commands git can run in it. */
export interface Facts {
  readonly objectFormat: 'sha1' | 'sha256';
  readonly refFormat: 'files' | 'reftable';
  /** objects may be missing that a promisor remote has */
  readonly partial: boolean;
  readonly shallow: boolean;
  readonly sparse: boolean;
  readonly bare: boolean;
  readonly lfs: boolean;
}

export function factsOf(repository: Repository): Facts {
  const { obeyed, ignored } = repository.settings;
  const settings = [...obeyed, ...ignored];
  const last = (key: string) => obeyed.findLast((each) => each.key === key);
  const isSet = (key: string) => {
    const found = last(key);
    return found !== undefined && !/^(?:false|no|off|0|)$/i.test(found.value ?? 'true');
  };
  const promised = obeyed.some(({ key }) => /^remote\..*\.promisor$/s.test(key) && isSet(key));
  const { place, commonDir } = repository;
  return {
    objectFormat: last('extensions.objectformat')?.value === 'sha256' ? 'sha256' : 'sha1',
    refFormat: last('extensions.refstorage')?.value?.startsWith('reftable') === true ? 'reftable' : 'files',
    partial: promised || last('extensions.partialclone') !== undefined,
    shallow: sizeOf(repository, join(commonDir, 'shallow')) > 0,
    sparse: isSet('core.sparsecheckout'),
    bare: place.workTree === undefined,
    lfs:
      settings.some(({ key }) => /^(?:filter\.lfs|lfs)\./.test(key)) ||
      sizeOf(repository, join(commonDir, 'lfs')) > 0,
  };
}

function sizeOf({ reach }: Repository, path: string): number {
  try {
    return statEntry(reach, path).stat.size;
  } catch (error) {
    if (isNotFound(error)) return 0;
    throw error;
  }
}

/** The releases before 2.45 that got GIT_NO_LAZY_FETCH later, by the minor version. */
const mended: Readonly<Record<number, number>> = { 39: 4, 40: 2, 41: 1, 42: 2, 43: 4, 44: 1 };

/** Returns whether this git can be kept from fetching missing objects through a program that the repository names. */
export function canStayLocal(version: Version): boolean {
  if (isAtLeast(version, '2.45')) return true;
  const patch = Number(version.text.split('.')[2]);
  return version.major === 2 && patch >= (mended[version.minor] ?? Number.POSITIVE_INFINITY);
}
