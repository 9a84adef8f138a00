/** A step of a query plan and its substeps. */
export interface PlanNode {
  readonly detail: string;
  readonly steps?: readonly PlanNode[];
}

/** Yields the steps of a plan in order, each with its depth. */
export function* stepsOf(
  plan: readonly PlanNode[],
  depth = 0,
): Generator<{ detail: string; depth: number }, void> {
  for (const { detail, steps = [] } of plan) {
    yield { detail, depth };
    yield* stepsOf(steps, depth + 1);
  }
}

/** Returns a plan as lines, indented by depth. */
export function planLines(plan: readonly PlanNode[]): string[] {
  return [...stepsOf(plan)].map(({ detail, depth }) => `${'  '.repeat(depth)}${detail}`);
}
