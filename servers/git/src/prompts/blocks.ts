import type { Block } from '@rootbound/kit/prompts';
import { readDiff } from '../diffs/read.ts';
import type { DiffOutput } from '../diffs/schema.ts';
import { type Filters, queryOf } from '../logs/query.ts';
import { readLog } from '../logs/read.ts';
import type { Tips } from '../logs/tips.ts';
import { linesOf, toTold } from '../logs/told.ts';
import type { Opened } from '../opened.ts';
import { fileLine } from '../patches/files.ts';
import type { Sides } from '../porcelain/diff.ts';

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
  const lines = (page?.items ?? []).flatMap((item) => linesOf(toTold(item, share), body));
  return {
    title,
    text: lines.join('\n'),
    cut: page?.next !== undefined,
    rest: 'git_log gives the rest',
  };
}
