import { defined } from '@rootbound/kit/primitives';
import * as z from 'zod';
import type { Ident } from '../../repository/headers.ts';
import { nameAndEmail, type Person, toPerson } from './person.ts';

/** The origin of a commit, as members of a result. */
export const commitFacts = {
  oid: z.string(),
  parents: z.array(z.string()).optional(),
  author: z.string().optional().describe('name <email>'),
  date: z.string().optional().describe('of the author, ISO 8601 in the own zone'),
  committer: z.string().optional().describe('where it is another one'),
  committed: z.string().optional().describe('where it is another time'),
};

export interface CommitFacts {
  oid: string;
  parents?: string[] | undefined;
  author?: string | undefined;
  date?: string | undefined;
  committer?: string | undefined;
  committed?: string | undefined;
}

/** Bytes of a commit at most; people write smaller ones. */
const MOST_PARENTS = 64;

export function toFacts(
  oid: string,
  parents: readonly string[],
  authored: Ident | undefined,
  committedBy: Ident | undefined,
): CommitFacts {
  const [author, committer] = [authored && toPerson(authored), committedBy && toPerson(committedBy)];
  const [by, through] = [author && nameAndEmail(author), committer && nameAndEmail(committer)];
  const left = parents.length - MOST_PARENTS;
  return {
    oid,
    parents: left <= 0 ? [...parents] : [...parents.slice(0, MOST_PARENTS), `and ${left} more`],
    ...defined({ author: by }),
    ...dated('date', author),
    ...(through !== undefined && through !== by && { committer: through }),
    ...(committer?.date !== author?.date && dated('committed', committer)),
  };
}

/** The same members as text lines under the commit's line, as in git's output. */
export function factLines({ parents = [], author, date, committer, committed }: CommitFacts): string[] {
  const byAnother = committer ?? (committed === undefined ? undefined : author);
  return [
    ...(parents.length > 1 ? [`Merge:  ${parents.map(short).join(' ')}`] : []),
    ...(author === undefined ? [] : [`Author: ${withDate(author, date)}`]),
    ...(byAnother === undefined ? [] : [`Commit: ${withDate(byAnother, committed ?? date)}`]),
  ];
}

/** Returns an object name as texts give it. */
export function short(oid: string): string {
  return oid.slice(0, 12);
}

function dated(member: 'date' | 'committed', who: Person | undefined) {
  return who?.date === undefined ? {} : { [member]: who.date };
}

function withDate(who: string, date: string | undefined): string {
  return date === undefined ? who : `${who}, ${date}`;
}
