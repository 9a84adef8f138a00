import { ToolError } from '@rootbound/protocol';
import { type Command, command } from '../run/command.ts';
import { bytesOf, contextOf, type FilePatch, type Hunk, type Stretch } from './hunks.ts';
import { chooseLines, countLines, linesOf, writeHunk } from './patch-lines.ts';
import { partialHead } from './patch-part.ts';

/** A hunk, or the change of a file's head, by its id. */
export interface Choice {
  readonly id: string;
  /** lines of the hunk, counted from 1; lines without a change may be among them. Default: all */
  readonly lines?: readonly number[];
}

export interface ApplyOptions {
  /** `both`: only where they are the same there */
  readonly to: 'index' | 'worktree' | 'both';
  /** reverses the changes */
  readonly reverse?: boolean;
  /** reports whether the patch would apply, and changes nothing */
  readonly check?: boolean;
}

/** Context lines of the diff in which the chosen hunks are looked up. */
export function contextOfChoices(choices: readonly Choice[]): number | undefined {
  const contexts = new Set(choices.map(({ id }) => contextOf(id)));
  if (contexts.has(undefined) || contexts.size > 1) throw stale();
  return [...contexts][0];
}

/**
 * Builds the patch with the chosen changes of a diff whose binary contents are in full; `reverse` for a patch that is
 * applied to the new side. Throws for a choice that the diff does not have, which is stale.
 */
export function buildPatch(
  files: readonly FilePatch[],
  choices: readonly Choice[],
  { reverse = false }: { readonly reverse?: boolean } = {},
): Buffer {
  const chosen = new Map<string, Choice>(choices.map((choice) => [choice.id, choice]));
  const parts: Buffer[] = [];
  const found = new Set<string>();
  for (const file of files) {
    const ids = [...file.hunks.map(({ id }) => id), ...(file.changeId === undefined ? [] : [file.changeId])];
    const wanted = ids.filter((id) => chosen.has(id));
    for (const id of wanted) found.add(id);
    if (wanted.length === 0) continue;
    if (file.kind === 'merged') throw unsuitable('the diff of a merge cannot be applied');
    const whole = wanted.length === ids.length && wanted.every((id) => chosen.get(id)!.lines === undefined);
    parts.push(...(whole ? bytesOf(file) : partOf(file, chosen, reverse)));
  }
  if (found.size < chosen.size) throw stale();
  return Buffer.concat(parts);
}

/** Builds the command that applies a patch of `buildPatch`, made with the same `reverse` from a diff with context. */
export function applyCommand(patch: Buffer, { to, reverse, check }: ApplyOptions): Command {
  return command('apply', {
    flags: [
      ...(to === 'index' ? (['--cached'] as const) : []),
      ...(to === 'both' ? (['--index'] as const) : []),
      ...(reverse ? (['--reverse'] as const) : []),
      ...(check ? (['--check'] as const) : []),
      '--whitespace=nowarn',
      '--no-ignore-whitespace',
    ],
    input: patch,
  });
}

function partOf(file: FilePatch, chosen: ReadonlyMap<string, Choice>, reverse: boolean): Buffer[] {
  const { oldMode, newMode, changeId } = file;
  const special = [oldMode, newMode].some((mode) => mode === '120000' || mode === '160000');
  // how many lines more the other side has than the one to which the patch is applied
  let growth = 0;
  const hunks: Buffer[] = [];
  let complete = true;
  for (const hunk of file.hunks) {
    const choice = chosen.get(hunk.id);
    if (choice?.lines !== undefined && special) {
      throw unsuitable('a link or a submodule can only be chosen as a whole');
    }
    if (choice?.lines !== undefined || choice === undefined) complete = false;
    if (choice === undefined) continue;
    const part = partOfHunk(hunk, choice, reverse, growth);
    growth += part.growth;
    hunks.push(part.bytes);
  }
  const change = changeId !== undefined && chosen.has(changeId);
  return [partialHead(file, { change, hunks: hunks.length > 0, complete, reverse }), ...hunks];
}

function partOfHunk(hunk: Hunk, { lines: numbers }: Choice, reverse: boolean, growth: number) {
  const lines = linesOf(hunk.body);
  if (numbers?.some((number) => !Number.isInteger(number) || number < 1 || number > lines.length)) {
    throw unsuitable(`a hunk has no such line: it has ${lines.length}`);
  }
  const wanted = numbers === undefined ? undefined : new Set(numbers);
  const kept = chooseLines(lines, (number) => wanted?.has(number) ?? true, reverse);
  if (kept.every((line) => line.sign === ' ')) throw unsuitable('no changed line of the hunk is chosen');
  const { old, now } = countLines(kept);
  const from = reverse ? hunk.new : hunk.old[0]!;
  const [source, target] = reverse ? [now, old] : [old, now];
  const first = (from.lines === 0 ? from.start + 1 : from.start) + growth;
  const to: Stretch = { start: target === 0 ? first - 1 : first, lines: target };
  const at: Stretch = { start: from.start, lines: source };
  return { bytes: reverse ? writeHunk(kept, to, at) : writeHunk(kept, at, to), growth: target - source };
}

function unsuitable(why: string): ToolError {
  return new ToolError(why, { code: 'invalid-choice' });
}

function stale(): ToolError {
  return new ToolError('a chosen hunk is not in the diff: the file has changed since', {
    code: 'stale-hunk',
    hint: 'read the diff again and choose from its present hunks',
  });
}
