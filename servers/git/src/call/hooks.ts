import { ToolError } from '@rootbound/protocol';
import type { Audit, Suppressed } from '../repository/audit.ts';
import type { TrustState } from '../repository/trust.ts';
import type { Command } from '../run/command.ts';
import { verbs } from '../run/verbs.ts';

type Seen = { readonly audit: Audit; readonly state: TrustState };

/** The hooks of a commit that `--no-verify` leaves out. */
const verifying: readonly string[] = ['pre-commit', 'commit-msg'];

/** Settings besides hooks without which a verb makes something else than it does by hand. */
const obeyed: readonly (readonly [verbs: readonly string[], key: RegExp, except: string | undefined])[] = [
  [['commit', 'merge', 'rebase', 'cherry-pick', 'revert', 'am'], /^commit\.gpgsign$/, '--no-gpg-sign'],
  [
    ['merge', 'rebase', 'cherry-pick', 'revert', 'am', 'stash apply', 'stash branch'],
    /^merge\..*\.driver$/,
    undefined,
  ],
  [['push'], /^push\.gpgsign$/, undefined],
];

/** Returns the hooks that a command runs as by hand, by the names that they have there. */
export function hooksOf({ verb, args }: Command, { audit, state }: Seen): string[] {
  const { names, outside, isHidden } = audit.hooks;
  const wanted = verbs[verb].hooks.filter(
    (hook) =>
      !(args.includes('--no-verify') && verifying.includes(hook)) &&
      !(hook === 'post-rewrite' && verb === 'commit' && !args.includes('--amend')) &&
      !(hook === 'post-checkout' && args.some((arg) => arg === '--bare' || arg === '--no-checkout')),
  );
  if (wanted.length === 0) return [];
  if (isHidden && state !== 'trusted') return ['core.hooksPath'];
  if (leadsOut(audit) && state !== 'trusted') return ['hooks'];
  const there = state === 'trusted' ? [...names, ...outside] : names;
  return there.filter((name) => wanted.some((hook) => hook === plainName(name)));
}

/** Returns whether the folder of hooks is a link to outside, which nobody has followed. */
function leadsOut({ suppressed }: Audit): boolean {
  return suppressed.some(({ key, submodule }) => key === 'hooks' && submodule === undefined);
}

/** Returns the hooks of a trusted repository that `--no-verify` leaves out of a commit. */
export function verifyingHooks({ audit: { hooks } }: Pick<Seen, 'audit'>): string[] {
  const there = new Set([...hooks.names, ...hooks.outside].map(plainName));
  return verifying.filter((hook) => there.has(hook));
}

/** Returns the name of a hook by which git knows it, also where it is a program of Windows. */
export function plainName(name: string): string {
  return name.replace(/\.exe$/i, '');
}

/**
 * Throws for a command that would go on without hooks, signature or merge driver in a repository whose programs have
 * changed since it was trusted. The ways out of an operation are free.
 */
export function assertTrusted(command: Command, seen: Seen): void {
  if (seen.state !== 'changed' || command.args.some((arg) => arg === '--abort' || arg === '--quit')) return;
  if (command.verb === 'bisect reset') return;
  const hooks = hooksOf(command, seen).filter((name) => name !== 'post-index-change');
  const missed = [...hooks, ...settingsOf(command, seen.audit).map(({ key }) => key)];
  if (missed.length > 0) throw trustLost(missed);
}

function settingsOf({ verb, args }: Command, { suppressed }: Audit): Suppressed[] {
  const rows = obeyed.filter(
    ([of, , except]) => of.includes(verb) && (except === undefined || !args.includes(except)),
  );
  return suppressed.filter(
    ({ key, submodule }) => submodule === undefined && rows.some(([, wanted]) => wanted.test(key)),
  );
}

/** Returns the refusal of a change without these hooks and settings, which were trusted in another state. */
export function trustLost(missed: readonly string[]): ToolError {
  return new ToolError(
    `hooks or settings have changed since the repository was trusted, so these would be left out: ${missed.join(', ')}`,
    {
      code: 'trust-changed',
      hint: 'nothing was done; git_trust asks the user to trust them as they are now, and with revoke goes on without them; the operator can start the server again with --trust',
    },
  );
}

/** Returns a notice of the hooks of a call that did not run; undefined where there is none. */
export function hooksOff(hooks: ReadonlySet<string>, { audit, state }: Seen): string | undefined {
  if (hooks.size === 0 || state === 'trusted') return undefined;
  const why = state === 'changed' ? 'changed since the repository was trusted' : 'not trusted';
  const whose = audit.hooks.isOperators ? " of the operator's core.hooksPath" : '';
  return `off: ${why} (${[...hooks].join(', ')}${whose})`;
}

/** Returns the same for a command that ran before the repository was there, so without its hooks. */
export function hooksLeftOut(command: Command, audit: Audit): string | undefined {
  const seen = { audit, state: 'untrusted' } as const;
  return hooksOff(new Set(hooksOf(command, seen)), seen);
}
