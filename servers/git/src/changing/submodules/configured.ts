import { ToolError } from '@rootbound/protocol';
import { toPaths } from '../../call/arguments.ts';
import type { Opened } from '../../call/open-repository.ts';
import { urlOf } from '../../porcelain/settings.ts';
import { command } from '../../run/command.ts';
import type { Call } from '../remotes/transfer-call.ts';
import { isRelative, requireReachable } from './addresses.ts';
import { type Chosen, chosenOf } from './chosen.ts';
import type { Arguments, SubmoduleChange, SubmoduleResult } from './submodule-schema.ts';

/** Writes the addresses that .gitmodules declares to the configuration, for submodules that are not yet initialised. */
export async function initialise(opened: Opened, call: Call, args: Arguments): Promise<SubmoduleResult> {
  const { entries, chosen } = await chosenOf(opened, args.paths);
  const open = chosen.filter(({ url, facts }) => url === undefined && facts.name !== undefined);
  for (const each of open) await requireDeclared(call, entries, each);
  const paths = open.map(({ path }) => path);
  if (args.dry_run || paths.length === 0)
    return { submodules: open.map(({ path, facts: { url } }) => ({ path, ...(url && { url }) })) };
  await opened.run(command('submodule init', { paths: toPaths(paths) }));
  const after = await chosenOf(opened, paths);
  return {
    submodules: after.chosen.map(({ path, url }) => ({ path, url: expected(path, url) })),
    undo: undoBy({ action: 'deinit', paths }),
  };
}

/** Does the same for initialised ones, and updates their remotes. */
export async function synchronise(opened: Opened, call: Call, args: Arguments): Promise<SubmoduleChange[]> {
  const { entries, chosen } = await chosenOf(opened, args.paths);
  const known = chosen.filter(({ url, facts }) => url !== undefined && facts.name !== undefined);
  for (const each of known) await requireDeclared(call, entries, each);
  const paths = known.map(({ path }) => path);
  if (paths.length === 0) return [];
  if (!args.dry_run) await opened.run(command('submodule sync', { paths: toPaths(paths) }));
  const after = args.dry_run ? known : (await chosenOf(opened, paths)).chosen;
  return after.map(({ path, url, facts }, index) => {
    const [now, before] = [args.dry_run ? facts.url : expected(path, url), redactedUrl(known[index]!.url!)];
    return { path, ...(now && { url: now }), ...(now !== before && { previous_url: before }) };
  });
}

async function requireDeclared(
  call: Call,
  entries: Parameters<typeof requireReachable>[1],
  each: Chosen,
): Promise<void> {
  const { url } = each.facts;
  // a relative one is made absolute first, and checked before it is used
  if (url !== undefined && !isRelative(url)) await requireReachable(call, entries, each, url);
}

function expected(path: string, url: string | undefined): string {
  if (url !== undefined) return redactedUrl(url);
  throw new ToolError(`git reported success, but the submodule ${path} has no address`, { code: 'changed' });
}

function redactedUrl(url: string): string {
  return urlOf(Buffer.from(url).toString('latin1'));
}

export function undoBy(args: Partial<Arguments>): string {
  return `git_update_submodules with ${JSON.stringify(args)}`;
}
