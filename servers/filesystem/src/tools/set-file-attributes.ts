import { setAttributes, showName } from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { changeOptionsWith } from '../changes/options.ts';
import { tool } from '../workspace.ts';

export const setFileAttributes = tool({
  name: 'set_file_attributes',
  title: 'Set file attributes',
  description: 'Sets times (touch) and permissions (chmod) of a file or directory; others stay as they are.',
  input: z.strictObject({
    path: z.string(),
    modified: z.string().optional().describe('ISO 8601, or "now"'),
    accessed: z.string().optional(),
    mode: z.string().optional().describe('octal, such as 644'),
    create: z.boolean().optional(),
    ifMatch: z.string().optional(),
  }),
  output: z.object({
    path: z.string(),
    created: z.boolean(),
    modified: z.string(),
    accessed: z.string(),
    mode: z.string(),
    etag: z.string(),
  }),
  // not idempotent: "now" differs at each call
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  async run({ path, modified, accessed, mode, create, ifMatch }, context) {
    if (modified === undefined && accessed === undefined && mode === undefined && !create)
      throw new ToolError('set at least one of modified, accessed, mode, create', {
        code: 'invalid-arguments',
      });
    const options = changeOptionsWith(context, {
      modified: modified === undefined ? undefined : toTime('modified', modified),
      accessed: accessed === undefined ? undefined : toTime('accessed', accessed),
      mode: mode === undefined ? undefined : toMode(mode),
      create,
      ifMatch,
    });
    const { created, stat, etag } = await setAttributes(context.scope.scope, path, options);
    return {
      path,
      created,
      modified: stat.mtime.toISOString(),
      accessed: stat.atime.toISOString(),
      mode: (stat.mode & 0o777).toString(8).padStart(3, '0'),
      etag,
    };
  },
  render: ({ path, created, modified, mode, etag }) =>
    `${created ? 'created' : 'set'} ${showName(path)}, modified ${modified}, mode ${mode}, etag ${etag}`,
});

const iso = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/i;

/** Parses a time: `now`, or an ISO 8601 time, which is UTC unless it has an offset. */
function toTime(field: string, text: string): Date {
  if (text === 'now') return new Date();
  const match = iso.exec(text);
  const hasTime = text.length > 10;
  const time = new Date(hasTime && match?.[1] === undefined ? `${text}Z` : text);
  if (match !== null && !Number.isNaN(time.getTime())) return time;
  throw new ToolError(`${field} must be "now" or an ISO 8601 time such as 2026-01-31T12:00:00Z`, {
    code: 'invalid-arguments',
  });
}

/** Parses octal permissions such as 644; set-user-id, set-group-id and sticky are not accepted. */
function toMode(text: string): number {
  if (/^0?[0-7]{3}$/.test(text)) return Number.parseInt(text, 8);
  throw new ToolError(
    'mode must be three octal digits such as "644"; set-user-id, set-group-id and sticky cannot be set',
    { code: 'invalid-arguments' },
  );
}
