import { accessSync, constants, readFileSync, type Stats, statSync } from 'node:fs';
import type { Check, OptionRow, ServeOptions, ServerSpec } from './options.ts';
import type { RootSpec } from './roots.ts';
import { visible } from './visible.ts';

/** The facts of the machine that the checks look at. */
export interface Machine {
  /** without the leading `v` */
  node: string;
  platform: NodeJS.Platform;
  arch: string;
  /** the system's cap on watched files, where it has one */
  watchLimit: number | undefined;
  /** whether this user has the rights of `mode` (as of `fs.access`) on a path */
  can(path: string, mode: number): boolean;
}

const WATCH_LIMIT_FILE = '/proc/sys/fs/inotify/max_user_watches';
const ENOUGH_WATCHES = 65_536;
/** the oldest Node that the servers run on, as in `engines` */
const OLDEST_NODE = [20, 19] as const;

/** What `--doctor` finds: the machine first, then the roots, then what the server itself checks. */
export async function examine<Rows extends readonly OptionRow[]>(
  spec: ServerSpec<Rows>,
  options: ServeOptions<Rows>,
  machine: Machine = thisMachine(),
): Promise<readonly Check[]> {
  return [
    checkNode(machine.node),
    { state: 'ok', what: `platform ${machine.platform} ${machine.arch}` },
    ...(options.roots.length === 0 && spec.rootless === true
      ? []
      : checkRoots(options, spec.rootKinds === 'directories-and-files', machine)),
    ...checkWatches(machine.watchLimit),
    ...((await spec.checks?.(options)) ?? []),
  ];
}

/** One line a check. */
export function renderChecks(checks: readonly Check[]): string {
  return checks
    .map(
      ({ state, what, fix }) =>
        `${state.padEnd(5)}${visible(fix === undefined ? what : `${what}: ${fix}`)}\n`,
    )
    .join('');
}

function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) {
    return { state: 'ok', what: `node ${version}` };
  }
  return {
    state: 'fail',
    what: `node ${version} is too old`,
    fix: `install ${OLDEST_NODE.join('.')} or newer`,
  };
}

function checkRoots(
  options: Pick<ServeOptions, 'roots' | 'readOnly' | 'clientRoots'>,
  files: boolean,
  machine: Machine,
): Check[] {
  if (options.roots.length > 0) {
    return options.roots.map((root) => checkRoot(root, options.readOnly, files, machine));
  }
  if (options.clientRoots === 'ignore') {
    const fix = 'add a folder to the command line or leave out --client-roots ignore';
    return [{ state: 'fail', what: 'no root is given and those of the client are ignored', fix }];
  }
  const fix = 'add a folder to the command line if your client sends none';
  return [{ state: 'warn', what: "no root is given, so only the client's roots are allowed", fix }];
}

function checkRoot(root: RootSpec, readOnly: boolean, files: boolean, machine: Machine): Check {
  const name = `root ${root.path}`;
  const stats = statOf(root.path);
  if (typeof stats === 'string') {
    const fix = stats === 'ENOENT' ? 'create it or correct the path' : `make it reachable (${stats})`;
    return {
      state: 'fail',
      what: stats === 'ENOENT' ? `${name} does not exist` : `${name} cannot be opened`,
      fix,
    };
  }
  if (!stats.isDirectory() && !(files && stats.isFile())) {
    const fix = files ? 'name a directory or a regular file' : 'name the directory that holds it';
    return { state: 'fail', what: `${name} is not a directory`, fix };
  }
  const enter = stats.isDirectory() ? constants.X_OK : 0;
  if (!machine.can(root.path, constants.R_OK | enter)) {
    return { state: 'fail', what: `${name} cannot be read`, fix: 'give this user the right to read it' };
  }
  if (root.readOnly || readOnly) return { state: 'ok', what: `${name}, read-only` };
  if (!machine.can(root.path, constants.W_OK | enter)) {
    const fix = 'end it in :ro, or give this user the right to write';
    return { state: 'warn', what: `${name} cannot be written`, fix };
  }
  return { state: 'ok', what: `${name}, readable and writable` };
}

function checkWatches(limit: number | undefined): Check[] {
  if (limit === undefined) return [];
  if (limit >= ENOUGH_WATCHES) return [{ state: 'ok', what: `${limit} file watches allowed` }];
  return [
    {
      state: 'warn',
      what: `only ${limit} file watches allowed, so subscriptions to many files may fail`,
      fix: 'run sysctl fs.inotify.max_user_watches=524288 as root',
    },
  ];
}

function statOf(path: string): Stats | string {
  try {
    return statSync(path);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown error'; // statSync throws errno errors
  }
}

function can(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    // refused is the answer that was asked for
    return false;
  }
}

function thisMachine(): Machine {
  const { platform, arch, versions } = process;
  const watchLimit = platform === 'linux' ? readWatchLimit() : undefined;
  return { node: versions.node, platform, arch, watchLimit, can };
}

function readWatchLimit(): number | undefined {
  try {
    const limit = Number(readFileSync(WATCH_LIMIT_FILE, 'utf8'));
    return Number.isInteger(limit) ? limit : undefined;
  } catch {
    // a kernel without inotify, or a sandbox that hides it: nothing to say
    return undefined;
  }
}
