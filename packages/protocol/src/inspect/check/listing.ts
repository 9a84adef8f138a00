import { isObject, type Params } from '../../jsonrpc/message.ts';
import { HttpWire } from './http-wire.ts';
import type { Talk } from './talk.ts';
import type { Answer } from './wire.ts';

export const listMembers = {
  'tools/list': ['tools', 'tools', 'name'],
  'resources/list': ['resources', 'resources', 'uri'],
  'resources/templates/list': ['resources', 'resourceTemplates', 'uriTemplate'],
  'prompts/list': ['prompts', 'prompts', 'name'],
} as const;
export type ListMethod = keyof typeof listMembers;
export const listMethods = Object.keys(listMembers) as ListMethod[]; // the keys above

/** The pages and items of a list. */
export interface Listing {
  readonly pages: readonly Params[];
  readonly items: readonly Params[];
  /** the reason why it was not read to its end */
  readonly problem: string | undefined;
}

/** The maximum number of pages that are read of a list. */
const MOST_PAGES = 50;

/** Reads a list to its end, or to the first problem. */
export async function readList(talk: Talk, method: ListMethod): Promise<Listing> {
  const member = listMembers[method][1];
  const pages: Params[] = [];
  const items: Params[] = [];
  const cursors = new Set<unknown>();
  const done = (problem?: string): Listing => ({ pages, items, problem });
  for (let cursor: unknown; pages.length < MOST_PAGES; ) {
    const { result, error } = await talk.ask(method, cursor === undefined ? {} : { cursor });
    if (result === undefined) return done(`${method} was answered with ${describe({ error, result })}`);
    const found = result[member];
    if (!Array.isArray(found)) return done(`the result of ${method} has no array ${member}`);
    if (talk.wire instanceof HttpWire) talk.wire.learn(result);
    pages.push(result);
    items.push(...found.filter(isObject));
    cursor = result.nextCursor ?? undefined;
    if (cursor === undefined) return done();
    if (cursors.has(cursor)) return done(`${method} returns the cursor ${JSON.stringify(cursor)} twice`);
    cursors.add(cursor);
  }
  return done();
}

/** Returns a short description of a response. */
export function describe({ error, result }: Pick<Answer, 'error' | 'result'>): string {
  if (error !== undefined) return `error ${JSON.stringify(error.code)} ${JSON.stringify(error.message)}`;
  return result === undefined ? 'nothing' : 'a result';
}
