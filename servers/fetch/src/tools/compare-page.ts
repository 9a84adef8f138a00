import { reply } from '@rootbound/protocol';
import * as z from 'zod';
import { askToFetch } from '../consent/ask-to-fetch.ts';
import { WebError } from '../failure.ts';
import { roomBeside } from '../fetching/fit-output.ts';
import { loadForTool } from '../fetching/load-for-tool.ts';
import { pageArguments } from '../fetching/page-arguments.ts';
import { addressOf, enveloped, pageFieldsOf } from '../fetching/result-fields.ts';
import { outcome, pageFields } from '../fetching/result-schemas.ts';
import { toToolResult } from '../fetching/tool-result.ts';
import type { Snapshot } from '../pages/page.ts';
import { type Page, snapshotOf } from '../pages/page-store.ts';
import { tool } from '../workspace.ts';

const input = z.strictObject({
  ...pageArguments,
  since: z.string().optional().describe('content_hash of an earlier fetch; default the latest'),
});

const output = outcome({
  ...pageFields,
  since: z.string(),
  same: z.boolean(),
  added: z.int(),
  removed: z.int(),
  changed: z.int(),
  diff: z.string().describe('unified'),
  truncated: z.boolean(),
});

export const comparePage = tool({
  name: 'compare_page',
  title: 'Compare page',
  description:
    'Fetches a page again and returns its changes since an earlier fetch: counts of paragraphs, unified diff.',
  input,
  output,
  annotations: { readOnlyHint: true, openWorldHint: true },
  ask: askToFetch,
  run: (args, context) =>
    toToolResult(async () => {
      const { engine, owner, maxOutput } = context.scope;
      const url = URL.parse(args.url)?.href ?? args.url;
      const before = engine.pages.find(owner, {
        url,
        want: 'article',
        selector: args.selector,
        rendered: args.render,
      });
      const old = before && earlier(before, args.since);
      const loaded = await loadForTool({ max_age: 0, ...args }, context);
      const was =
        old ?? (args.since === undefined ? undefined : loaded.page && snapshotOf(loaded.page, args.since));
      if (was === undefined) throw nothingBefore(args.since);
      const facts = { ...pageFieldsOf(loaded, maxOutput), since: was.hash };
      const head = `${addressOf(loaded, maxOutput)} since ${new Date(was.fetchedAt).toISOString()}: `;
      const maxBytes = roomBeside({ structured: facts, text: head + enveloped('') }, maxOutput);
      const diff = await engine.readers.compare(was, loaded.snapshot, { maxBytes }, context.signal);
      const { same, added, removed, changed, text, truncated } = diff;
      const summary = same
        ? 'nothing has changed'
        : `${added} paragraphs added, ${removed} removed, ${changed} changed`;
      return reply({
        structured: { ...facts, same, added, removed, changed, diff: text, truncated },
        content: same ? head + summary : `${head}${summary}\n${enveloped(text)}`,
      });
    }, context.scope.maxOutput),
});

function earlier({ snapshots }: Page, hash: string | undefined): Snapshot | undefined {
  return hash === undefined ? snapshots[0] : snapshots.find((snapshot) => snapshot.hash === hash);
}

function nothingBefore(since: string | undefined): WebError {
  const what =
    since === undefined
      ? 'the page was not fetched before'
      : `no stored version of the page has content_hash ${since}`;
  return new WebError(what, { code: 'not-found', hint: 'fetch it now, and compare later' });
}
