import { showName } from '@rootbound/kit/boundary';
import { counted } from '@rootbound/kit/budget';
import { defined } from '@rootbound/kit/primitives';
import { ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { pathsArgument, repoPath } from '../../call/arguments.ts';
import type { Opened } from '../../call/open-repository.ts';
import { tool } from '../../call/workspace.ts';
import { subjectOf } from '../../reading/history/commit-message.ts';
import { changedFile, fileLine, toChangedFile } from '../../reading/patches/changed-files.ts';
import type { Commit } from '../../repository/commit.ts';
import { command } from '../../run/command.ts';
import { hookOutput } from '../../run/hook-output.ts';
import type { Oid } from '../../run/oid.ts';
import type { Mode } from '../files/move-head.ts';
import { changed, expectedHead } from '../safety/change-schema.ts';
import { messageOf } from '../safety/message.ts';
import { isStaged } from '../safety/path-states.ts';
import { expectHead, movement, type Point, pointOf } from '../safety/point.ts';
import { pathsFor } from '../safety/staged.ts';
import { authorOf, dateOf } from './author.ts';
import { signingNotice } from './commit-signing.ts';
import { hooksNotice } from './hooks.ts';
import { type Concluded, getReady, type Ready } from './readiness.ts';
import { type Manner, record } from './record.ts';
import { changesOf, countStaged, expectCommit, notSo, readCommit } from './verify.ts';

const input = z.strictObject({
  repo_path: repoPath,
  message: z.string().optional().describe('optional for a merge or amend'),
  paths: pathsArgument,
  all: z.boolean().optional(),
  amend: z.boolean().optional(),
  author: z.string().optional().describe('Name <email>'),
  date: z.string().optional(),
  trailers: z.array(z.string()).optional().describe('Key: value'),
  signoff: z.boolean().optional(),
  sign: z.boolean().optional(),
  allow_empty: z.boolean().optional(),
  no_verify: z.boolean().optional(),
  expected_head: expectedHead,
});

const output = z.object({
  ...changed,
  subject: z.string(),
  files: z.array(changedFile),
  total: z.int().describe('files changed'),
  concluded: z.string().optional().describe('the concluded operation'),
  next: z.string().optional(),
  signed: z.boolean().optional(),
  signing: z.string().optional().describe('the reason why it is not signed'),
  output: z.string().optional().describe('what hooks and git printed'),
  message_changed: z.boolean().optional().describe('by a hook'),
  left_staged: z.int().optional().describe('paths'),
});

type Arguments = z.output<typeof input>;
type Output = z.input<typeof output>;

/** Files that are named at most. */
const MOST_FILES = 50;

export const gitCommit = tool({
  name: 'git_commit',
  title: 'Commit',
  description: 'Commits staged changes; with paths or all, these as in the work tree.',
  input,
  output,
  annotations: { destructiveHint: false, openWorldHint: false },
  async ask(args, ask, context): Promise<string | undefined> {
    const { message, amend = false, all = false, paths } = args;
    if (message !== undefined || amend || all || paths !== undefined) return undefined;
    const { propose } = await import('./proposal.ts');
    return propose(args.repo_path, ask, context);
  },
  run(args, { scope: { scope, repositories }, signal, answers }) {
    const { message = answers } = args;
    return repositories.change(scope, args.repo_path, signal, (opened) =>
      commit(opened, { ...args, message }),
    );
  },
  render: textOf,
});

async function commit(opened: Opened, args: Arguments): Promise<Output> {
  const before = await pointOf(opened);
  await expectHead(opened, before, args.expected_head);
  const { paths, all = false, amend = false, allow_empty: allowEmpty = false } = args;
  const amended = amend ? await amendedAt(opened, before) : undefined;
  const contents = { paths, all, amend, allowEmpty };
  const ready = await getReady(opened, contents);
  const manner = { ...contents, ...mannerOf(args, amended, ready.concluded) };
  const printed = await record(opened, manner, ready);
  const after = await pointOf(opened);
  const { concluded } = ready;
  const made = await expectCommit(opened, before, after, { amended, concluded });
  if (args.sign === true && made.commit.signature === undefined) {
    if (concluded === undefined && before.commit !== undefined) throw await takenBack(opened, before.commit);
    throw notSo('the commit is not signed');
  }
  return {
    ...movement(opened, before, after, undoOf(before, ready)),
    subject: subjectOf(made.commit.message),
    ...(await filesOf(opened, made)),
    ...concludedFacts(concluded),
    ...signingNotice(opened, made.commit, args.sign),
    ...hookFacts(opened, printed, manner),
    ...(isChanged(made.commit, manner) && { message_changed: true }),
  };
}

/** Takes a commit back that was to be signed and is not; its changes stay staged. */
async function takenBack(opened: Opened, before: Oid): Promise<ToolError> {
  await opened.run(command('reset', { flags: ['--soft'], revisions: [before] }));
  return new ToolError('the signing program signed nothing, so the commit was taken back', {
    code: 'not-signed',
    hint: 'its changes are staged; set up gpg.program, or do without: sign: false',
  });
}

async function amendedAt(opened: Opened, { commit: oid }: Point): Promise<Commit> {
  if (oid !== undefined) return readCommit(opened, oid);
  throw new ToolError('there is no commit to amend yet', { code: 'invalid-arguments' });
}

function mannerOf(args: Arguments, amended: Commit | undefined, concluded: Concluded | undefined) {
  const { message, trailers = [], signoff = false, sign, no_verify: noVerify = false } = args;
  const inferred = message ?? (trailers.length > 0 ? amended?.message : undefined);
  if (inferred === undefined && (trailers.length > 0 || (amended === undefined && concluded === undefined))) {
    throw new ToolError('message is missing', {
      code: 'invalid-arguments',
      hint: 'git_diff with staged lists the changes',
    });
  }
  return {
    message: inferred === undefined ? undefined : messageOf(inferred, trailers),
    author: args.author === undefined ? undefined : authorOf(args.author),
    date: args.date === undefined ? undefined : dateOf(args.date),
    ...{ signoff, sign, noVerify },
  };
}

async function filesOf(opened: Opened, made: { oid: Parameters<typeof changesOf>[1]; commit: Commit }) {
  const changes = await changesOf(opened, made.oid, made.commit);
  const staged = await countStaged(opened);
  return {
    files: changes.slice(0, MOST_FILES).map(toChangedFile),
    total: changes.length,
    ...(staged > 0 && { left_staged: staged }),
  };
}

/** Returns the call that restores HEAD and the index, except staged content that the commit did not take. */
function undoOf({ commit: oid }: Point, ready: Ready): string | undefined {
  if (oid === undefined) return undefined;
  const back = (mode: Mode) => `git_reset with mode "${mode}" and revision "${oid}"`;
  const { concluded, fromWorkTree, isStaged: someStaged } = ready;
  // no call returns to the middle of the operation that it concluded
  if (concluded !== undefined) return back('keep');
  if (fromWorkTree.length === 0) return back('soft');
  // no data remains of which files were only intended, nor of staged content that the second commit replaced
  if (fromWorkTree.some((entry) => entry.worktree === 'A' || isStaged(entry))) return undefined;
  if (!someStaged) return back('mixed');
  const paths = pathsFor(fromWorkTree.map(({ path }) => path));
  return paths && `${back('soft')}, then git_reset with paths ${paths}`;
}

function concludedFacts(concluded: Concluded | undefined): Pick<Output, 'concluded' | 'next'> {
  if (concluded === undefined) return {};
  const { kind, remaining } = concluded;
  const next = `git_continue: ${counted(remaining, 'commit is', 'commits are')} left`;
  return { concluded: kind, ...(remaining > 0 && { next }) };
}

function hookFacts(opened: Opened, printed: string, { noVerify }: Manner): Pick<Output, 'hooks' | 'output'> {
  return defined({ hooks: hooksNotice(opened, noVerify), output: hookOutput(printed) });
}

function isChanged({ message }: Commit, { message: given, signoff }: Manner): boolean {
  if (given === undefined) return false;
  return signoff ? !message.startsWith(given.trimEnd()) : message !== given;
}

function textOf(facts: Output): string {
  const {
    branch,
    before,
    after,
    subject,
    files,
    total,
    concluded,
    next,
    output: printed,
    left_staged: leftStaged = 0,
  } = facts;
  const left = total - files.length;
  return [
    `[${branch ?? 'detached HEAD'} ${(after ?? before)?.slice(0, 12)}] ${showName(subject)}`,
    ...(concluded === undefined ? [] : [`this ended a step of the ${concluded}`]),
    counted(total, 'file changed', 'files changed'),
    ...files.map(fileLine),
    ...(left > 0 ? [`and ${left} more`] : []),
    ...(facts.signing === undefined ? [] : [`not signed: ${facts.signing}`]),
    ...(facts.message_changed === true ? ['a hook changed the message'] : []),
    ...(printed === undefined ? [] : [printed]),
    ...(leftStaged > 0 ? [`${counted(leftStaged, 'path is', 'paths are')} still staged`] : []),
    ...(next === undefined ? [] : [`next: ${next}`]),
  ].join('\n');
}
