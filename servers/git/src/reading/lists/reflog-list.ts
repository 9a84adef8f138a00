import { counted, fit, moreNote, openPosition, sealPosition } from '@rootbound/kit/budget';
import { defined } from '@rootbound/kit/primitives';
import { type Reply, reply } from '@rootbound/protocol';
import * as z from 'zod';
import { messageLine, messageOf } from '../../call/list-message.ts';
import type { Opened } from '../../call/open-repository.ts';
import type { ReflogEntry } from '../../porcelain/reflog.ts';
import { isoDate } from '../history/person.ts';
import { isReflogPlace, readReflog } from '../history/reflog.ts';
import type { ListArguments } from './list-schema.ts';

const NAME = 'git_list';

export const reflogEntry = z.object({
  name: z.string().describe('a revision: HEAD@{1}'),
  commit: z.string(),
  previous: z.string().optional(),
  action: z.string(),
  message: z.string(),
  message_truncated: z.boolean().optional(),
  by: z.string(),
  date: z.string().optional(),
});

interface Output {
  entries: Entry[];
  truncated: boolean;
  next_cursor?: string;
}

type Entry = z.input<typeof reflogEntry>;

export async function listReflog(opened: Opened, args: ListArguments, maxOutput: number): Promise<Reply> {
  const { ref = 'HEAD', max_count = 50, cursor } = args;
  const query = ['reflog', opened.repository.identity, ref];
  const place = cursor === undefined ? undefined : openPosition(NAME, query, cursor, isReflogPlace);
  const { entries, placeOf } = await readReflog(opened, ref, max_count, place);
  const { halves } = fit(Math.min(entries.length, max_count), maxOutput, (kept) => {
    const next = placeOf(kept);
    const structured: Output = {
      entries: entries.slice(0, kept).map((one) => toEntry(ref, one)),
      truncated: next !== undefined,
      ...(next !== undefined && { next_cursor: sealPosition(NAME, query, next) }),
    };
    return { structured, text: textOf(structured) };
  });
  return reply({ structured: halves.structured, content: halves.text });
}

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
