import { pageOf } from '@rootbound/kit/budget';
import { defined } from '@rootbound/kit/primitives';
import { type Reply, reply, ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { messageLine, messageOf } from '../../call/list-message.ts';
import type { Opened } from '../../call/open-repository.ts';
import { parseStashes, type Stash, stashesCommand } from '../../porcelain/stash.ts';
import { isoDate } from '../history/person.ts';
import type { ListArguments } from './list-schema.ts';

/** Stashes that are listed. */
const MOST_READ = 10_000;

export const stash = z.object({
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

export async function listStashes(
  opened: Opened,
  { cursor }: ListArguments,
  maxOutput: number,
): Promise<Reply> {
  if (opened.audit.facts.bare) throw noWorkTree();
  const { stdout, truncated } = await opened.run(stashesCommand({ limit: MOST_READ }));
  const items = parseStashes(stdout);
  const whole = !truncated && items.length < MOST_READ;
  const query = ['stashes', opened.repository.commonIdentity];
  const words = ['stash', 'stashes'] as const;
  return reply(
    pageOf(
      { tool: 'git_list', query, cursor, items, keyOf, whole, words, maxOutput },
      (listed, rest) => ({ stashes: listed.map(toFacts), ...rest }),
      ({ stashes }) => (stashes.length === 0 ? ['no stashes'] : stashes.map(lineOf)),
    ),
  );
}

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
    hint: 'git_list with kind reflog and ref refs/stash lists stashes of a work tree',
  });
}
