import { type Root, showName } from '@rootbound/kit/boundary';
import { reply } from '@rootbound/protocol';
import * as z from 'zod';
import { fit, moreNote, openPosition, sealPosition } from '../listing/page.ts';
import { tool } from '../workspace.ts';

const NAME = 'list_allowed_directories';

const output = z.object({
  roots: z.array(z.object({ path: z.string(), uri: z.string(), name: z.string(), readOnly: z.boolean() })),
  reason: z.string(),
  containment: z.enum(['kernel', 'best-effort']),
  truncated: z.boolean(),
  nextCursor: z.string().optional(),
});

export const listAllowedDirectories = tool({
  name: NAME,
  title: 'List allowed directories',
  description: 'Lists the roots: the directories that may be accessed, with all below them.',
  input: z.strictObject({ cursor: z.string().optional() }),
  output,
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  run({ cursor }, { scope: { scope, maxOutput } }) {
    const { reason, containment } = scope;
    const query = scope.roots.map((root) => root.uri);
    const start = cursor === undefined ? 0 : openPosition(NAME, query, cursor, isIndex);
    const rest = scope.roots.slice(start);
    const { halves } = fit(rest.length, maxOutput, (count) => {
      const nextCursor = count === rest.length ? undefined : sealPosition(NAME, query, start + count);
      const roots = rest.slice(0, count);
      const structured: z.input<typeof output> = {
        roots: roots.map(({ path, uri, name, readOnly }) => ({ path, uri, name, readOnly })),
        reason,
        containment,
        truncated: nextCursor !== undefined,
        ...(nextCursor !== undefined && { nextCursor }),
      };
      const lines = [
        'Allowed directories:',
        ...roots.map(rootLine),
        `[${reason}; containment: ${containment}]`,
      ];
      if (nextCursor !== undefined)
        lines.push(moreNote(`${count} roots of ${scope.roots.length}`, nextCursor));
      return { structured, text: lines.join('\n') };
    });
    return reply({ structured: halves.structured, content: halves.text });
  },
});

function isIndex(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function rootLine({ path, readOnly }: Root): string {
  return `${showName(path)}${readOnly ? ' (read-only)' : ''}`;
}
