import { type Complete, type TemplateDefinition, template } from '@rootbound/protocol';
import type { Workspace } from '../../call/workspace.ts';

type Completing = typeof import('../completing/uris.ts');

/** code that only a requested resource needs is loaded then */
const completing = (pick: (loaded: Completing) => Complete<Workspace>): Complete<Workspace> => {
  return async (...typed) => pick(await import('../completing/uris.ts'))(...typed);
};
const repo = completing(({ completeRepo }) => completeRepo);
const commit = completing(({ completeOid }) => completeOid('commit'));

interface Family {
  readonly query: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType?: string;
  readonly complete?: Readonly<Record<string, Complete<Workspace>>>;
}

const json = 'application/json';

/** The URI families after the path of a repository; the first names the repository itself. */
const families: readonly Family[] = [
  {
    query: '',
    name: 'repository',
    title: 'Repository',
    description: 'The repository and its state, with links to its other resources',
    mimeType: json,
  },
  {
    query: '?status',
    name: 'status',
    title: 'Status',
    description: 'Staged, changed, unmerged and untracked paths of the work tree',
    mimeType: json,
  },
  {
    query: '?index',
    name: 'index',
    title: 'Index',
    description: 'Entries staged for the next commit, with object ids',
    mimeType: json,
  },
  { query: '?stash', name: 'stash', title: 'Stashes', description: 'The stashes', mimeType: json },
  {
    query: '?operation',
    name: 'operation',
    title: 'Operation in progress',
    description: 'A merge, rebase, cherry-pick, revert or bisect that is not finished',
    mimeType: json,
  },
  { query: '?refs', name: 'refs', title: 'Refs', description: 'HEAD and all refs', mimeType: json },
  {
    query: '?ref={+ref}',
    name: 'ref',
    title: 'Ref',
    description: 'One ref by its whole name, such as refs/heads/main, or HEAD',
    mimeType: json,
    complete: { ref: completing(({ completeRef }) => completeRef) },
  },
  {
    query: '?commit={oid}',
    name: 'commit',
    title: 'Commit',
    description: 'A commit by its whole id: message, people and parents, with links to its tree and diff',
    mimeType: json,
    complete: { oid: commit },
  },
  {
    query: '?commit={oid}&path={+path}',
    name: 'file',
    title: 'File of a commit',
    description: 'A file as it is in a commit, or the entries of a folder',
    complete: { oid: commit, path: completing(({ completePath }) => completePath) },
  },
  {
    query: '?tree={oid}',
    name: 'tree',
    title: 'Tree',
    description: 'The entries of a folder by the id of its tree',
    mimeType: json,
    complete: { oid: completing(({ completeOid }) => completeOid('tree')) },
  },
  {
    query: '?blob={oid}',
    name: 'blob',
    title: 'Blob',
    description: 'The contents of a file by the id of its blob',
    complete: { oid: completing(({ completeOid }) => completeOid('blob')) },
  },
  {
    query: '?diff={from}..{to}',
    name: 'diff',
    title: 'Diff',
    description: 'The patch from one commit or tree to another, by their ids',
    mimeType: 'text/x-diff',
    complete: { from: commit, to: commit },
  },
];

/** The resource templates. The template that matched decides nothing: each URI is parsed. */
export const resources: readonly TemplateDefinition<Workspace>[] = families.map(
  ({ query, complete, ...family }) =>
    template<Workspace>({
      uriTemplate: `git:///{+repo}${query}`,
      ...family,
      complete: { repo, ...complete },
      read: async (uri, context) => (await import('./reading.ts')).readGitUri(uri, context),
    }),
);
