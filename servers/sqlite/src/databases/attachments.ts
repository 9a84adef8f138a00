import { ToolError } from '@rootbound/protocol';
import type { Attachment } from '../lane/verbs/query/surroundings.ts';
import type { Workspace } from '../workspace.ts';
import { resolveDatabase } from './resolve.ts';

const MOST_ATTACHED = 8;

/** The databases that a call wants beside its own, each within the boundary. */
export function attachmentsOf(
  { scope }: Workspace,
  paths: Readonly<Record<string, string>> | undefined,
): Attachment[] | undefined {
  if (paths === undefined) return undefined;
  const entries = Object.entries(paths);
  if (entries.length === 0) return undefined;
  if (entries.length > MOST_ATTACHED)
    throw refusal(`attach takes ${MOST_ATTACHED} databases at most`, 'query some of them first');
  return entries.map(([alias, path]) => {
    if (!/^[A-Za-z_][A-Za-z0-9_]{0,62}$/.test(alias) || ['main', 'temp'].includes(alias.toLowerCase()))
      throw refusal(
        `attach: ${alias} cannot be the name of a database`,
        'use letters, digits and _, and not main or temp',
      );
    const { real, dev, ino } = resolveDatabase(scope, path);
    return { alias, real, dev, ino };
  });
}

function refusal(message: string, hint: string): ToolError {
  return new ToolError(message, { code: 'invalid-arguments', hint });
}
