import type { Block } from '@rootbound/kit/prompts';
import type { Opened } from '../../call/open-repository.ts';
import type { Sides } from '../../porcelain/diff.ts';
import { type Filters, queryOf } from '../../reading/history/log-query.ts';
import { linesOf, toCommitResult } from '../../reading/history/log-text.ts';
import { readLog } from '../../reading/history/read-log.ts';
import type { Tips } from '../../reading/history/tips.ts';
import { fileLine } from '../../reading/patches/changed-files.ts';
import type { DiffOutput } from '../../reading/patches/diff-schema.ts';
import { readDiff } from '../../reading/patches/read-diff.ts';

/** Returns a diff as a block: the files, and the patch as far as it fits; undefined where nothing differs. */
export async function diffBlock(
  opened: Opened,
  sides: Sides,
  title: string,
  room: number,
  paths?: string[],
): Promise<Block | undefined> {
  const args = paths === undefined ? {} : { paths };
  const { structured } = (await readDiff(opened, sides, args, 'git_diff', room)).parts;
  // `readDiff` writes this structure
  const { files, patch = '', truncated } = structured as DiffOutput;
  if (files.length === 0) return undefined;
  return {
    title,
    text: [...files.map(fileLine), '', patch].join('\n'),
    cut: truncated,
    rest: 'git_diff gives the rest',
  };
}

/** Returns commits as a block, the newest first: whole messages, or a line for each. */
export async function logBlock(
  opened: Opened,
  tips: Tips,
  title: string,
  { limit, body, share }: { readonly limit: number; readonly body: boolean; readonly share: number },
  filters: Filters = {},
): Promise<Block> {
  const plain = tips.not.length === 0 && Object.keys(filters).length === 0;
  const wanted = { plain, graph: false, files: false, body };
  const page =
    tips.from.length === 0 ? undefined : await readLog(opened, queryOf(tips, filters), { limit }, wanted);
  const lines = (page?.items ?? []).flatMap((item) => linesOf(toCommitResult(item, share), body));
  return {
    title,
    text: lines.join('\n'),
    cut: page?.next !== undefined,
    rest: 'git_log gives the rest',
  };
}
