import type { Budget } from './budget.ts';
import { type Problem, problem } from './failure.ts';
import type { Resource } from './resource.ts';
import { Seen } from './seen.ts';

/** The resources through which a check has come to a schema, the newest first. */
export interface Scope {
  resource: Resource;
  outer: Scope | undefined;
}

/** One thing that a schema demands of a value; what it has looked at goes to `seen`, where that is wanted. */
export type Check = (
  value: unknown,
  budget: Budget,
  scope: Scope,
  seen: Seen | undefined,
) => Problem | undefined;

/** A schema ready to be applied. */
export interface SchemaNode {
  readonly resource: Resource;
  readonly checks: Check[];
}

/** The first problem of a value with a schema. */
export function apply(
  node: SchemaNode,
  value: unknown,
  budget: Budget,
  scope: Scope | undefined,
  seen: Seen | undefined,
): Problem | undefined {
  budget.spend(1);
  budget.enter();
  const inner = scope?.resource === node.resource ? scope : { resource: node.resource, outer: scope };
  for (const check of node.checks) {
    const found = check(value, budget, inner, seen);
    if (found === undefined) continue;
    budget.leave();
    return found;
  }
  budget.leave();
  return undefined;
}

/** As `apply` for a schema about the same value: what it has looked at counts once the value fits. */
export function applyInPlace(
  node: SchemaNode,
  value: unknown,
  budget: Budget,
  scope: Scope,
  seen: Seen | undefined,
): Problem | undefined {
  if (seen === undefined) return apply(node, value, budget, scope, undefined);
  const own = new Seen();
  const found = apply(node, value, budget, scope, own);
  if (found === undefined) seen.add(own);
  return found;
}

export const never: Check = () => problem('nothing is allowed here');
