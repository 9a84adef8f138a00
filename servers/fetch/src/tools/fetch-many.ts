import type { Halves } from '@rootbound/kit/budget';
import { defined } from '@rootbound/kit/primitives';
import { type CallContext, reply } from '@rootbound/protocol';
import * as z from 'zod';
import { askToFetch } from '../consent/ask-to-fetch.ts';
import { WebError } from '../failure.ts';
import { fitted, shortened } from '../fetching/fit-output.ts';
import { type Loaded, loadPage } from '../fetching/load-page.ts';
import { addressOf, enveloped, failureResult, pageFieldsOf } from '../fetching/result-fields.ts';
import { failure, pageFields } from '../fetching/result-schemas.ts';
import { pageOf } from '../pages/paging.ts';
import { tool, type Workspace } from '../workspace.ts';

const input = z.strictObject({
  urls: z.array(z.string()).min(1).max(20),
  max_length: z.int().min(1).max(100_000).optional().describe('characters of each, default 2000'),
  max_age: z.int().min(0).optional(),
  timeout_ms: z.int().min(1).max(600_000).optional(),
});

const item = z.object({
  ...z.object(pageFields).partial().shape,
  url: z.string(),
  content: z.string().optional(),
  total_length: z.int().optional(),
  next_start_index: z.int().optional(),
  failure: failure.optional(),
});

const output = z.object({
  items: z.array(item),
  failed: z.int(),
  remaining: z.int().optional().describe('number of last urls without room: call again with them'),
});

const USUAL_LENGTH = 2000;
/** Bytes of an item with little more than its facts. */
const LEAST_BYTES = 880;
const BESIDE_BYTES = 100;

export const fetchMany = tool({
  name: 'fetch_many',
  title: 'Fetch several',
  description: 'Fetches the beginnings of several pages at once, in order; each may fail separately.',
  input,
  output,
  annotations: { readOnlyHint: true, openWorldHint: true },
  ask: askToFetch,
  async run({ urls, max_length = USUAL_LENGTH, ...rest }, context) {
    const whole = context.scope.maxOutput - BESIDE_BYTES;
    const taken = urls.slice(0, Math.max(1, Math.floor(whole / LEAST_BYTES)));
    const remaining = urls.length - taken.length;
    const room = Math.floor(whole / taken.length);
    let done = 0;
    const items = await Promise.all(
      taken.map(async (url) => {
        const result = await one({ url, ...rest }, { max_length, room }, context);
        done += 1;
        context.progress(done, taken.length, url);
        return result;
      }),
    );
    const failed = items.filter(({ structured }) => 'failure' in structured).length;
    return reply({
      structured: {
        items: items.map(({ structured }) => structured),
        failed,
        ...(remaining > 0 && { remaining }),
      },
      content: [
        ...items.map(({ text }) => text),
        ...(remaining > 0
          ? [`There was no room for the last ${remaining} urls: call fetch_many again with them.`]
          : []),
      ].join('\n\n'),
      ...(failed === taken.length && { isError: true }),
    });
  },
});

type Asked = Parameters<typeof loadPage>[1];

interface Showing {
  readonly max_length: number;
  /** bytes of the item in either half */
  readonly room: number;
}

async function one(
  asked: Asked,
  showing: Showing,
  { scope, signal }: CallContext<Workspace>,
): Promise<Halves> {
  try {
    return itemOf(await loadPage(scope, asked, { want: 'article', signal }), showing);
  } catch (error) {
    if (!(error instanceof WebError)) throw error;
    const { room } = showing;
    const hint = error.hint === undefined ? '' : `; ${error.hint}`;
    const url = shortened(asked.url, room / 4);
    return failureResult(error, [`${url}: ${shortened(error.message + hint, room / 4)}`], { url }, room);
  }
}

function itemOf(loaded: Loaded, { max_length, room }: Showing): Halves {
  const facts = pageFieldsOf(loaded, room);
  const head = addressOf(loaded, room);
  return fitted(room, room, (kept) => {
    const { text, total, next } = pageOf(loaded.snapshot.reading, { maxLength: max_length, maxBytes: kept });
    const more = next === undefined ? '' : `\nMore follows: call fetch with start_index ${next}.`;
    return {
      structured: {
        ...facts,
        content: text,
        total_length: total,
        ...defined({ next_start_index: next }),
      },
      text: `${head}\n${enveloped(text)}${more}`,
    };
  });
}
