import { fit, openPosition, sealPosition } from '@rootbound/kit/budget';
import { defined } from '@rootbound/kit/primitives';
import { reply, ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { isIndex, repoPath, toPaths } from '../../call/arguments.ts';
import { type Tell, tellOf } from '../../call/list-progress.ts';
import type { Opened } from '../../call/open-repository.ts';
import { tool } from '../../call/workspace.ts';
import { type BlameQuery, BlameReader, blameCommand } from '../../porcelain/blame.ts';
import { type Oid, toOid } from '../../run/oid.ts';
import { runsOf } from './blame-runs.ts';
import { type BlameOutput, output } from './blame-schema.ts';
import { textOf } from './blame-text.ts';
import { assertInWorkTree } from './blamed-file.ts';
import { endsAmong } from './shallow-note.ts';

const NAME = 'git_blame';

const input = z.strictObject({
  repo_path: repoPath,
  path: z.string().describe('from the top'),
  revision: z.string().optional().describe('default the work tree'),
  start_line: z.int().min(1).optional(),
  end_line: z.int().min(1).optional(),
  ignore_space: z.boolean().optional(),
  moves: z.enum(['file', 'commit']).optional().describe('follow lines moved in a file, or a commit'),
  ignore_revisions: z.array(z.string()).min(1).optional(),
  cursor: z.string().optional(),
});

type Arguments = z.output<typeof input>;

export const gitBlame = tool({
  name: NAME,
  title: 'Blame',
  description: 'The commit that last changed each line of a file, in runs of lines.',
  input,
  output,
  annotations: { readOnlyHint: true, openWorldHint: false },
  run(args, context) {
    const {
      scope: { scope, repositories, maxOutput },
      signal,
    } = context;
    return repositories.use(scope, args.repo_path, signal, async (opened) => {
      const { query, asked } = await queryOf(opened, args);
      const start =
        args.cursor === undefined ? (args.start_line ?? 1) : openPosition(NAME, asked, args.cursor, isIndex);
      const lines = start === 1 && args.end_line === undefined ? [] : [rangeOf(start, args.end_line)];
      const runs = await readRuns(opened, { ...query, lines }, tellOf(context, 'line', 'lines'));
      const ends = opened.objects.ends();
      const head = {
        path: args.path,
        ...defined({ commit: query.at }),
      };
      const { halves } = fit(runs.length, maxOutput, (kept) => {
        const next = runs[kept]?.start;
        const facts = runsOf(runs.slice(0, kept), args.path, ends);
        const shallow = endsAmong(
          opened,
          facts.commits.map(({ oid }) => toOid(oid)),
        );
        const structured: BlameOutput = {
          ...head,
          ...facts,
          ...(shallow.length > 0 && { shallow }),
          truncated: next !== undefined,
          ...(next !== undefined && { next_cursor: sealPosition(NAME, asked, next) }),
        };
        return { structured, text: textOf(structured) };
      });
      return reply({ structured: halves.structured, content: halves.text });
    });
  },
});

async function queryOf(opened: Opened, args: Arguments) {
  const { path, revision, start_line = 1, end_line = 0, ignore_space = false, moves = '' } = args;
  const at = await commitOf(opened, revision);
  const [asPath] = toPaths([path]);
  if (at === undefined) assertInWorkTree(opened, path);
  const without: Oid[] = [];
  for (const one of args.ignore_revisions ?? []) without.push(await opened.resolve(one, 'commit'));
  const query: BlameQuery = {
    path: asPath!,
    ...defined({ at }),
    ignoreSpace: ignore_space,
    ...defined({ moves: args.moves }),
    without,
  };
  const { identity } = opened.repository;
  const asked = [identity, path, at ?? '', start_line, end_line, ignore_space, moves, ...without];
  return { query, asked };
}

/** undefined: the work tree, which a bare repository does not have */
async function commitOf(opened: Opened, revision: string | undefined): Promise<Oid | undefined> {
  const bare = opened.repository.place.workTree === undefined;
  return revision === undefined && !bare ? undefined : opened.resolve(revision ?? 'HEAD', 'commit');
}

function rangeOf(from: number, to: number | undefined) {
  if (to === undefined) return { from };
  if (to >= from) return { from, to };
  throw new ToolError('end_line is before start_line', { code: 'invalid-arguments' });
}

async function readRuns(opened: Opened, query: BlameQuery, tell: Tell | undefined) {
  const reader = new BlameReader();
  const { chunks, finished } = opened.stream(blameCommand(query));
  for await (const chunk of chunks) {
    reader.push(chunk);
    tell?.(reader.lines);
  }
  await finished.catch(async (error: unknown) => {
    // git names HEAD in its failure, and not the reason
    if (query.at === undefined) await opened.resolve('HEAD', 'commit');
    throw error;
  });
  tell?.(reader.lines, reader.lines);
  return reader.runs();
}
