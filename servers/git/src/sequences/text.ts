import { counted } from '@rootbound/kit/budget';
import { type Reply, reply } from '@rootbound/protocol';
import { movementLine } from '../changes/point.ts';
import { withUndo } from '../changes/undo.ts';
import { operationLine } from '../state/operations.ts';
import type { Sequenced } from './schema.ts';

const MOST_LINES = 20;

export function toReply(told: Sequenced): Reply {
  return reply({ structured: told, content: textOf(told) });
}

/** Returns where the operation ended or stopped, the paths in conflict, and how to continue. */
export function textOf(told: Sequenced): string {
  const { state, reason, operation, conflicts = [], total_conflicts: total = 0, next, moved = [] } = told;
  const lines = [`${state}: ${movementLine(told)}`];
  if (reason !== undefined) lines.push(reason);
  if (operation !== undefined) lines.push(operationLine(operation));
  if (total > 0) lines.push(counted(total, 'path in conflict', 'paths in conflict'));
  lines.push(...conflicts.slice(0, MOST_LINES).map(({ conflict, path }) => `  ${conflict} ${path}`));
  for (const { branch, before, after } of moved)
    lines.push(`${branch}: ${before.slice(0, 12)} -> ${after?.slice(0, 12) ?? 'gone'}`);
  if (told.would_lose !== undefined)
    lines.push('would be lost:', ...told.would_lose.map((each) => `  ${each}`));
  if (told.signed === false) lines.push('not signed: the repository asks for it, and is not trusted');
  if (told.said !== undefined) lines.push(told.said);
  if (next !== undefined) lines.push(`next: ${next.join('; ')}`);
  return withUndo(lines.join('\n'), told);
}
