import { showName } from '@rootbound/kit/boundary';
import { type Listing, pageOf, startOf } from '@rootbound/kit/budget';
import { defined } from '@rootbound/kit/primitives';
import { type Reply, reply } from '@rootbound/protocol';
import * as z from 'zod';
import { messageOf } from '../../call/list-message.ts';
import type { Opened } from '../../call/open-repository.ts';
import { parseRefs, type Ref, type RefsOptions, refsCommand } from '../../porcelain/refs.ts';
import { parseTag, type Tag } from '../../repository/tag.ts';
import type { Oid } from '../../run/oid.ts';
import { isoDate, nameAndEmail, toPerson } from '../history/person.ts';
import type { ListArguments } from './list-schema.ts';

/** Tags that are read for a page with messages, and bytes of each. */
const MOST_READ = 200;
const MOST_BYTES = 64 << 10;

export const tag = z.object({
  name: z.string(),
  target: z.string().describe('what it is of'),
  type: z.string(),
  annotation: z.string().optional().describe('the tag object of an annotated one'),
  date: z.string().optional(),
  tagger: z.string().optional(),
  signature: z.string().optional().describe('its form, not verified'),
  message: z.string().optional(),
  message_truncated: z.boolean().optional(),
});

type TagFacts = z.input<typeof tag>;

export async function listTags(opened: Opened, args: ListArguments, maxOutput: number): Promise<Reply> {
  const { pattern, contains, sort = 'name', messages = false, cursor } = args;
  const options = {
    kinds: ['tag'],
    ...defined({ pattern }),
    ...(contains !== undefined && { contains: await opened.resolve(contains, 'commit') }),
    sort: sort === 'date' ? 'newest' : sort,
    subject: sort === 'date',
  } as const satisfies RefsOptions;
  const { stdout, truncated } = await opened.run(refsCommand(options));
  const refs = parseRefs(stdout, options);
  const listing: Listing<Ref> = {
    tool: 'git_list',
    query: ['tags', opened.repository.commonIdentity, Object.entries(options).flat(), messages],
    cursor,
    items: sort === 'version' ? refs.reverse() : refs,
    keyOf: ({ name }) => name,
    whole: !truncated,
    words: ['tag', 'tags'],
    maxOutput,
    ...(messages && { most: MOST_READ }),
  };
  const read = messages ? await readTags(opened, listing) : undefined;
  return reply(
    pageOf(
      listing,
      (listed, rest) => ({ tags: listed.map((ref) => toFacts(ref, read)), ...rest }),
      ({ tags }) => (tags.length === 0 ? ['no such tags'] : tags.map(lineOf)),
    ),
  );
}

/** Returns the annotated tags of the page, by their objects; undefined in the place of one that is too large. */
async function readTags({ objects }: Opened, listing: Listing<Ref>): Promise<Map<Oid, Tag | undefined>> {
  const start = startOf(listing);
  const annotated = listing.items.slice(start, start + MOST_READ).filter(({ type }) => type === 'tag');
  const read = await Promise.all(
    annotated.map(async ({ oid }) => {
      const bytes = (await objects.read(oid, MOST_BYTES))?.bytes;
      return [oid, bytes && parseTag(bytes)] as const;
    }),
  );
  return new Map(read);
}

function toFacts(
  { short, oid, type, target, time }: Ref,
  read: ReadonlyMap<Oid, Tag | undefined> | undefined,
): TagFacts {
  const date = isoDate(time, undefined);
  const facts = { ...(type === 'tag' && { annotation: oid }), ...defined({ date }) };
  const annotated = read === undefined || type !== 'tag' ? {} : annotationOf(read.get(oid));
  return { name: short, target: target?.oid ?? oid, type: target?.type ?? type, ...facts, ...annotated };
}

function annotationOf(read: Tag | undefined): Partial<TagFacts> {
  if (read === undefined) return { message_truncated: true };
  const { tagger, signature, message } = read;
  const date = isoDate(tagger?.time, tagger?.zone);
  return {
    ...(tagger !== undefined && { tagger: messageOf(nameAndEmail(toPerson(tagger))).message }),
    ...defined({ date, signature }),
    ...messageOf(message.trimEnd()),
  };
}

function lineOf({ name, target, type, annotation, date, ...message }: TagFacts): string {
  const of = type === 'commit' ? '' : ` (${type})`;
  const words = [annotation === undefined ? '' : 'annotated', date ?? '', showName(message.tagger ?? '')];
  const head = [name, `${target.slice(0, 12)}${of}`, ...words].filter((part) => part !== '').join(' ');
  const cut = message.message_truncated ? ['    […]'] : [];
  const lines =
    message.message?.split('\n').map((line) => (line === '' ? '' : `    ${showName(line)}`)) ?? [];
  return [head, ...lines, ...cut].join('\n');
}
