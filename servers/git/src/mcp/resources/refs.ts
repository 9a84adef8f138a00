import { defined } from '@rootbound/kit/primitives';
import { toGitUri } from '../../call/git-uri.ts';
import { readHead } from '../../call/head.ts';
import type { Opened } from '../../call/open-repository.ts';
import { isPlainName } from '../../porcelain/names.ts';
import { parseRefs, type Ref, type RefsOptions, refsCommand } from '../../porcelain/refs.ts';
import type { Oid } from '../../run/oid.ts';
import { isRefName } from '../../run/operand.ts';
import { nothingThere, type Read, tooLarge } from './outcome.ts';

interface HeadFacts {
  readonly branch?: string;
  readonly commit?: Oid;
  readonly unborn?: true;
}

/** Reads HEAD: at a branch, detached, or at a branch without a commit. */
export async function headFacts({ repository, objects }: Opened): Promise<HeadFacts> {
  const { branch } = readHead(repository);
  const info = await objects.info('HEAD^{commit}');
  return {
    ...defined({ branch }),
    ...(info === undefined ? { unborn: true } : { commit: info.oid }),
  };
}

export async function readRefs(opened: Opened, maxOutput: number): Promise<Read> {
  const { stdout, truncated } = await opened.run(refsCommand());
  const tool = 'git_branch, or git_list with kind tags,';
  if (truncated) throw tooLarge(tool, maxOutput);
  return { body: { head: await headFacts(opened), refs: parseRefs(stdout).map(refFacts) }, tool };
}

export async function readRef(opened: Opened, name: string): Promise<Read> {
  const tool = 'git_show';
  if (name === 'HEAD') {
    const head = await headFacts(opened);
    return { body: { name, ...head, links: linksOf(opened, head.commit, 'commit') }, tool };
  }
  const ref = await findRef(opened, name);
  const { oid, type } = ref.target ?? ref;
  return { body: { ...refFacts(ref), links: linksOf(opened, oid, type) }, tool };
}

/** a name that is not UTF-8 can be no argument, and is found among all names */
async function findRef(opened: Opened, name: string): Promise<Ref> {
  if (isPlainName(name) && !isRefName(name)) throw nothingThere();
  const options: RefsOptions = isPlainName(name) ? { names: [name] } : {};
  const { stdout } = await opened.run(refsCommand(options));
  const ref = parseRefs(stdout, options).find((found) => found.name === name);
  if (ref === undefined) throw nothingThere();
  return ref;
}

function refFacts({ name, oid, type, target, symbolic }: Ref) {
  return { name, oid, type, ...(target && { target }), ...defined({ symbolic }) };
}

function linksOf({ repository: { top } }: Opened, oid: Oid | undefined, type: string) {
  if (oid === undefined || (type !== 'commit' && type !== 'tree' && type !== 'blob')) return {};
  return { [type]: toGitUri(top, { kind: type, oid }) };
}
