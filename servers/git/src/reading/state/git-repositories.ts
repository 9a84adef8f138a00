import { type Scope, showPath } from '@rootbound/kit/boundary';
import { pageOf } from '@rootbound/kit/budget';
import { defined } from '@rootbound/kit/primitives';
import { reply, type ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { readHead } from '../../call/head.ts';
import { restFacts } from '../../call/list-rest.ts';
import { tool } from '../../call/workspace.ts';
import { repositoryAbove } from '../../repository/above.ts';
import { beginsAbove, MAKE_ROOT } from '../../repository/refusals.ts';
import type { Repository } from '../../repository/repository.ts';

const NAME = 'git_repositories';
const MOST_FOUND = 1_000;

const repository = z.object({
  path: z.string(),
  kind: z.enum(['normal', 'bare', 'linked-worktree', 'submodule']).optional(),
  branch: z.string().optional(),
  detached: z.string().optional(),
  read_only: z.boolean().optional(),
  refused: z.string().optional().describe('why it cannot be used'),
  code: z.string().optional(),
});

type Facts = z.input<typeof repository>;

export const gitRepositories = tool({
  name: NAME,
  title: 'Repositories',
  description: 'The repositories in the roots with their branches, and the refused ones.',
  input: z.strictObject({ cursor: z.string().optional() }),
  output: z.object({ repositories: z.array(repository), ...restFacts }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run({ cursor }, { scope: { scope, repositories, maxOutput }, signal }) {
    const found = await repositories.find(scope, { count: MOST_FOUND, signal });
    const items = [...found.repositories.map(toFacts), ...found.refused.map(toRefused)];
    return reply(
      pageOf(
        {
          tool: NAME,
          query: scope.roots.map(({ real }) => real),
          cursor,
          items,
          keyOf: ({ path }) => path,
          whole: !found.truncated,
          words: ['repository', 'repositories'],
          maxOutput,
        },
        (listed, rest) => ({ repositories: [...listed], ...rest }),
        (structured) => {
          if (structured.repositories.length === 0) return noneIn(scope);
          return structured.repositories.map(lineOf);
        },
      ),
    );
  },
});

function noneIn(scope: Scope): string[] {
  const none = 'no repositories in the allowed roots';
  const above = scope.roots.map(({ real }) => repositoryAbove(scope, real)).find((way) => way !== undefined);
  return above === undefined ? [none] : [`${none}: ${beginsAbove(above)}`, MAKE_ROOT];
}

function toFacts(found: Repository): Facts {
  const { place, kind, readOnly } = found;
  const { branch, commit } = readHead(found);
  return {
    path: place.workTree ?? place.gitDir,
    kind,
    ...defined({ branch, detached: commit }),
    ...(readOnly && { read_only: true }),
  };
}

function toRefused({ path, error }: { path: string; error: ToolError }): Facts {
  const refused = error.hint === undefined ? error.message : `${error.message}; ${error.hint}`;
  return { path: showPath(path), refused, code: error.code };
}

function lineOf({ path, kind, branch, detached, read_only, refused }: Facts): string {
  if (refused !== undefined) return `${showPath(path)}: refused: ${refused}`;
  const at = branch ?? (detached === undefined ? undefined : `detached at ${detached.slice(0, 12)}`);
  const words = [kind, at, read_only ? 'read-only' : undefined].filter((word) => word !== undefined);
  return `${showPath(path)} (${words.join(', ')})`;
}
