import { fit, type Halves } from '@rootbound/kit/budget';
import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import { parseTree, type TreeEntry } from '../../repository/tree.ts';
import type { Oid } from '../../run/oid.ts';
import { type Asked, halvesOf } from './show-request.ts';
import type { Untagged } from './show-tag.ts';

const MAX_BYTES = 32 << 20;

/** Returns the entries of a folder, without those of its folders. */
export async function showTree(
  opened: Opened,
  oid: Oid,
  tag: Untagged['tag'],
  asked: Asked,
): Promise<Halves> {
  const contents = await opened.objects.read(oid, MAX_BYTES);
  if (contents?.bytes === undefined)
    throw new ToolError('the folder is too large', { code: 'too-large', hint: 'git_list_files pages it' });
  const all = parseTree(contents.bytes, oid);
  const start = asked.place === undefined ? 0 : Number(asked.place[1]);
  const rest = all.slice(start);
  const { halves } = fit(rest.length, asked.maxOutput, (kept) => {
    const entries = rest.slice(0, kept);
    const end = start + kept;
    const facts = { ...tag.facts, type: 'tree', oid, entries, total: all.length } as const;
    const text = tag.text + [`tree ${oid.slice(0, 12)}`, ...entries.map(lineOf)].join('\n');
    if (end >= all.length) return halvesOf(facts, text, asked);
    return halvesOf(facts, text, asked, {
      place: ['entries', end],
      lacks: `${end} of ${all.length} entries`,
    });
  });
  return halves;
}

function lineOf({ mode, type, oid, name }: TreeEntry): string {
  return `${mode} ${type} ${oid.slice(0, 12)} ${name}`;
}
