import { bytesOf, clipText, fit, type Halves, jsonBytes } from '@rootbound/kit/budget';
import { defined } from '@rootbound/kit/primitives';
import type { Opened } from '../../call/open-repository.ts';
import { type Change, parseChanges } from '../../porcelain/changes.ts';
import { changesCommand, type DiffQuery, emptyTree, patchCommand } from '../../porcelain/diff.ts';
import type { Oid } from '../../run/oid.ts';
import { short } from '../history/commit-facts.ts';
import { indented, trimMessage } from '../history/commit-message.ts';
import { fileLine, toChangedFile } from '../patches/changed-files.ts';
import { readListing, tooManyFiles } from '../patches/listing.ts';
import type { PatchPosition } from '../patches/position.ts';
import { begin, parentsOf, readCommit } from './show-head.ts';
import { addPatch, continuePatch, hasRoom } from './show-patch.ts';
import { type Asked, type Begun, halvesOf, type Next } from './show-request.ts';
import type { Untagged } from './show-tag.ts';

const FILES_FOLLOW = 'the changed files follow';

/** Returns a page of a commit with its files and its patch, against its first parent. */
export async function showCommit(
  opened: Opened,
  oid: Oid,
  tag: Untagged['tag'],
  asked: Asked,
): Promise<Halves> {
  const commit = await readCommit(opened, oid);
  const parents = await parentsOf(opened, oid, commit);
  const from = parents[0] ?? emptyTree(opened.audit.facts.objectFormat);
  const query: DiffQuery = {
    sides: { kind: 'between', from, to: oid },
    ...defined({ paths: asked.paths }),
  };
  const [part = 'message', at = 0] = asked.place ?? [];
  const bare: Begun = { facts: { type: 'commit', oid }, text: `commit ${short(oid)}, continued\n` };
  // `isPosition` has seen both together
  if (part === 'patch') return continuePatch(opened, query, bare, at as PatchPosition | null, asked);
  if (part === 'files') return showChanges(opened, query, bare, Number(at), asked);
  const head = asked.place === undefined ? begin(oid, commit, parents, tag) : bare;
  const page = showMessage(head, trimMessage(commit.message).slice(Number(at)), Number(at), asked);
  return 'facts' in page ? showChanges(opened, query, page, 0, asked) : page;
}

/** Returns the head with the message; alone on its page where it leaves too little room for files. */
function showMessage(head: Begun, message: string, at: number, asked: Asked): Begun | Halves {
  const most = Math.floor((asked.maxOutput * 3) / 4);
  for (let room = Math.min(most, jsonBytes(message)); ; ) {
    const { kept, truncated } = clipText(message, room, { measure: 'json' });
    const text = kept === '' ? head.text : `${head.text}\n${indented(kept)}\n`;
    const facts = { ...head.facts, message: kept };
    if (!truncated && bytesOf(halvesOf(facts, text, asked)) <= most) return { facts, text };
    const halves = halvesOf(
      facts,
      text,
      asked,
      truncated
        ? { place: ['message', at + kept.length], lacks: 'the message continues' }
        : { place: ['files', 0], lacks: FILES_FOLLOW },
    );
    const over = bytesOf(halves) - asked.maxOutput;
    if (over <= 0 || kept === '') return halves;
    room = Math.max(1, room - over);
  }
}

async function showChanges(
  opened: Opened,
  query: DiffQuery,
  begun: Begun,
  at: number,
  asked: Asked,
): Promise<Halves> {
  if (asked.stat) {
    const { stdout, truncated } = await opened.run(changesCommand(query, { lines: true }));
    if (truncated) throw tooManyFiles();
    return addFiles(begun, parseChanges(stdout), at, asked).halves;
  }
  const { chunks, finished, stop } = opened.stream(
    patchCommand(query, { context: asked.context, list: true }),
  );
  try {
    const { changes, patch } = await readListing(chunks);
    const { halves, whole } = addFiles(begun, changes, at, asked);
    const page = whole && hasRoom(whole, asked) ? await addPatch(whole, patch, undefined, asked) : undefined;
    if (page === undefined) stop();
    // where git failed, the output is incomplete
    await finished;
    return page ?? halves;
  } finally {
    stop();
  }
}

/** Returns the files that fit, none where a message leaves no room; when all are `whole`, a patch can follow. */
function addFiles(
  { facts, text }: Begun,
  changes: readonly Change[],
  at: number,
  asked: Asked,
): { halves: Halves; whole: Begun | undefined } {
  const rest = changes.slice(at).map(toChangedFile);
  const total = changes.length;
  const add = (kept: number): Begun => {
    const files = rest.slice(0, kept);
    const lines = files.map((file) => `${fileLine(file)}\n`);
    return {
      facts: { ...facts, files, total },
      text: kept === 0 ? text : `${text}\n${lines.join('')}`,
    };
  };
  const { halves, kept } = fit(rest.length, asked.maxOutput, (count) => {
    const added = add(count);
    const end = at + count;
    return halvesOf(added.facts, added.text, asked, behind(end, total, asked));
  });
  if (facts.message !== undefined && bytesOf(halves) > asked.maxOutput) {
    const next = { place: ['files', at], lacks: FILES_FOLLOW } as const;
    return { halves: halvesOf(facts, text, asked, next), whole: undefined };
  }
  return { halves, whole: kept === rest.length ? add(kept) : undefined };
}

/** Returns the continuation after this number of files. */
function behind(end: number, total: number, { stat }: Asked): Next | undefined {
  if (end < total) return { place: ['files', end], lacks: `${end} of ${total} files` };
  return stat || total === 0 ? undefined : { place: ['patch', null], lacks: 'the patch follows' };
}
