import { type CallContext, reply } from '@rootbound/protocol';
import * as z from 'zod';
import { WebError } from '../failure.ts';
import { urlArgument } from '../fetching/arguments.ts';
import { type Loaded, loadPage } from '../fetching/load-page.ts';
import { failure, told } from '../fetching/schemas.ts';
import { enveloped, failureOf, sizeOf, toldOf } from '../fetching/told.ts';
import { pageOf } from '../pages/paging.ts';
import { tool, type Workspace } from '../workspace.ts';

const input = z.strictObject({
  urls: z.array(urlArgument).min(1).max(20),
  max_length: z.int().min(1).max(100_000).optional().describe('characters of each, default 2000'),
  max_age: z.int().min(0).optional(),
  timeout_ms: z.int().min(1).max(600_000).optional(),
});

const item = z.object({
  ...z.object(told).partial().shape,
  url: z.string(),
  content: z.string().optional(),
  total_length: z.int().optional(),
  next_start_index: z.int().optional(),
  failure: failure.optional(),
});

const output = z.object({ items: z.array(item), failed: z.int() });

const USUAL_LENGTH = 2000;
const BESIDE_BYTES = 2048;

export const fetchMany = tool({
  name: 'fetch_many',
  title: 'Fetch several',
  description: 'The beginnings of several pages at once, in order; each succeeds or fails by itself.',
  input,
  output,
  annotations: { readOnlyHint: true, openWorldHint: true },
  async run({ urls, max_length = USUAL_LENGTH, ...rest }, context) {
    const room = Math.floor(context.scope.maxOutput / urls.length) - BESIDE_BYTES;
    let done = 0;
    const items = await Promise.all(
      urls.map(async (url) => {
        const told = await one({ url, ...rest }, { max_length, room }, context);
        done += 1;
        context.progress(done, urls.length, url);
        return told;
      }),
    );
    const failed = items.filter(({ facts }) => 'failure' in facts).length;
    return reply({
      structured: { items: items.map(({ facts }) => facts), failed },
      content: items.map(({ text }) => text).join('\n\n'),
      ...(failed === urls.length && { isError: true }),
    });
  },
});

type Asked = Parameters<typeof loadPage>[1];

async function one(
  asked: Asked,
  { max_length, room }: { max_length: number; room: number },
  { scope, signal }: CallContext<Workspace>,
): Promise<{ facts: Record<string, unknown>; text: string }> {
  try {
    return shown(await loadPage(scope, asked, { want: 'article', signal }), max_length, room);
  } catch (error) {
    if (!(error instanceof WebError)) throw error;
    const hint = error.hint === undefined ? '' : `; ${error.hint}`;
    return {
      facts: { url: asked.url, failure: failureOf(error) },
      text: `${asked.url}: ${error.message}${hint}`,
    };
  }
}

function shown(
  loaded: Loaded,
  maxLength: number,
  room: number,
): { facts: Record<string, unknown>; text: string } {
  const facts = toldOf(loaded);
  const maxBytes = Math.max(1, room - sizeOf(facts));
  const { text, total, next } = pageOf(loaded.snapshot.reading, { maxLength, maxBytes });
  const more = next === undefined ? '' : `\nMore follows: call fetch with start_index ${next}.`;
  return {
    facts: {
      ...facts,
      content: text,
      total_length: total,
      ...(next !== undefined && { next_start_index: next }),
    },
    text: `${loaded.snapshot.finalUrl}\n${enveloped(text)}${more}`,
  };
}
