import { counted } from '@rootbound/kit/budget';
import { type Reply, reply } from '@rootbound/protocol';
import { withUndo } from '../../call/undo-text.ts';
import { operationLine } from '../../reading/state/operations.ts';
import { movementLine } from '../safety/point.ts';
import type { Sequenced } from './sequence-schema.ts';

const MOST_LINES = 20;

export function toReply(facts: Sequenced): Reply {
  return reply({ structured: facts, content: textOf(facts) });
}

/** Returns where the operation ended or stopped, the paths in conflict, and how to continue. */
export function textOf(facts: Sequenced): string {
  const { state, reason, operation, conflicts = [], total_conflicts: total = 0, next, moved = [] } = facts;
  const lines = [`${state}: ${movementLine(facts)}`];
  if (reason !== undefined) lines.push(reason);
  if (operation !== undefined) lines.push(operationLine(operation));
  if (total > 0) lines.push(counted(total, 'path in conflict', 'paths in conflict'));
  lines.push(...conflicts.slice(0, MOST_LINES).map(({ conflict, path }) => `  ${conflict} ${path}`));
  for (const { branch, before, after } of moved)
    lines.push(`${branch}: ${before.slice(0, 12)} -> ${after?.slice(0, 12) ?? 'gone'}`);
  if (facts.would_lose !== undefined)
    lines.push('would be lost:', ...facts.would_lose.map((each) => `  ${each}`));
  if (facts.signed === false) lines.push('not signed: the repository asks for it, and is not trusted');
  if (facts.output !== undefined) lines.push(facts.output);
  if (next !== undefined) lines.push(`next: ${next.join('; ')}`);
  return withUndo(lines.join('\n'), facts);
}
