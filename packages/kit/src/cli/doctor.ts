import { visible } from '@rootbound/protocol';
import { checkAddress } from './doctor/address.ts';
import { checkLimits } from './doctor/limits.ts';
import { type Machine, thisMachine } from './doctor/machine.ts';
import { checkRoots, checkTemporary } from './doctor/places.ts';
import { type Check, type OptionRow, programOf, type ServeOptions, type ServerSpec } from './options.ts';

/** the oldest Node that the servers run on, as in `engines` */
const OLDEST_NODE = [20, 19] as const;

/** Returns the findings of `--doctor`: the machine first, then roots and address, then the server's own checks. */
export async function examine<Rows extends readonly OptionRow[]>(
  spec: ServerSpec<Rows>,
  options: ServeOptions<Rows>,
  machine: Machine = thisMachine(),
): Promise<readonly Check[]> {
  return [
    checkNode(machine.node),
    { state: 'ok', what: `${programOf(spec)} ${spec.version} on ${machine.platform} ${machine.arch}` },
    ...(options.roots.length === 0 && spec.rootless === true
      ? []
      : checkRoots(options, spec.rootKinds === 'directories-and-files', machine)),
    ...(spec.rootless === true ? [] : [checkContainment(machine, spec.opener)]),
    ...checkLimits(machine),
    ...checkTemporary(spec.temporary, machine),
    ...(await checkAddress(options.http, machine)),
    ...((await spec.checks?.(options)) ?? []),
  ];
}

/** Returns one line for each check. */
export function renderChecks(checks: readonly Check[]): string {
  return checks
    .map(
      ({ state, what, fix }) =>
        `${state.padEnd(5)}${visible(fix === undefined ? what : `${what}: ${fix}`)}\n`,
    )
    .join('');
}

/** Returns the same for programs: one JSON object. */
export function renderChecksJson({ name, version }: ServerSpec, checks: readonly Check[]): string {
  const well = checks.every(({ state }) => state !== 'fail');
  const lines = JSON.stringify({ server: name, version, well, checks }, undefined, 2).split('\n');
  return `${lines.map(visible).join('\n')}\n`;
}

function checkNode(version: string): Check {
  const oldest = OLDEST_NODE.join('.');
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor))
    return { state: 'ok', what: `node ${version}, of ${oldest} or newer` };
  return { state: 'fail', what: `node ${version} is too old`, fix: `install ${oldest} or newer` };
}

/** Returns how paths are verified: by a handle that reports its path, or by a second look. */
function checkContainment({ verifies }: Machine, opener: string | undefined): Check {
  const but = opener === undefined ? '' : `, best-effort for ${opener} itself, which opens paths`;
  if (verifies) return { state: 'ok', what: `containment kernel: every handle is verified${but}` };
  return {
    state: 'warn',
    what: 'containment best-effort: this system cannot say where a handle is',
    fix: 'let nobody else change links below the roots, or use Linux with /proc',
  };
}
