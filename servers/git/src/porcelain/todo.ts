import { textOf } from './records.ts';

/** A remaining step of a rebase, cherry-pick or revert. */
export interface Todo {
  readonly command: string;
  /** for a commit: its abbreviated name as git wrote it */
  readonly commit: string | undefined;
  /** a subject, or the argument of the command */
  readonly text: string;
}

const commands: Readonly<Record<string, string>> = {
  p: 'pick',
  r: 'reword',
  e: 'edit',
  s: 'squash',
  f: 'fixup',
  x: 'exec',
  b: 'break',
  d: 'drop',
  l: 'label',
  t: 'reset',
  m: 'merge',
  u: 'update-ref',
};
const known = new Set([...Object.values(commands), 'revert', 'noop']);
const ofCommits = new Set(['pick', 'revert', 'reword', 'edit', 'squash', 'fixup', 'drop']);

/** Parses a todo list; lines that are no command, such as comments, are left out. */
export function parseTodo(bytes: Buffer): Todo[] {
  return bytes
    .toString('latin1')
    .split('\n')
    .flatMap((line) => toTodo(line.trim()) ?? []);
}

function toTodo(line: string): Todo | undefined {
  const [, word, rest] = /^(\S+)\s*(.*)$/s.exec(line) ?? [];
  if (word === undefined) return undefined;
  const command = commands[word] ?? word;
  if (!known.has(command)) return undefined;
  const [, commit, subject] = ofCommits.has(command)
    ? (/^(?:-[cC]\s+)?([0-9a-f]{4,64})\s*(.*)$/s.exec(rest!) ?? [])
    : [];
  return { command, commit, text: textOf(subject ?? rest!) };
}
