import type { Budget } from './budget.ts';
import { Evaluated } from './evaluated.ts';
import { type Problem, problem } from './failure.ts';
import type { Resource } from './resource.ts';

/** The dynamic scope of a check: the resources that it has entered, innermost first. */
export interface Scope {
  resource: Resource;
  outer: Scope | undefined;
}

/** Checks a value against one keyword. Records evaluated members and elements in `evaluated`, if given. */
export type Check = (
  value: unknown,
  budget: Budget,
  scope: Scope,
  evaluated: Evaluated | undefined,
) => Problem | undefined;

/** A compiled schema. */
export interface SchemaNode {
  readonly resource: Resource;
  readonly checks: Check[];
}

/** Returns the first problem of a value with a schema. */
export function apply(
  node: SchemaNode,
  value: unknown,
  budget: Budget,
  scope: Scope | undefined,
  evaluated: Evaluated | undefined,
): Problem | undefined {
  budget.spend(1);
  budget.enter();
  const inner = scope?.resource === node.resource ? scope : { resource: node.resource, outer: scope };
  for (const check of node.checks) {
    const found = check(value, budget, inner, evaluated);
    if (found === undefined) continue;
    budget.leave();
    return found;
  }
  budget.leave();
  return undefined;
}

/** Applies a schema to the same value as the outer schema: what it evaluated counts only if the value is valid. */
export function applyInPlace(
  node: SchemaNode,
  value: unknown,
  budget: Budget,
  scope: Scope,
  evaluated: Evaluated | undefined,
): Problem | undefined {
  if (evaluated === undefined) return apply(node, value, budget, scope, undefined);
  const own = new Evaluated();
  const found = apply(node, value, budget, scope, own);
  if (found === undefined) evaluated.add(own);
  return found;
}

export const never: Check = () => problem('no value is allowed here');
