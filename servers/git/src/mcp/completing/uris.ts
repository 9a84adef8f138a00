import { matching } from '@rootbound/kit/prompts';
import type { Complete, Completion } from '@rootbound/protocol';
import { decodeName, encodeName, parseGitUri, toGitUri } from '../../call/git-uri.ts';
import type { Workspace } from '../../call/workspace.ts';
import type { ObjectType } from '../../repository/answers.ts';
import { isOid } from '../../run/oid.ts';
import { completeIds } from './commits.ts';
import { completeIn } from './in-repository.ts';
import { pathsAt } from './paths.ts';
import { newestRefs } from './refs.ts';
import { completeRepositories } from './repositories.ts';

// values of these templates are percent-encoded, as `{+name}` does not encode them

const START = 'git:///';

/** Returns paths of repositories, without the slash that the template has. */
export const completeRepo: Complete<Workspace> = async (value, context, resolved) => {
  const typed = value === '' ? '' : repositoryOf(value);
  if (typed === undefined) return [];
  const found = await completeRepositories(typed, context, resolved);
  return mapped(found, (path) => toGitUri(path).slice(START.length));
};

/** Returns full names of refs. */
export const completeRef: Complete<Workspace> = (value, context, { repo }) =>
  completeIn(repositoryOf(repo), context, async (opened) => {
    const names = ['HEAD', ...(await newestRefs(opened)).map(({ name }) => name)];
    return matching(names.map(encodeName), value);
  });

/** Returns ids of objects of one type. */
export const completeOid =
  (type: Exclude<ObjectType, 'tag'>): Complete<Workspace> =>
  (value, context, { repo }) =>
    completeIn(repositoryOf(repo), context, (opened) => completeIds(opened, type, value));

/** Returns paths of the given commit. */
export const completePath: Complete<Workspace> = (value, context, { repo, oid = '' }) =>
  completeIn(repositoryOf(repo), context, async (opened) => {
    const typed = decodeName(value);
    if (typed === undefined) return [];
    const paths = await pathsAt(opened, isOid(oid) ? oid : 'HEAD', typed);
    return paths.map(encodeName);
  });

function repositoryOf(repo: string | undefined): string | undefined {
  const parsed = repo === undefined ? undefined : parseGitUri(START + repo);
  return parsed?.target.kind === 'repository' ? parsed.repository : undefined;
}

function mapped(completion: Completion, map: (value: string) => string): Completion {
  return isList(completion) ? completion.map(map) : { ...completion, values: completion.values.map(map) };
}

function isList(completion: Completion): completion is readonly string[] {
  return Array.isArray(completion);
}
