import { descriptors, readProc } from './descriptors.ts';

/** A limit of the system, and this user's visible share of it. */
export interface Allowance {
  readonly limit: number;
  readonly used: number;
  /** the setting that contains it */
  readonly setting: string;
}

/** Returns the limits on inotify watches and instances; undefined where there is no inotify, or a sandbox hides it. */
export function readInotify(): { watches: Allowance; instances: Allowance } | undefined {
  const watches = lowest('fs.inotify.max_user_watches', 'user.max_inotify_watches');
  const instances = lowest('fs.inotify.max_user_instances', 'user.max_inotify_instances');
  if (watches === undefined || instances === undefined) return undefined;
  const used = countUsed();
  return {
    watches: { ...watches, used: used.watches },
    instances: { ...instances, used: used.instances },
  };
}

/** both apply; the second is that of the user namespace, as of a container */
function lowest(...settings: readonly string[]): Omit<Allowance, 'used'> | undefined {
  return settings
    .map((setting) => ({ setting, limit: numberIn(`/proc/sys/${setting.replaceAll('.', '/')}`) }))
    .filter(({ limit }) => Number.isInteger(limit))
    .toSorted((a, b) => a.limit - b.limit)[0];
}

function numberIn(path: string): number {
  return Number.parseInt(readProc(path) ?? '', 10);
}

function countUsed(): { watches: number; instances: number } {
  const instances = [...descriptors()].filter(({ target }) => target === 'anon_inode:inotify');
  const counts = instances.map(({ pid, fd }) => {
    const info = readProc(`/proc/${pid}/fdinfo/${fd}`) ?? '';
    return info.split('\n').filter((line) => line.startsWith('inotify wd:')).length;
  });
  return { watches: counts.reduce((sum, count) => sum + count, 0), instances: counts.length };
}
