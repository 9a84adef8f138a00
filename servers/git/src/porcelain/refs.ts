import { type Command, command } from '../run/command.ts';
import type { Oid } from '../run/oid.ts';
import { refName, refPattern } from '../run/operand.ts';
import { nameOfByteString } from './names.ts';
import { oidOf, rowsOf, textOf } from './records.ts';

export type RefKind = 'branch' | 'remote' | 'tag' | 'other';

export interface Upstream {
  /** its full name; the ref may not exist any more */
  readonly name: string;
  /** commits that only one of the two has; `gone` where it is configured and missing */
  readonly track: 'gone' | { readonly ahead: number; readonly behind: number };
}

export interface Ref {
  /** full name, such as refs/heads/main */
  readonly name: string;
  readonly kind: RefKind;
  /** without refs/heads/, refs/remotes/ or refs/tags/ */
  readonly short: string;
  readonly oid: Oid;
  readonly type: string;
  /** only of an annotated tag: the object to which it finally points */
  readonly target: { readonly oid: Oid; readonly type: string } | undefined;
  /** only of a symbolic ref: its target */
  readonly symbolic: string | undefined;
  /** whether HEAD of this work tree points to it */
  readonly current: boolean;
  /** of a branch, when requested */
  readonly upstream: Upstream | undefined;
  /** when requested: the first line of the commit's or tag's message, and its time in seconds since 1970 */
  readonly subject: string | undefined;
  readonly time: number | undefined;
}

export interface RefsOptions {
  readonly kinds?: readonly Exclude<RefKind, 'other'>[];
  /** full names, or prefixes of whole parts */
  readonly names?: readonly string[];
  /**
   * patterns after the folder of each kind: with `*` within a part of a name and `**` over several, or a folder alone
   */
  readonly pattern?: string | undefined;
  /** compares each branch with its upstream, which walks the history */
  readonly upstream?: boolean;
  readonly subject?: boolean;
  readonly sort?: 'name' | 'newest' | 'version';
  readonly limit?: number;
  readonly contains?: Oid;
  readonly notContaining?: Oid;
  readonly merged?: Oid;
  readonly notMerged?: Oid;
  readonly pointsAt?: Oid;
}

const folders = { branch: 'refs/heads', remote: 'refs/remotes', tag: 'refs/tags' } as const;
const sorts = { name: 'refname', newest: '-creatordate', version: 'version:refname' } as const;

const facts = [
  'refname',
  'objectname',
  'objecttype',
  '*objectname',
  '*objecttype',
  'symref',
  'HEAD',
] as const;
const upstreamFacts = ['upstream', 'upstream:track,nobracket'] as const;
const subjectFacts = ['contents:subject', 'creatordate:unix'] as const;

export function refsCommand(options: RefsOptions = {}): Command {
  const { kinds, names, pattern, sort = 'name', limit } = options;
  const { contains, notContaining, merged, notMerged, pointsAt } = options;
  return command('for-each-ref', {
    options: {
      '--format': fieldsOf(options)
        .map((field) => `%(${field})%00`)
        .join(''),
      '--sort': sorts[sort],
      '--count': limit,
      '--contains': contains,
      '--no-contains': notContaining,
      '--merged': merged,
      '--no-merged': notMerged,
      '--points-at': pointsAt,
    },
    names: [
      ...(names ?? []).map(refName),
      ...(kinds ?? []).map((kind) => {
        return pattern === undefined ? refName(folders[kind]) : refPattern(`${folders[kind]}/${pattern}`);
      }),
    ],
  });
}

/** Reads the output of `refsCommand` for the same options. */
export function parseRefs(bytes: Buffer, options: RefsOptions = {}): Ref[] {
  const fields = fieldsOf(options);
  return rowsOf(bytes, fields.length).map((row) => {
    const read = new Map(fields.map((field, index) => [field, row[index]!]));
    return toRef(read);
  });
}

type Field = (typeof facts | typeof upstreamFacts | typeof subjectFacts)[number];

function fieldsOf({ upstream, subject }: RefsOptions): readonly Field[] {
  return [...facts, ...(upstream ? upstreamFacts : []), ...(subject ? subjectFacts : [])];
}

function toRef(read: ReadonlyMap<Field, string>): Ref {
  const name = read.get('refname')!;
  const kind = kindOf(name);
  const target = oidOf(read.get('*objectname')!);
  const symbolic = read.get('symref')!;
  const upstream = read.get('upstream') ?? '';
  const subject = read.get('contents:subject');
  const time = read.get('creatordate:unix') ?? '';
  return {
    name: nameOfByteString(name),
    kind,
    short: nameOfByteString(kind === 'other' ? name : name.slice(folders[kind].length + 1)),
    oid: oidOf(read.get('objectname')!)!,
    type: read.get('objecttype')!,
    target: target === undefined ? undefined : { oid: target, type: read.get('*objecttype')! },
    symbolic: symbolic === '' ? undefined : nameOfByteString(symbolic),
    current: read.get('HEAD') === '*',
    upstream: upstream === '' ? undefined : toUpstream(upstream, read.get('upstream:track,nobracket')!),
    subject: subject === undefined ? undefined : textOf(subject),
    time: time === '' ? undefined : Number(time),
  };
}

function kindOf(name: string): RefKind {
  const isIn = (kind: keyof typeof folders) => name.startsWith(`${folders[kind]}/`);
  if (isIn('branch')) return 'branch';
  if (isIn('remote')) return 'remote';
  return isIn('tag') ? 'tag' : 'other';
}

function toUpstream(name: string, track: string): Upstream {
  const count = (word: string) => Number(new RegExp(`${word} (\\d+)`).exec(track)?.[1] ?? 0);
  return {
    name: nameOfByteString(name),
    track: track === 'gone' ? 'gone' : { ahead: count('ahead'), behind: count('behind') },
  };
}
