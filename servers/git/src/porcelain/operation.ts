import { isOid, type Oid } from '../run/oid.ts';
import { nameOfByteString } from './names.ts';
import { parseTodo, type Todo } from './todo.ts';

/**
 * The files of a git dir, by their names in it. Where refs are stored otherwise, `read` answers for CHERRY_PICK_HEAD
 * and the like.
 */
export interface GitFiles {
  read(name: string): Buffer | undefined;
  has(name: string): boolean;
}

/** A merge that waits for its commit. */
export interface Merging {
  readonly kind: 'merge';
  readonly heads: readonly Oid[];
  /** a commit of the changes that were stashed for it */
  readonly autostash: Oid | undefined;
}

export interface Rebasing {
  readonly kind: 'rebase';
  /** the backend: it picks commits, or applies them as patches */
  readonly backend: 'merge' | 'apply';
  /** the full name of the ref that is moved at the end; undefined where HEAD was detached */
  readonly branch: string | undefined;
  readonly onto: Oid | undefined;
  /** the earlier commit of the branch */
  readonly original: Oid | undefined;
  readonly steps: Steps | undefined;
  /** the commit at which it stopped */
  readonly commit: Oid | undefined;
  /** whether it stopped so that the commit can be amended */
  readonly amending: boolean;
  readonly todo: readonly Todo[];
  readonly autostash: Oid | undefined;
}

/** Patches of a mailbox, applied in sequence. */
export interface Applying {
  readonly kind: 'am';
  readonly steps: Steps | undefined;
  /** whether the mail at which it stopped has no patch */
  readonly empty: boolean;
  /** the commit of HEAD at the start */
  readonly original: Oid | undefined;
}

export interface Sequence {
  readonly kind: 'cherry-pick' | 'revert';
  /** the commit at which it stopped; undefined where that was committed or skipped already */
  readonly commit: Oid | undefined;
  /** the remaining commits, beginning with that one; undefined for a single commit */
  readonly remaining: number;
  readonly todo: readonly Todo[];
  /** the commit of HEAD at the start, only of a sequence */
  readonly original: Oid | undefined;
}

export interface Bisecting {
  readonly kind: 'bisect';
  /** the branch or commit at the start */
  readonly start: string | undefined;
  readonly terms: { readonly bad: string; readonly good: string };
  readonly bad: Oid | undefined;
  readonly good: readonly Oid[];
  readonly skipped: readonly Oid[];
  /** the commit that is to be judged */
  readonly expected: Oid | undefined;
  readonly found: Oid | undefined;
}

/** The number of the step, from 1, and the number of all. */
export interface Steps {
  readonly current: number;
  readonly total: number;
}

export type Operation = Merging | Rebasing | Applying | Sequence | Bisecting;

/** Returns the operations in progress in the order of `git status`: a rebase before those inside it. */
export function readOperations(files: GitFiles): Operation[] {
  const rebase = readRebase(files);
  const merge = readMerge(files);
  // a rebase and a merge pick with CHERRY_PICK_HEAD too, which then is no operation of its own
  const sequence = readSequence(files, rebase === undefined && merge === undefined);
  return [rebase, merge, sequence, readBisect(files)].filter((one) => one !== undefined);
}

function readMerge(files: GitFiles): Merging | undefined {
  const heads = files.read('MERGE_HEAD');
  if (heads === undefined) return undefined;
  const oids = heads.toString('latin1').split('\n').filter(isOid);
  return { kind: 'merge', heads: oids, autostash: oidIn(files, 'MERGE_AUTOSTASH') };
}

function readRebase(files: GitFiles): Rebasing | Applying | undefined {
  if (files.has('rebase-apply')) {
    const steps = stepsIn(files, 'rebase-apply/next', 'rebase-apply/last');
    if (files.has('rebase-apply/applying')) {
      const empty = files.read('rebase-apply/patch')?.length === 0;
      return { kind: 'am', steps, empty, original: oidIn(files, 'ORIG_HEAD') };
    }
    return toRebase(files, 'rebase-apply', steps);
  }
  if (!files.has('rebase-merge')) return undefined;
  return toRebase(files, 'rebase-merge', stepsIn(files, 'rebase-merge/msgnum', 'rebase-merge/end'));
}

function toRebase(
  files: GitFiles,
  folder: 'rebase-merge' | 'rebase-apply',
  steps: Steps | undefined,
): Rebasing {
  const branch = textIn(files, `${folder}/head-name`);
  return {
    kind: 'rebase',
    backend: folder === 'rebase-merge' ? 'merge' : 'apply',
    branch: branch?.startsWith('refs/') ? nameOfByteString(branch) : undefined,
    onto: oidIn(files, `${folder}/onto`),
    original: oidIn(files, `${folder}/orig-head`),
    steps,
    commit: oidIn(files, 'REBASE_HEAD'),
    amending: files.has(`${folder}/amend`),
    todo: todoIn(files, `${folder}/git-rebase-todo`),
    autostash: oidIn(files, `${folder}/autostash`),
  };
}

function readSequence(files: GitFiles, alone: boolean): Sequence | undefined {
  const todo = todoIn(files, 'sequencer/todo');
  const original = oidIn(files, 'sequencer/head');
  // the list begins with the commit at which it stopped, also where that has been dealt with
  const left = todo.slice(1);
  const sequence = (kind: Sequence['kind'], command: string, commit: Oid | undefined) =>
    commit === undefined && todo[0]?.command !== command
      ? undefined
      : { kind, commit, remaining: left.length + (commit === undefined ? 0 : 1), todo: left, original };
  const picked = alone ? oidIn(files, 'CHERRY_PICK_HEAD') : undefined;
  return sequence('cherry-pick', 'pick', picked) ?? sequence('revert', 'revert', oidIn(files, 'REVERT_HEAD'));
}

function readBisect(files: GitFiles): Bisecting | undefined {
  const log = files.read('BISECT_LOG');
  if (log === undefined) return undefined;
  const [bad = 'bad', good = 'good'] = textIn(files, 'BISECT_TERMS')?.split('\n') ?? [];
  const marks = [...log.toString('latin1').matchAll(/^# (first \S+ commit|\S+): \[([0-9a-f]+)\]/gm)];
  const marked = (term: string) =>
    marks.flatMap(([, word, oid]) => (word === term && isOid(oid!) ? oid : []));
  const start = textIn(files, 'BISECT_START');
  return {
    kind: 'bisect',
    start: start === undefined ? undefined : nameOfByteString(start),
    terms: { bad: nameOfByteString(bad), good: nameOfByteString(good) },
    bad: marked(bad).at(-1),
    good: marked(good),
    skipped: marked('skip'),
    expected: oidIn(files, 'BISECT_EXPECTED_REV'),
    found: marked(`first ${bad} commit`).at(-1),
  };
}

function textIn(files: GitFiles, name: string): string | undefined {
  return files.read(name)?.toString('latin1').trimEnd();
}

function oidIn(files: GitFiles, name: string): Oid | undefined {
  const text = textIn(files, name);
  return text !== undefined && isOid(text) ? text : undefined;
}

function todoIn(files: GitFiles, name: string): Todo[] {
  const bytes = files.read(name);
  return bytes === undefined ? [] : parseTodo(bytes);
}

function stepsIn(files: GitFiles, current: string, total: string): Steps | undefined {
  const steps = { current: Number(textIn(files, current)), total: Number(textIn(files, total)) };
  return steps.current > 0 && steps.total > 0 ? steps : undefined;
}
