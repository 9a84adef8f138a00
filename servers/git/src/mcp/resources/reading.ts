import { locate } from '@rootbound/kit/boundary';
import { type CallContext, type ReadOutcome, ToolError } from '@rootbound/protocol';
import { parseGitUri, type Target } from '../../call/git-uri.ts';
import type { Opened } from '../../call/open-repository.ts';
import type { Workspace } from '../../call/workspace.ts';
import { readFixed } from './objects.ts';
import { nothingThere, outcomeOf, type Read } from './outcome.ts';
import { readRef, readRefs } from './refs.ts';
import { readRepository, readState } from './state.ts';

/** Reads the content of a `git://` URI. */
export async function readGitUri(
  uri: string,
  { scope: { scope, repositories, maxOutput }, signal }: CallContext<Workspace, undefined>,
): Promise<ReadOutcome> {
  const { repository: path, target } = parseGitUri(uri) ?? {};
  if (path === undefined || target === undefined) throw nothingThere();
  try {
    const read = await repositories.use(scope, path, signal, async (opened) => {
      // a folder in a repository is no second name of the repository
      if (locate(scope, path).path !== opened.repository.top) throw nothingThere();
      return readTarget(opened, target, maxOutput);
    });
    return outcomeOf(uri, read, maxOutput);
  } catch (error) {
    if (error instanceof ToolError && error.code === 'not-a-repository') throw nothingThere();
    throw error;
  }
}

function readTarget(opened: Opened, target: Target, maxOutput: number): Promise<Read> {
  switch (target.kind) {
    case 'repository':
      return readRepository(opened);
    case 'refs':
      return readRefs(opened, maxOutput);
    case 'ref':
      return readRef(opened, target.name);
    case 'status':
    case 'index':
    case 'stash':
    case 'operation':
      return readState(opened, target.kind, maxOutput);
    case 'commit':
    case 'tree':
    case 'blob':
    case 'diff':
    case 'path':
      return readFixed(opened, target, maxOutput);
  }
}
