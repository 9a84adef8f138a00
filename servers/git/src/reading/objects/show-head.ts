import { defined } from '@rootbound/kit/primitives';
import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import { commitsCommand, parseLog } from '../../porcelain/log.ts';
import { type Commit, parseCommit } from '../../repository/commit.ts';
import { DEEPEN } from '../../repository/unknown.ts';
import type { Oid } from '../../run/oid.ts';
import { factLines, short, toFacts } from '../history/commit-facts.ts';
import type { Begun, Facts } from './show-request.ts';
import type { Untagged } from './show-tag.ts';

const MAX_BYTES = 16 << 20;

export async function readCommit(opened: Opened, oid: Oid): Promise<Commit> {
  const contents = await opened.objects.contents(oid, MAX_BYTES);
  if (contents?.bytes !== undefined) return parseCommit(contents.bytes);
  throw new ToolError('the commit is too large', { code: 'too-large' });
}

/** The parents in the history: none where a shallow clone ends. */
export async function parentsOf(opened: Opened, oid: Oid, commit: Commit): Promise<readonly Oid[]> {
  const ends = opened.objects.ends();
  if (ends !== undefined) return ends.has(oid) ? [] : commit.parents;
  const { stdout } = await opened.run(commitsCommand([oid]));
  return parseLog(stdout)[0]?.parents ?? commit.parents;
}

/** Returns a commit without its message, after the tag that was asked for. */
export function begin(oid: Oid, commit: Commit, parents: readonly Oid[], tag: Untagged['tag']): Begun {
  const facts = factsOf(oid, commit, parents);
  return { facts: { ...tag.facts, ...facts }, text: tag.text + headText(facts) };
}

function factsOf(oid: Oid, commit: Commit, parents: readonly Oid[]): Facts {
  const { tree, author, committer, encoding, signature } = commit;
  return {
    type: 'commit',
    ...toFacts(oid, parents, author, committer),
    tree,
    ...defined({ encoding, signature }),
    ...(parents.length === 0 && commit.parents.length > 0 && { shallow: true }),
  };
}

function headText({ signature, shallow, ...facts }: Facts): string {
  const { oid, parents = [] } = facts;
  return [
    `commit ${short(oid)}`,
    ...factLines(facts),
    ...(parents.length > 1 ? [`Against: ${short(parents[0]!)}, its first parent`] : []),
    ...(shallow === true ? [`Shallow: the clone ends here, so all files are added; ${DEEPEN}`] : []),
    ...(signature === undefined ? [] : [`Signed: ${signature}, not verified`]),
    '',
  ].join('\n');
}
