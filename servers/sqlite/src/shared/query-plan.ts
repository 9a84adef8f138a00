/** One step of a query plan and the steps within it. */
export interface PlanNode {
  readonly detail: string;
  readonly steps?: readonly PlanNode[];
}

/** The steps of a plan in order, each with how deep it is. */
export function* stepsOf(
  plan: readonly PlanNode[],
  depth = 0,
): Generator<{ detail: string; depth: number }, void> {
  for (const { detail, steps = [] } of plan) {
    yield { detail, depth };
    yield* stepsOf(steps, depth + 1);
  }
}

/** A plan as lines, indented as its steps are within each other. */
export function planLines(plan: readonly PlanNode[]): string[] {
  return [...stepsOf(plan)].map(({ detail, depth }) => `${'  '.repeat(depth)}${detail}`);
}
