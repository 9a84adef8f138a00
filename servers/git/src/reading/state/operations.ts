import { showName } from '@rootbound/kit/boundary';
import * as z from 'zod';
import { gitFilesOf } from '../../call/git-files.ts';
import { shortRef } from '../../call/head.ts';
import { type Operation, readOperations } from '../../porcelain/operation.ts';
import type { Todo } from '../../porcelain/todo.ts';
import type { Repository } from '../../repository/repository.ts';

/** An operation in progress, as results give it. */
export const operation = z.object({
  kind: z.enum(['merge', 'rebase', 'am', 'cherry-pick', 'revert', 'bisect']),
  step: z.int().optional(),
  steps: z.int().optional(),
  branch: z.string().optional().describe('that is rebased, or where a bisect began'),
  onto: z.string().optional(),
  original: z.string().optional().describe('where HEAD or the branch was'),
  commit: z.string().optional().describe('it stopped at, or to be judged'),
  amending: z.boolean().optional(),
  heads: z.array(z.string()).optional().describe('that are merged'),
  autostash: z.string().optional(),
  todo: z.array(z.string()).optional().describe('the next ones'),
  remaining: z.int().optional(),
  bad: z.string().optional(),
  good: z.array(z.string()).optional(),
  found: z.string().optional(),
});

export type OperationFacts = z.output<typeof operation>;

/** Remaining steps, merged heads and good commits that are listed at most. */
const MAX_LISTED = 10;

export function operationsOf(repository: Repository): OperationFacts[] {
  return readOperations(gitFilesOf(repository)).map(toFacts);
}

function toFacts(found: Operation): OperationFacts {
  switch (found.kind) {
    case 'merge':
      return {
        kind: found.kind,
        heads: found.heads.slice(0, MAX_LISTED),
        ...given({ autostash: found.autostash }),
      };
    case 'rebase': {
      const { branch, onto, original, commit, autostash } = found;
      return {
        kind: found.kind,
        ...stepsOf(found.steps),
        ...given({ branch: branch === undefined ? undefined : shortRef(branch) }),
        ...given({ onto, original, commit, autostash }),
        ...(found.amending && { amending: true }),
        ...leftOf(found.todo, found.todo.length),
      };
    }
    case 'am':
      return { kind: found.kind, ...stepsOf(found.steps), ...given({ original: found.original }) };
    case 'bisect': {
      const { start: branch, expected: commit, bad, found: culprit } = found;
      const marks = given({ branch, commit, bad, found: culprit });
      return { kind: found.kind, ...marks, good: found.good.slice(0, MAX_LISTED) };
    }
    case 'cherry-pick':
    case 'revert': {
      const { kind, commit, original, todo, remaining } = found;
      return { kind, ...given({ commit, original }), ...leftOf(todo, remaining) };
    }
  }
}

function stepsOf(steps: { current: number; total: number } | undefined): Partial<OperationFacts> {
  return steps === undefined ? {} : { step: steps.current, steps: steps.total };
}

function leftOf(todo: readonly Todo[], remaining: number): Partial<OperationFacts> {
  const lines = todo.slice(0, MAX_LISTED).map(({ command, commit, text }) => {
    const line = [command, commit?.slice(0, 12), text].filter((part) => part !== undefined && part !== '');
    return showName(line.join(' ').slice(0, 200));
  });
  return { remaining, ...(lines.length > 0 && { todo: lines }) };
}

/** returns those that exist */
function given<K extends string>(
  facts: { readonly [key in K]: string | undefined },
): { [key in K]?: string } {
  const entries = Object.entries<string | undefined>(facts).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [key in K]?: string };
}

export function operationLine(facts: OperationFacts): string {
  const { kind, step, steps, branch, commit, onto, heads, remaining, todo = [] } = facts;
  const parts = [
    `${kind} in progress`,
    step === undefined ? '' : `step ${step} of ${steps}`,
    branch === undefined ? '' : `of ${branch}`,
    onto === undefined ? '' : `onto ${onto.slice(0, 12)}`,
    heads === undefined ? '' : `of ${heads.map((oid) => oid.slice(0, 12)).join(', ')}`,
    commit === undefined ? '' : `at ${commit.slice(0, 12)}`,
    facts.amending ? 'stopped for amending' : '',
    facts.found === undefined ? '' : `found ${facts.found.slice(0, 12)}`,
    remaining === undefined ? '' : `${remaining} left`,
  ].filter((part) => part !== '');
  return [parts.join(', '), ...todo.map((line) => `  ${line}`)].join('\n');
}
