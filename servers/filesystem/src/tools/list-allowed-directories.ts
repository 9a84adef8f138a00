import { type Root, showName } from '@rootbound/kit/boundary';
import { bytesOf, fit, type Halves, moreNote, openPosition, sealPosition } from '@rootbound/kit/budget';
import { defined } from '@rootbound/kit/primitives';
import { reply } from '@rootbound/protocol';
import * as z from 'zod';
import { type ChangePolicy, tool } from '../workspace.ts';

const NAME = 'list_allowed_directories';

const output = z.object({
  roots: z.array(z.object({ path: z.string(), uri: z.string(), name: z.string(), readOnly: z.boolean() })),
  reason: z.string(),
  containment: z.enum(['kernel', 'best-effort']),
  denied: z.array(z.string()).optional().describe('globs reported as missing; ! makes an exception'),
  deniedLeftOut: z.int().optional(),
  changes: z
    .object({
      delete: z.enum(['off', 'permanent', 'trash']),
      confirm: z.enum(['never', 'delete', 'overwrite']),
      hardLinks: z.enum(['break', 'refuse']),
      fsync: z.boolean(),
    })
    .optional(),
  truncated: z.boolean(),
  nextCursor: z.string().optional(),
});

type Output = z.input<typeof output>;

export const listAllowedDirectories = tool({
  name: NAME,
  title: 'List allowed directories',
  description: 'Lists the roots, the denied names, and the settings for changes.',
  input: z.strictObject({ cursor: z.string().optional() }),
  output,
  annotations: { readOnlyHint: true, openWorldHint: false },
  run({ cursor }, { scope: { scope, maxOutput, changes } }) {
    const { reason, containment, deny = [] } = scope;
    const query = scope.roots.map((root) => root.uri);
    const start = cursor === undefined ? 0 : openPosition(NAME, query, cursor, isIndex);
    const rest = scope.roots.slice(start);
    const build = (count: number, policy: Policy): Halves => {
      const nextCursor = count === rest.length ? undefined : sealPosition(NAME, query, start + count);
      const roots = rest.slice(0, count);
      const structured: Output = {
        roots: roots.map(({ path, uri, name, readOnly }) => ({ path, uri, name, readOnly })),
        reason,
        containment,
        ...policy,
        truncated: nextCursor !== undefined || policy.deniedLeftOut !== undefined,
        ...defined({ nextCursor }),
      };
      const lines = [
        'Allowed directories:',
        ...roots.map(rootLine),
        `[${reason}; containment: ${containment}]`,
        ...policyLines(policy),
      ];
      if (nextCursor !== undefined)
        lines.push(moreNote(`${count} roots of ${scope.roots.length}`, nextCursor));
      return { structured, text: lines.join('\n') };
    };
    // the first page has the settings, which leave room for at least one root
    const first = start === 0 ? bytesOf(build(Math.min(1, rest.length), policyOf(deny, changes, 0))) : 0;
    const room = Math.min(maxOutput / DENIED_SHARE, maxOutput - first);
    const policy = start === 0 ? policyOf(deny, changes, room) : {};
    const { halves } = fit(rest.length, maxOutput, (count) => build(count, policy));
    return reply({ structured: halves.structured, content: halves.text });
  },
});

/** The denied globs may take one third of a result. */
const DENIED_SHARE = 3;

type Policy = Pick<Output, 'denied' | 'deniedLeftOut' | 'changes'>;

function policyOf(deny: readonly string[], policy: ChangePolicy, room: number): Policy {
  const denied: string[] = [];
  let left = room;
  for (const glob of deny) {
    left -= Buffer.byteLength(JSON.stringify(glob)) + 2;
    if (left < 0) break;
    denied.push(glob);
  }
  const leftOut = deny.length - denied.length;
  const { deletes, trash, confirm, hardLinks, fsync } = policy;
  return {
    denied,
    ...(leftOut > 0 && { deniedLeftOut: leftOut }),
    changes: { delete: !deletes ? 'off' : trash ? 'trash' : 'permanent', confirm, hardLinks, fsync },
  };
}

function policyLines({ denied, deniedLeftOut, changes }: Policy): string[] {
  if (denied === undefined || changes === undefined) return [];
  const names = denied.map(showName).join(' ');
  const more = deniedLeftOut === undefined ? '' : ` and ${deniedLeftOut} more`;
  const { confirm, hardLinks, fsync } = changes;
  return [
    denied.length === 0 && more === '' ? '[nothing is denied by name]' : `[denied: ${names}${more}]`,
    `[delete: ${changes.delete}; confirm: ${confirm}; hard links: ${hardLinks}; fsync: ${fsync ? 'on' : 'off'}]`,
  ];
}

function isIndex(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function rootLine({ path, readOnly }: Root): string {
  return `${showName(path)}${readOnly ? ' (read-only)' : ''}`;
}
