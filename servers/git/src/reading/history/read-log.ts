import { ToolError } from '@rootbound/protocol';
import type { Tell } from '../../call/list-progress.ts';
import type { Opened } from '../../call/open-repository.ts';
import { graphCommand, parseGraphPage } from '../../porcelain/graph.ts';
import { commitsCommand, type LogCommit, logCommand, parseLog, parseLogPage } from '../../porcelain/log.ts';
import { countCommand } from '../../porcelain/log-count.ts';
import { cutPage, type LogPage, type Page } from '../../porcelain/log-page.ts';
import type { LogQuery } from '../../porcelain/log-query.ts';
import { MAX_WALK, type WalkedCommit, walk } from '../../repository/walk.ts';
import type { Command } from '../../run/command.ts';
import type { Oid } from '../../run/oid.ts';
import { type ChangedFile, toChangedFile } from '../patches/changed-files.ts';
import { type CommitFacts, toFacts } from './commit-facts.ts';
import { subjectOf, trimMessage } from './commit-message.ts';
import { runWithProgress } from './log-progress.ts';

/** Commits; on a shorter page progress would bring nothing. */
const LEAST_COUNTED = 100;

/** A commit of a log, however it was read. */
export interface Read {
  readonly oid: Oid;
  readonly facts: CommitFacts;
  readonly message: string;
  readonly files: readonly ChangedFile[] | undefined;
  readonly graph: readonly string[] | undefined;
}

export interface Wanted {
  /** true for the plain history of one commit */
  readonly plain: boolean;
  readonly graph: boolean;
  readonly files: boolean;
  readonly body: boolean;
}

/** Reads a page of a log in the fastest way; `tell` receives the number of commits that git prints. */
export async function readLog(
  opened: Opened,
  query: LogQuery,
  page: LogPage,
  wanted: Wanted,
  tell?: Tell,
): Promise<Page<Read>> {
  if (wanted.graph) return readGraph(opened, query, page, wanted, tell);
  const walked = wanted.plain ? await readWalk(opened, query, page, wanted) : undefined;
  if (walked !== undefined) return walked;
  const { files, body: wholeMessage } = wanted;
  const count = tell !== undefined && page.limit >= LEAST_COUNTED ? countCommand(query, page) : undefined;
  const stdout = await printedBy(opened, logCommand(query, page, { files, wholeMessage }), tell, count);
  const { items, next } = parseLogPage(stdout, query, page);
  return { items: items.map((commit) => fromGit(commit, wanted)), next };
}

/** Reads without a process; undefined where that is not possible. */
async function readWalk(
  { objects }: Opened,
  { from }: LogQuery,
  page: LogPage,
  { body }: Wanted,
): Promise<Page<Read> | undefined> {
  const before = page.after?.seen ?? 0;
  const count = before + page.limit;
  const walked = count > MAX_WALK ? undefined : await walk(objects, from[0]!, count);
  if (walked === undefined) return undefined;
  const { items } = cutPage(walked.commits, page, before);
  const last = items.at(-1);
  return {
    items: items.map((commit) => fromWalk(commit, body)),
    next: walked.more && last !== undefined ? { last: last.oid, seen: before + items.length } : undefined,
  };
}

async function readGraph(
  opened: Opened,
  query: LogQuery,
  page: LogPage,
  wanted: Wanted,
  tell: Tell | undefined,
): Promise<Page<Read>> {
  const stdout = await printedBy(opened, graphCommand(query, page));
  const { items: rows, next } = parseGraphPage(stdout, page);
  if (rows.length === 0) return { items: [], next };
  const { files, body: wholeMessage } = wanted;
  const asked = commitsCommand(
    rows.map(({ oid }) => oid),
    { files, wholeMessage },
  );
  const commits = parseLog(await printedBy(opened, asked, tell));
  const items = commits.map((commit, index) => {
    const { row, below } = rows[index]!;
    return { ...fromGit(commit, wanted), graph: [row, ...below] };
  });
  return { items, next };
}

/** reads all that git prints: nobody could name what a part lacks */
async function printedBy(opened: Opened, asked: Command, tell?: Tell, count?: Command): Promise<Buffer> {
  const { stdout, truncated } = await (tell === undefined
    ? opened.run(asked)
    : runWithProgress(opened, asked, count, tell));
  if (!truncated) return stdout;
  throw new ToolError('there is more in this log than can be read at once', {
    code: 'too-large',
    hint: 'ask for fewer commits, or name paths',
  });
}

function fromGit(commit: LogCommit, wanted: Wanted): Read {
  const { oid, parents, author, committer, files, message } = commit;
  return {
    oid,
    facts: toFacts(oid, parents, author, committer),
    message: wanted.body ? trimMessage(message) : message,
    files: wanted.files ? files.map(toChangedFile) : undefined,
    graph: undefined,
  };
}

function fromWalk({ oid, commit, parents }: WalkedCommit, body: boolean): Read {
  const { author, committer, message } = commit;
  return {
    oid,
    facts: toFacts(oid, parents, author, committer),
    message: body ? trimMessage(message) : subjectOf(message),
    files: undefined,
    graph: undefined,
  };
}
