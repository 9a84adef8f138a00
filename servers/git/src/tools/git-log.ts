import { counted, fit, moreNote, openPosition, sealPosition } from '@rootbound/kit/budget';
import { reply } from '@rootbound/protocol';
import { isIndex } from '../arguments.ts';
import { tellOf } from '../listing/progress.ts';
import { isMoments, type Moments, momentsOf } from '../logs/moment.ts';
import { filtersOf, queryOf } from '../logs/query.ts';
import { type Read, readLog } from '../logs/read.ts';
import {
  input,
  type LogArguments,
  type LogOutput,
  MAX_COUNT,
  output,
  type ToldCommit,
} from '../logs/schema.ts';
import { isKeptTips, type KeptTips, keepTips, tipsAgain, tipsFor } from '../logs/tips.ts';
import { linesOf, toTold } from '../logs/told.ts';
import type { Opened } from '../opened.ts';
import type { LogCursor, Page } from '../porcelain/log-page.ts';
import { isOid } from '../run/oid.ts';
import { tool } from '../workspace.ts';

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
      const commits = page.items.map((commit) => toTold(commit, Math.floor(maxOutput / 5)));
      const { halves } = fit(commits.length, maxOutput, (kept) => {
        const shown = commits.slice(0, kept);
        const seen = (after?.seen ?? 0) + kept;
        const last = page.items[kept - 1]?.oid;
        const more = kept < commits.length || page.next !== undefined;
        const structured: LogOutput = {
          commits: shown,
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

function textOf({ commits, truncated, next_cursor }: LogOutput, body: boolean): string {
  const lines = commits.flatMap((commit: ToldCommit) => linesOf(commit, body));
  if (commits.length === 0) lines.push('[no commits]');
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
