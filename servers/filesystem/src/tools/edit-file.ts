import { etagOf, readSmall, refuse, type Scope, updateFile } from '@rootbound/kit/boundary';
import { clipText, jsonBytes } from '@rootbound/kit/budget';
import { ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { unifiedDiff } from '../edit/diff.ts';
import { applyEdits, type Edit } from '../edit/edits.ts';
import { toEditable } from '../edit/faithful.ts';
import { inSlices } from '../edit/slices.ts';
import { tool } from '../workspace.ts';

/** Editing holds the file in memory several times over. */
const MAX_EDITED_BYTES = 64 * 1024 * 1024;

/** As long as an etag can be, for the check before there is one. */
const ANY_ETAG = '-'.repeat(64);

const output = z.object({
  path: z.string(),
  diff: z.string().describe('unified diff'),
  replacements: z.array(z.int()).describe('places replaced by each edit'),
  applied: z.boolean().describe('false for a dry run'),
  etag: z.string(),
  truncated: z.boolean().describe('the diff was cut at the size limit'),
});

type Output = z.output<typeof output>;

export const editFile = tool({
  name: 'edit_file',
  title: 'Edit file',
  description:
    'Replaces exact pieces of a text file; all edits land or none. Each oldText must occur exactly once unless ' +
    'replaceAll. Encoding, line ends and everything not edited stay as they are. dryRun only shows the diff.',
  input: z.strictObject({
    path: z.string(),
    edits: z
      .array(
        z.strictObject({
          oldText: z.string().describe('exact text to replace'),
          newText: z.string(),
          replaceAll: z.boolean().optional(),
        }),
      )
      .min(1)
      .describe('applied in order, each on the result of the one before'),
    dryRun: z.boolean().optional(),
    ifMatch: z.string().optional().describe('refuse unless the file still has this etag'),
  }),
  output,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  async run({ path, edits, dryRun = false, ifMatch }, { scope: { scope, maxOutput }, signal }) {
    const said = { path, diff: '', replacements: [] as number[], applied: !dryRun, truncated: false };
    let before = '';
    let after = '';
    const change = (bytes: Buffer): Buffer => {
      const editable = toEditable(bytes, path);
      const edited = applyEdits(editable.text, edits as Edit[]); // zod writes optional members with undefined
      before = editable.text;
      after = edited.text;
      said.replacements = edited.counts;
      // refused here, a result that cannot be told leaves the file alone
      if (bytesBesideDiff({ ...said, etag: ANY_ETAG }) > maxOutput) throw tooMuch(edits.length, maxOutput);
      return editable.encode(edited.text);
    };
    const options = { maxBytes: MAX_EDITED_BYTES, ...(ifMatch !== undefined && { ifMatch }) };
    const etag = dryRun
      ? tryOut(scope, path, change, ifMatch)
      : updateFile(scope, path, change, options).etag;
    const facts = { ...said, etag };
    const room = maxOutput - bytesBesideDiff(facts);
    const { text, cut } = await inSlices(unifiedDiff(path, before, after, room), signal);
    const diff = clipText(text.toWellFormed(), room, { measure: 'json' });
    return { ...facts, diff: diff.kept, truncated: cut || diff.truncated };
  },
  render: (facts) => `${headOf(facts)}\n${facts.diff}`,
});

function headOf({ path, replacements, applied, etag, truncated }: Output): string {
  const head = applied ? `edited ${path}` : `dry run of ${path}, nothing was written`;
  const facts = [`replaced ${replacements.join(' + ')}`, `etag ${etag}`];
  if (truncated) facts.push('the diff is cut');
  return `${head} (${facts.join(', ')})`;
}

/** Bytes of the larger half of a result whose diff is empty, whether or not it says that it was cut. */
function bytesBesideDiff(facts: Output): number {
  const structured = Buffer.byteLength(JSON.stringify({ ...facts, truncated: false }));
  return Math.max(structured, jsonBytes(`${headOf({ ...facts, truncated: true })}\n`));
}

function tooMuch(edits: number, limit: number): ToolError {
  return new ToolError(
    `the result of ${edits} edits exceeds the limit of ${limit} bytes; give fewer at once`,
    {
      code: 'invalid-arguments',
    },
  );
}

/** The same change by the same code, without the write. */
function tryOut(
  scope: Scope,
  path: string,
  change: (bytes: Buffer) => Buffer,
  ifMatch: string | undefined,
): string {
  const file = readSmall(scope, path, MAX_EDITED_BYTES);
  if (file === undefined)
    throw refuse('too-large', path, `the limit for a change is ${MAX_EDITED_BYTES} bytes`);
  const etag = etagOf(file.stat);
  if (ifMatch !== undefined && etag !== ifMatch)
    throw refuse('changed', path, 'read it again, then repeat the change');
  change(file.bytes);
  return etag;
}
