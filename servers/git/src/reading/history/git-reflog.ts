import { counted, fit, moreNote, openPosition, sealPosition } from '@rootbound/kit/budget';
import { defined } from '@rootbound/kit/primitives';
import { reply } from '@rootbound/protocol';
import * as z from 'zod';
import { repoPath } from '../../call/arguments.ts';
import { messageLine, messageOf } from '../../call/list-message.ts';
import { tool } from '../../call/workspace.ts';
import type { ReflogEntry } from '../../porcelain/reflog.ts';
import { isoDate } from './person.ts';
import { isReflogPlace, readReflog } from './reflog.ts';

const NAME = 'git_reflog';

const entry = z.object({
  name: z.string().describe('a revision: HEAD@{1}'),
  commit: z.string(),
  previous: z.string().optional(),
  action: z.string(),
  message: z.string(),
  message_truncated: z.boolean().optional(),
  by: z.string(),
  date: z.string().optional(),
});

const output = z.object({
  repository: z.string(),
  entries: z.array(entry),
  truncated: z.boolean(),
  next_cursor: z.string().optional(),
});

type Output = z.input<typeof output>;
type Entry = z.input<typeof entry>;

export const gitReflog = tool({
  name: NAME,
  title: 'Reflog',
  description: 'Earlier positions of a ref, newest first, for undoing moves.',
  input: z.strictObject({
    repo_path: repoPath,
    ref: z.string().optional().describe('default HEAD'),
    max_count: z.int().min(1).max(1000).optional().describe('default 50'),
    cursor: z.string().optional(),
  }),
  output,
  annotations: { readOnlyHint: true, openWorldHint: false },
  run(args, { scope: { scope, repositories, maxOutput }, signal }) {
    return repositories.use(scope, args.repo_path, signal, async (opened) => {
      const { ref = 'HEAD', max_count = 50, cursor } = args;
      const query = [opened.repository.identity, ref];
      const place = cursor === undefined ? undefined : openPosition(NAME, query, cursor, isReflogPlace);
      const { entries, placeOf } = await readReflog(opened, ref, max_count, place);
      const { halves } = fit(Math.min(entries.length, max_count), maxOutput, (kept) => {
        const next = placeOf(kept);
        const structured: Output = {
          repository: opened.displayPath,
          entries: entries.slice(0, kept).map((one) => toEntry(ref, one)),
          truncated: next !== undefined,
          ...(next !== undefined && { next_cursor: sealPosition(NAME, query, next) }),
        };
        return { structured, text: textOf(structured) };
      });
      return reply({ structured: halves.structured, content: halves.text });
    });
  },
});

function toEntry(ref: string, { position, commit, previous, ...facts }: ReflogEntry): Entry {
  const date = isoDate(facts.time, undefined);
  return {
    name: `${ref}@{${position}}`,
    commit,
    ...defined({ previous }),
    action: facts.action,
    ...messageOf(facts.message),
    by: messageOf(`${facts.name} <${facts.email}>`).message,
    ...defined({ date }),
  };
}

function textOf({ entries, next_cursor }: Output): string {
  if (entries.length === 0) return 'no moves are recorded';
  const lines = entries.map((one) => {
    const action = messageLine({ message: one.action });
    return `${one.commit.slice(0, 12)} ${one.name}: ${action === '' ? '' : `${action}: `}${messageLine(one)}`;
  });
  if (next_cursor !== undefined)
    lines.push(moreNote(counted(entries.length, 'entry', 'entries'), next_cursor));
  return lines.join('\n');
}
