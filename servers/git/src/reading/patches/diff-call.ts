import { defined } from '@rootbound/kit/primitives';
import { isIndex } from '../../call/arguments.ts';
import type { Opened } from '../../call/open-repository.ts';
import { CONTEXT_LINES, type DiffQuery, type Sides } from '../../porcelain/diff.ts';
import type { DiffArguments, DiffOutput } from './diff-schema.ts';
import { isPatchPosition, type PatchPosition } from './position.ts';

/** The start of a page: at a file of the list, at the patch, or inside it. */
export type Position = number | 'patch' | PatchPosition;

/** One call of one tool. */
export interface Reading {
  readonly opened: Opened;
  readonly args: DiffArguments;
  readonly tool: string;
  readonly maxOutput: number;
  readonly query: DiffQuery;
  readonly facts: Pick<DiffOutput, 'compared' | 'from' | 'to'>;
}

/** Returns whether the hunks can be applied. */
export function choosable({ ignore_space }: DiffArguments): boolean {
  return ignore_space === undefined;
}

/** Returns the question that a cursor continues. */
export function asked({ opened, args, facts: { compared, from = '', to = '' } }: Reading) {
  const { context_lines = CONTEXT_LINES, stat_only = false, count_lines = false, ignore_space = '' } = args;
  const { identity } = opened.repository;
  return [
    ...[identity, compared, from, to, context_lines, stat_only, count_lines, ignore_space],
    ...(args.paths ?? []),
  ];
}

export function factsOf(sides: Sides): Pick<DiffOutput, 'compared' | 'from' | 'to'> {
  if (sides.kind === 'since' || sides.kind === 'merge') throw new TypeError('not the sides of a diff');
  const from = 'from' in sides ? sides.from : undefined;
  return {
    compared: sides.kind,
    ...defined({ from }),
    ...(sides.kind === 'between' && { to: sides.to }),
  };
}

export function isPosition(value: unknown): value is Position {
  return value === 'patch' || isIndex(value) || isPatchPosition(value);
}
