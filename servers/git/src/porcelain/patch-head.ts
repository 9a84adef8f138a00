import { nameOfByteString, unquote } from './names.ts';
import { unexpected } from './records.ts';

export type PatchKind =
  | 'modified'
  | 'created'
  | 'deleted'
  | 'renamed'
  | 'copied'
  /** a file in the place of a link, or the reverse */
  | 'type-changed'
  /** against several parents, or of a path in conflict: for reading only */
  | 'merged';

/** The lines of a patch about a file before its hunks. */
export interface Head {
  readonly kind: PatchKind;
  readonly path: string;
  /** only for a rename or copy: the source */
  readonly from: string | undefined;
  /** octal digits, for the sides that exist */
  readonly oldMode: string | undefined;
  readonly newMode: string | undefined;
  /** undefined where only a mode or a name changes; one for each parent in a merge */
  readonly oldOids: readonly string[];
  readonly newOid: string | undefined;
  readonly binary: boolean;
  /** the whole head, with binary contents */
  readonly bytes: Buffer;
}

const NEWLINE = 10;

/** Parses the head at an offset of a patch and returns its end; undefined where the head is incomplete. */
export function headAt(
  bytes: Buffer,
  start: number,
): { readonly head: Head; readonly end: number } | undefined {
  const end = headEnd(bytes, start);
  if (end === undefined) return undefined;
  const lines = bytes.toString('latin1', start, end - 1).split('\n');
  return { head: readHead(lines, bytes.subarray(start, end)), end };
}

/** Returns the end of the head, which may be the end of the bytes; undefined where they end in one of its lines. */
export function headEnd(bytes: Buffer, start: number): number | undefined {
  let at = start;
  while (at < bytes.length && !endsHead(bytes, at, at === start)) {
    at = bytes.indexOf(NEWLINE, at) + 1;
    if (at === 0) return undefined;
  }
  return at;
}

// no line of a head begins like this: names with a newline are quoted, and base 85 has no space
function endsHead(bytes: Buffer, at: number, first: boolean): boolean {
  const begins = (text: string) => bytes.toString('latin1', at, at + text.length) === text;
  return begins('@@') || (!first && begins('diff --'));
}

function readHead(lines: readonly string[], bytes: Buffer): Head {
  const [, form, names] = /^diff --(git|cc|combined) (.+)$/s.exec(lines[0] ?? '') ?? [];
  if (names === undefined) throw unexpected('line of a patch');
  const value = (key: string) => lines.find((line) => line.startsWith(`${key} `))?.slice(key.length + 1);
  const [, oids, newOid, mode] = /^([^.]+)\.\.([^ ]+)(?: (\d+))?$/.exec(value('index') ?? '') ?? [];
  const [created, deleted] = [value('new file mode'), value('deleted file mode')];
  const [renamed, copied] = [value('rename from'), value('copy from')];
  const from = renamed ?? copied;
  const sides = [value('---'), value('+++')].map(sideOf);
  const path = value('rename to') ?? value('copy to');
  const kind = () => {
    if (form !== 'git') return 'merged';
    if (created !== undefined) return 'created';
    if (deleted !== undefined) return 'deleted';
    if (renamed !== undefined) return 'renamed';
    return copied === undefined ? 'modified' : 'copied';
  };
  return {
    kind: kind(),
    path: nameOfByteString(
      path === undefined ? (sides[1] ?? sides[0] ?? sharedName(names, form!)) : plain(path),
    ),
    from: from === undefined ? undefined : nameOfByteString(plain(from)),
    oldMode: created === undefined ? (value('old mode') ?? deleted ?? mode) : undefined,
    newMode: deleted === undefined ? (value('new mode') ?? created ?? mode) : undefined,
    oldOids: oids?.split(',') ?? [],
    newOid,
    binary: lines.some((line) => line === 'GIT binary patch' || /^Binary files .* differ$/s.test(line)),
    bytes,
  };
}

/** Returns the name on a line for one side, without `a/`; undefined where the side has no file. */
function sideOf(value: string | undefined): string | undefined {
  if (value === undefined || value === '/dev/null') return undefined;
  // git writes a tab after a name that has blanks
  return plain(value.endsWith('\t') ? value.slice(0, -1) : value).slice(2);
}

/** Returns the name where no other line has it: both sides have the same. */
function sharedName(names: string, form: string): string {
  return form === 'git' ? plain(names.slice((names.length + 1) / 2)).slice(2) : plain(names);
}

function plain(name: string): string {
  return name.startsWith('"') ? unquote(name) : name;
}
