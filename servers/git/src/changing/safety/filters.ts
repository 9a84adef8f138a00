import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import { bytesOfName, nameOfByteString } from '../../porcelain/names.ts';
import { recordsOf } from '../../porcelain/records.ts';
import { command } from '../../run/command.ts';
import type { Oid } from '../../run/oid.ts';

/** Paths that a refusal names at most. */
const MOST_NAMED = 5;
const MOST_ATTRIBUTES = 1 << 20;

export interface FilteredOptions {
  /** the commit or tree that the paths are checked out of; its attributes name filters, too */
  readonly target?: Oid;
}

/**
 * Throws when the change would store, or write to the work tree, paths whose filter is suppressed: their content would
 * be wrong. The paths are names of files, read only where a filter is suppressed; all of the index unless given.
 */
export async function refuseFiltered(
  opened: Opened,
  given: readonly string[] | (() => Promise<readonly string[]>) | undefined,
  { target }: FilteredOptions = {},
): Promise<void> {
  const off = opened.audit.filters;
  if (opened.state === 'trusted' || off.size === 0) return;
  const paths = typeof given === 'function' ? await given() : given;
  const found = await filteredOf(opened, paths);
  const [filter] = found.values();
  if (filter !== undefined) throw filtered([...found.keys()], filter);
  if (target !== undefined) await refuseNewAttributes(opened, paths ?? [], target, off);
}

/**
 * Returns the paths whose filter is suppressed, each with the name of that filter; of all paths in the index unless
 * some are given.
 */
export async function filteredOf(
  opened: Opened,
  paths?: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const off = opened.audit.filters;
  const found = new Map<string, string>();
  if (opened.state === 'trusted' || off.size === 0 || paths?.length === 0) return found;
  const input =
    paths === undefined
      ? (await opened.run(command('ls-files', { flags: ['-z', '--cached'] }))).stdout
      : Buffer.concat(paths.flatMap((path) => [bytesOfName(path), Buffer.from('\0')]));
  const asked = command('check-attr', { flags: ['-z', '--stdin', 'filter'], input });
  const records = recordsOf((await opened.run(asked)).stdout);
  for (let at = 0; at + 2 < records.length; at += 3)
    if (off.has(records[at + 2]!))
      found.set(nameOfByteString(records[at]!), nameOfByteString(records[at + 2]!));
  return found;
}

/** git applies attributes of a commit only when it is checked out, so they cannot be read before */
async function refuseNewAttributes(
  opened: Opened,
  paths: readonly string[],
  target: Oid,
  off: ReadonlySet<string>,
): Promise<void> {
  for (const path of paths) {
    if (path !== '.gitattributes' && !path.endsWith('/.gitattributes')) continue;
    const found = await opened.objects.read(`${target}:${path}`, MOST_ATTRIBUTES);
    const named = [...(found?.bytes?.toString('latin1') ?? '').matchAll(/\sfilter=(\S+)/g)];
    const filter = named.map(([, name]) => name!).find((name) => off.has(name));
    if (filter !== undefined) throw filtered([path], nameOfByteString(filter));
  }
}

function filtered(paths: readonly string[], filter: string): ToolError {
  const more = paths.length - MOST_NAMED;
  const named = paths.slice(0, MOST_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
  return new ToolError(
    `the filter ${filter} does not run, as the repository is not trusted: without it, git would store or write wrong content: ${named}`,
    {
      code: 'filter-suppressed',
      hint: 'nothing was done; leave these paths out, or let the user trust the repository with git_trust, or the operator with --trust',
    },
  );
}
