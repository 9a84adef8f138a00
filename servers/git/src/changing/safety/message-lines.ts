import { join } from 'node:path';
import { replaceFile } from '@rootbound/kit/boundary';
import { gitFilesOf } from '../../call/git-files.ts';
import type { Opened } from '../../call/open-repository.ts';
import { type GitFiles, readOperations } from '../../porcelain/operation.ts';
import type { Oid } from '../../run/oid.ts';
import type { Setting } from '../../run/settings.ts';
import { commitOf } from './ancestry.ts';

/** A rebase keeps the first of these for what it picks unchanged; `git commit`, which it starts for others, the last. */
const picking: readonly Setting[] = [
  ['commit.cleanup', 'verbatim'],
  ['commit.cleanup', 'default'],
];
/** The characters that git itself uses for comments, then all others of ASCII. */
const CHARACTERS = [
  ...'#;@!$%^&|:'.split(''),
  ...Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at)),
];
/** The paths in conflict that git adds as comments to the message of a step. */
const inConflict = /\n(?:(\S+) -+ >8 -+\n\1 [^\n]*\n\1 [^\n]*\n\1\n)?(\S+) Conflicts:\n(?:\2\t[^\n]*\n)+$/;

/** Returns the settings with which a rebase keeps each line of the commits that it melds into one. */
export async function keepingLinesOf(opened: Opened, commits: readonly Oid[]): Promise<Setting[]> {
  const messages: string[] = [];
  for (const commit of commits) messages.push((await commitOf(opened, commit)).message);
  return keepingLines(opened, messages);
}

/** Removes the paths in conflict that git has added to the message of the step in progress, and returns the message. */
export async function dropConflictLines(opened: Opened): Promise<string> {
  const proposed = textIn(gitFilesOf(opened.repository), 'MERGE_MSG') ?? '';
  // a merge has ended the last line once more
  const own = proposed.replace(inConflict, '').replace(/\n\n$/, '\n');
  if (own !== proposed) {
    opened.assertActs();
    const { place, opened: from } = opened.repository;
    await replaceFile(from.roots, join(place.gitDir, 'MERGE_MSG'), Buffer.from(own, 'latin1'), {});
  }
  return own;
}

/** Returns the settings with which git keeps the lines of the message of a step that it continues. */
export async function keepingLinesOfStep(opened: Opened): Promise<Setting[]> {
  const files = gitFilesOf(opened.repository);
  // git has begun each of its own lines in it with the character of the first
  const [, character] = /^(\S+) /.exec(textIn(files, 'rebase-merge/message-squash') ?? '') ?? [];
  if (character !== undefined) return settingsFor(opened, (now) => (now === character ? now : character));
  const own = await dropConflictLines(opened);
  const picked = textIn(files, 'rebase-merge/message') ?? '';
  return keepingLines(opened, [own, picked, ...(await melded(opened, files))]);
}

/** Has git begin its comments, which it strips, with a character that begins no line of some messages. */
function keepingLines(opened: Opened, messages: readonly string[]): Promise<Setting[]> {
  const begun = new Set(messages.flatMap((message) => message.split('\n').map((line) => line.charAt(0))));
  const isFree = (character: string): boolean => !begun.has(character.charAt(0));
  return settingsFor(opened, (now) => (isFree(now) ? now : (CHARACTERS.find(isFree) ?? now)));
}

/** Returns the settings for another comment character than the present one, and for messages that are stripped nowhere. */
async function settingsFor(opened: Opened, chosen: (now: string) => string): Promise<Setting[]> {
  if (opened.state !== 'trusted') return [...picking, ['core.commentChar', chosen('#')]];
  // programs that git starts see a setting, so none is given that changes nothing
  const own = new Map((await opened.config()).map(({ key, value }) => [key, value]));
  const set = own.get('core.commentchar') ?? own.get('core.commentstring') ?? '#';
  const now = set === 'auto' ? '#' : set;
  const next = chosen(now);
  return [
    ...(own.has('commit.cleanup') ? picking : []),
    ...(set === next ? [] : ([['core.commentChar', next]] satisfies Setting[])),
  ];
}

/** Returns the messages of HEAD and of the commits that a rebase may still meld into one. */
async function melded(opened: Opened, files: GitFiles): Promise<string[]> {
  const rebase = readOperations(files).find(({ kind }) => kind === 'rebase');
  if (rebase?.kind !== 'rebase') return [];
  const isMelding = rebase.todo.some(({ command }) => command === 'squash' || command === 'fixup');
  const named = isMelding ? rebase.todo.flatMap(({ commit }) => commit ?? []) : [];
  const messages: string[] = [];
  for (const revision of ['HEAD', ...named])
    messages.push((await commitOf(opened, await opened.resolve(revision, 'commit'))).message);
  return messages;
}

function textIn(files: GitFiles, name: string): string | undefined {
  return files.read(name)?.toString('latin1');
}
