import { counted, fit, moreNote, openPosition, sealPosition } from '@rootbound/kit/budget';
import { reply } from '@rootbound/protocol';
import { isIndex } from '../../call/arguments.ts';
import { tellOf } from '../../call/list-progress.ts';
import type { Opened } from '../../call/open-repository.ts';
import { tool } from '../../call/workspace.ts';
import type { LogCursor, Page } from '../../porcelain/log-page.ts';
import { isOid } from '../../run/oid.ts';
import { filtersOf, queryOf } from './log-query.ts';
import {
  type CommitResult,
  input,
  type LogArguments,
  type LogOutput,
  MAX_COUNT,
  output,
} from './log-schema.ts';
import { linesOf, toCommitResult } from './log-text.ts';
import { isMoments, type Moments, momentsOf } from './moment.ts';
import { type Read, readLog } from './read-log.ts';
import { endsAmong, shallowLines } from './shallow-note.ts';
import { isKeptTips, type KeptTips, keepTips, tipsAgain, tipsFor } from './tips.ts';

const NAME = 'git_log';
/** Bytes of a commit in a result at least. */
const LEAST_BYTES = 120;
/** Commits with files are read fewer at once: one may have thousands. */
const MOST_WITH_FILES = 100;

/** The end of the page before. */
interface Position extends LogCursor {
  readonly tips: KeptTips;
  readonly moments?: Moments;
}

export const gitLog = tool({
  name: NAME,
  title: 'Log',
  description:
    'History, newest first, by all filters given; author, committer and grep are regexes unless fixed.',
  input,
  output,
  annotations: { readOnlyHint: true, openWorldHint: false },
  run(args, context) {
    const {
      scope: { scope, repositories, maxOutput },
      signal,
    } = context;
    return repositories.use(scope, args.repo_path, signal, async (opened) => {
      const given = filtersOf(args);
      const {
        revision,
        all = false,
        graph = false,
        files = false,
        body = false,
        max_count = MAX_COUNT,
      } = args;
      const asked = questionOf(opened, args);
      const after =
        args.cursor === undefined ? undefined : openPosition(NAME, asked, args.cursor, isPosition);
      const find = () => tipsFor(opened, revision, all);
      const tips = after === undefined ? await find() : await tipsAgain(opened, after.tips, find);
      const moments = after?.moments ?? (await momentsOf(opened, given));
      const filters = { ...given, ...moments };
      const most = Math.max(1, Math.ceil(maxOutput / LEAST_BYTES));
      const limit = Math.min(max_count, files ? Math.min(most, MOST_WITH_FILES) : most);
      const plain = Object.keys(filters).length === 0 && tips.from.length === 1 && tips.not.length === 0;
      const page: Page<Read> =
        tips.from.length === 0
          ? { items: [], next: undefined }
          : await readLog(
              opened,
              queryOf(tips, filters),
              { limit, after },
              { plain: plain && !files, graph, files, body },
              tellOf(context, 'commit', 'commits'),
            );
      const commits = page.items.map((commit) => toCommitResult(commit, Math.floor(maxOutput / 5)));
      const { halves } = fit(commits.length, maxOutput, (kept) => {
        const listed = commits.slice(0, kept);
        const seen = (after?.seen ?? 0) + kept;
        const last = page.items[kept - 1]?.oid;
        const ends = endsAmong(
          opened,
          page.items.slice(0, kept).map(({ oid }) => oid),
        );
        const more = kept < commits.length || page.next !== undefined;
        const structured: LogOutput = {
          commits: listed,
          ...(ends.length > 0 && { shallow: ends }),
          truncated: more,
          ...(more && {
            next_cursor: sealPosition(NAME, asked, { tips: keepTips(tips), moments, last: last!, seen }),
          }),
        };
        return { structured, text: textOf(structured, body) };
      });
      return reply({ structured: halves.structured, content: halves.text });
    });
  },
});

function textOf({ commits, shallow, truncated, next_cursor }: LogOutput, body: boolean): string {
  const lines = commits.flatMap((commit: CommitResult) => linesOf(commit, body));
  if (commits.length === 0) lines.push('[no commits]');
  lines.push(...shallowLines(shallow));
  if (truncated) lines.push(moreNote(counted(commits.length, 'commit', 'commits'), next_cursor));
  return lines.join('\n');
}

/** Returns the question that a cursor continues: all arguments except the size of a page. */
function questionOf({ repository }: Opened, { cursor, max_count, repo_path, ...asked }: LogArguments) {
  return [
    repository.identity,
    JSON.stringify(
      asked,
      Object.keys(asked).sort((a, b) => (a < b ? -1 : 1)),
    ),
  ];
}

function isPosition(value: unknown): value is Position {
  const { tips, moments = {}, last, seen } = (value ?? {}) as Record<string, unknown>;
  return isKeptTips(tips) && isMoments(moments) && typeof last === 'string' && isOid(last) && isIndex(seen);
}
