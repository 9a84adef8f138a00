import { defined } from '@rootbound/kit/primitives';
import { ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import type { Opened } from '../../call/open-repository.ts';
import { patchCommand, type Sides } from '../../porcelain/diff.ts';
import { parsePatch } from '../../porcelain/hunks.ts';
import { type ApplyOptions, applyCommand, buildPatch, contextOfChoices } from '../../porcelain/patch.ts';
import { refuseFiltered } from '../safety/filters.ts';
import type { Entry } from '../safety/staged.ts';

/** Hunks of a diff, by their ids. */
export const hunksArgument = z
  .array(z.strictObject({ id: z.string(), lines: z.array(z.int()).optional() }))
  .min(1)
  .optional()
  .describe('of git_diff; lines: only these, from 1');

export type Choices = NonNullable<z.output<typeof hunksArgument>>;

/** A patch of the chosen hunks, and the paths that it changes. */
export interface ChosenPatch {
  readonly patch: Buffer;
  readonly paths: readonly string[];
  /** the paths in the index */
  readonly entries: readonly Entry[];
}

/** Finds the chosen hunks in the present diff; throws for one that is no longer in it. */
export async function choose(
  opened: Opened,
  kind: 'staged' | 'unstaged',
  choices: Choices,
  { reverse = false }: { readonly reverse?: boolean } = {},
): Promise<ChosenPatch> {
  const chosen = choices.map(({ id, lines }) => (lines === undefined ? { id } : { id, lines }));
  const context = contextOfChoices(chosen);
  if (context === 0) {
    throw new ToolError('hunks of a diff without context cannot be applied', {
      code: 'invalid-choice',
      hint: 'ask for the diff with context_lines of 1 or more',
    });
  }
  const sides: Sides = { kind };
  const asked = patchCommand({ sides }, { binary: true, ...defined({ context }) });
  const { stdout, truncated } = await opened.run(asked);
  if (truncated) {
    throw new ToolError('the diff is too large to choose hunks from', {
      code: 'too-large',
      hint: 'use whole paths',
    });
  }
  const { files } = parsePatch(stdout, context === undefined ? {} : { context });
  const ids = new Set(chosen.map(({ id }) => id));
  const touched = files.filter(({ hunks, changeId }) =>
    [changeId, ...hunks.map(({ id }) => id)].some((id) => id !== undefined && ids.has(id)),
  );
  const patch = buildPatch(files, chosen, { reverse });
  const paths = touched.flatMap(({ path, from }) => (from === undefined ? [path] : [from, path]));
  await refuseFiltered(opened, paths);
  const entries = touched.map(({ path, kind, oldOids, newOid, oldMode, newMode }): Entry => {
    const { oid, mode, there } =
      sides.kind === 'staged'
        ? { oid: newOid, mode: newMode, there: kind !== 'deleted' }
        : { oid: oldOids[0], mode: oldMode, there: kind !== 'created' };
    return { path, ...(there && oid !== undefined && { before: oid }), ...defined({ mode }) };
  });
  return { patch, paths, entries };
}

export async function applyChosen(
  opened: Opened,
  { patch }: ChosenPatch,
  options: ApplyOptions,
): Promise<void> {
  await opened.run(applyCommand(patch, options));
}
