import { pageOf } from '@rootbound/kit/budget';
import { defined } from '@rootbound/kit/primitives';
import { reply, ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { repoPath } from '../../call/arguments.ts';
import { messageLine, messageOf } from '../../call/list-message.ts';
import { restFacts } from '../../call/list-rest.ts';
import { tool } from '../../call/workspace.ts';
import { parseStashes, type Stash, stashesCommand } from '../../porcelain/stash.ts';
import { isoDate } from '../history/person.ts';

const NAME = 'git_stashes';
/** Stashes that are listed. */
const MOST_READ = 10_000;

const stash = z.object({
  name: z.string(),
  commit: z.string(),
  base: z.string().optional().describe('the commit it was made on'),
  branch: z.string().optional(),
  message: z.string(),
  message_truncated: z.boolean().optional(),
  date: z.string().optional(),
  index: z.string().optional().describe('a commit of what was staged'),
  untracked: z.string().optional().describe('a commit of the new files in it'),
});

export const gitStashes = tool({
  name: NAME,
  title: 'Stashes',
  description: 'The stashes, the newest first.',
  input: z.strictObject({ repo_path: repoPath, cursor: z.string().optional() }),
  output: z.object({ repository: z.string(), stashes: z.array(stash), ...restFacts }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  run({ repo_path, cursor }, { scope: { scope, repositories, maxOutput }, signal }) {
    return repositories.use(scope, repo_path, signal, async (opened) => {
      if (opened.audit.facts.bare) throw noWorkTree();
      const { stdout, truncated } = await opened.run(stashesCommand({ limit: MOST_READ }));
      const items = parseStashes(stdout);
      const whole = !truncated && items.length < MOST_READ;
      const query = [opened.repository.commonIdentity];
      const words = ['stash', 'stashes'] as const;
      return reply(
        pageOf(
          { tool: NAME, query, cursor, items, keyOf: keyOf, whole, words, maxOutput },
          (listed, rest) => ({ repository: opened.displayPath, stashes: listed.map(toFacts), ...rest }),
          ({ stashes }) => (stashes.length === 0 ? ['no stashes'] : stashes.map(lineOf)),
        ),
      );
    });
  },
});

function keyOf({ commit }: Stash): string {
  return commit;
}

function toFacts({ position, commit, base, branch, message, time, index, untracked }: Stash) {
  const date = isoDate(time, undefined);
  return {
    name: `stash@{${position}}`,
    commit,
    ...defined({ base, branch }),
    ...messageOf(message),
    ...defined({ date, index, untracked }),
  };
}

function lineOf(facts: ReturnType<typeof toFacts>): string {
  return `${facts.name}: ${messageLine(facts)}${facts.untracked === undefined ? '' : ' (with new files)'}`;
}

function noWorkTree(): ToolError {
  return new ToolError('a bare repository has no work tree to stash', {
    code: 'unsupported',
    hint: 'git_reflog with ref refs/stash lists stashes of a work tree',
  });
}
