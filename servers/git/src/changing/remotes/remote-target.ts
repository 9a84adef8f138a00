import { ToolError } from '@rootbound/protocol';
import { readHead } from '../../call/head.ts';
import { reaching, requireProtocol } from '../../call/network.ts';
import type { CallOptions, Opened } from '../../call/open-repository.ts';
import type { ConfigEntry } from '../../porcelain/config-list.ts';
import { type Remote, remotesOf } from '../../porcelain/remotes.ts';
import { toSetting } from '../../porcelain/settings.ts';
import { type RemoteName, remoteName, type Url } from '../../run/operand.ts';
import { addressOf, folderOf, isAddress } from './address.ts';
import { otherSideOf } from './remote-folder.ts';
import { type Call, transferring } from './transfer-call.ts';

export type Direction = 'fetch' | 'push';

/** The other repository of a transfer. */
export interface Target {
  /** the name or address as an argument of git */
  readonly operand: RemoteName | Url;
  /** undefined for an address that no remote has */
  readonly name: string | undefined;
  /** the addresses that git uses, without credentials; several where a push goes to each */
  readonly urls: readonly string[];
  /** whether a later look there shows the effect of a push */
  readonly readable: boolean;
  readonly options: CallOptions;
  /** the option that names the program of the other side, where this server starts it */
  readonly prefix: string | undefined;
}

/** Returns the other repository by the name of a remote or an address; undefined for git's default. */
export async function targetOf(
  opened: Opened,
  call: Call,
  asked: string | undefined,
  direction: Direction,
): Promise<Target> {
  const entries = await opened.config();
  const remotes = remotesOf(entries);
  const named = asked ?? usualName(opened, entries, remotes, direction);
  const remote = remotes.find(({ name }) => name === named);
  const base = opened.repository.place.workTree ?? opened.repository.place.gitDir;
  if (remote === undefined && !isAddress(named)) throw unknownRemote(remotes);
  const operand = remote === undefined ? addressOf(named, base) : remoteName(named);
  refuseOtherMeanings(entries, operand, remote === undefined);
  const { fetchUrl, pushUrls } = remote ?? addressed(entries, operand);
  if (fetchUrl === undefined) throw unknownRemote(remotes);
  const urls = direction === 'fetch' ? [fetchUrl] : pushUrls;
  const { network, repositories } = call.scope;
  const used = urls.map((url) => requireProtocol(network, url));
  if (used.includes('file') && urls.length > 1) {
    throw new ToolError('a push to a folder goes nowhere else', {
      code: 'unsupported',
      hint: 'name the folder',
    });
  }
  const side =
    used[0] === 'file'
      ? await otherSideOf(repositories, call, folderOf(urls[0]!, base), direction)
      : undefined;
  return {
    operand,
    name: remote?.name,
    urls,
    readable: urls.length === 1 && urls[0] === fetchUrl,
    options: {
      ...transferring(call),
      environment: reaching(network, used, opened.git, opened.audit.sshCommand),
    },
    prefix: side?.prefix,
  };
}

/**
 * Returns git's default remote, where the configuration names one; an address there comes from the repository's author,
 * not from the caller.
 */
function usualName(
  { repository }: Opened,
  entries: readonly ConfigEntry[],
  remotes: readonly Remote[],
  direction: Direction,
): string {
  const { branch } = readHead(repository);
  const last = (key: string) => entries.findLast((entry) => entry.key === key)?.value;
  const ofBranch = branch === undefined ? undefined : last(`branch.${branch}.remote`);
  const forPush = branch === undefined ? undefined : last(`branch.${branch}.pushremote`);
  const chosen = (direction === 'push' ? (forPush ?? last('remote.pushdefault')) : undefined) ?? ofBranch;
  const name = chosen ?? (remotes.length === 1 ? remotes[0]!.name : 'origin');
  if (remotes.some((remote) => remote.name === name)) return name;
  throw unknownRemote(remotes);
}

/** git takes a word for a group of remotes, or for the name of one, before it takes it for an address */
function refuseOtherMeanings(entries: readonly ConfigEntry[], operand: string, address: boolean): void {
  const settings = entries.map(toSetting);
  const group = entries.some(({ key }) => key.toLowerCase() === `remotes.${operand}`.toLowerCase());
  const named =
    address && settings.some(({ section, subsection }) => section === 'remote' && subsection === operand);
  const vcs = settings.some(
    ({ section, subsection, name }) => section === 'remote' && subsection === operand && name === 'vcs',
  );
  if (!group && !named && !vcs) return;
  throw new ToolError(
    group ? 'that is the name of a group of remotes, too' : 'the configuration gives that another meaning',
    { code: 'unsupported', hint: 'remove that from the configuration' },
  );
}

/**
 * Returns the final address for one of the caller. The operator's settings may rewrite it; the repository's may not.
 */
export function addressed(
  entries: readonly ConfigEntry[],
  address: string,
): Pick<Remote, 'fetchUrl' | 'pushUrls'> {
  const name = 'remote.\n.url';
  const asked = { scope: 'command', file: undefined, key: name, value: address };
  const resolved = (all: readonly ConfigEntry[]) => remotesOf([...all, asked]).at(-1)!;
  const operator = entries.filter(({ scope }) => scope !== 'local' && scope !== 'worktree');
  const [mine, theirs] = [resolved(operator), resolved(entries)];
  if (mine.fetchUrl === theirs.fetchUrl && String(mine.pushUrls) === String(theirs.pushUrls)) return mine;
  throw new ToolError('the repository would lead this address elsewhere, by url.*.insteadOf', {
    code: 'unsupported',
    hint: 'remove that from its configuration, or name a remote',
  });
}

function unknownRemote(remotes: readonly Remote[]): ToolError {
  const names = remotes.map(({ name }) => name).slice(0, 20);
  return new ToolError('no remote of this name has an address', {
    code: 'unknown-remote',
    hint: names.length === 0 ? 'git_remote adds one' : `there are ${names.join(', ')}`,
  });
}
