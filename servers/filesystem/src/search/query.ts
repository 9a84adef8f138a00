import type { HardLinks, ScopeFacts } from '@rootbound/kit/boundary';

/** A directory to search: a handle the boundary has verified, kept open until the search settles, and the path to show. */
export interface SearchRoot {
  fd: number;
  path: string;
}

export type EntryType = 'file' | 'directory' | 'symlink';

interface Where {
  root: SearchRoot;
  /** Globs on the relative path: `*.x` is the top level only, any depth is `**` + `/*.x`; a bare word is a part of the name in any case. Empty: everything. */
  include: readonly string[];
  /** As `include`, but a bare word is the exact name of an entry at any depth, and an excluded directory is not entered. */
  exclude: readonly string[];
  /** Whether names that begin with a dot are looked at. Default: true. */
  hidden?: boolean;
  /** Whether ignore files leave out what they name, and those of which folders above count too. Default: none. */
  ignoring?: Ignoring | undefined;
  /** The boundary that the root lies in, whose denied names do not exist here. */
  scope?: ScopeFacts | undefined;
  /** By path, or newest or largest first; equal ones by path. Default: by path. */
  sort?: Sort | undefined;
}

export type Sort = 'path' | 'modified' | 'size';

/** A folder at or above the root, and the byte path from it to the root, '' or one that ends in '/'. */
export interface Ignoring {
  top: SearchRoot;
  way: string;
}

/** Names below the root that `include` selects. */
export interface NameQuery extends Where {
  kind: 'names';
  limit: number;
  /** The `next` of an earlier outcome: results begin strictly after it. */
  after?: Position;
  /** Directories this many levels below the root are not entered, and say how many entries they hold. */
  depth?: number | undefined;
  /** Default: every type, sockets and pipes included. */
  types?: readonly EntryType[];
}

/** Where a search stopped: in `path`, at `line`; without a line, at the end of that file. */
export interface Position {
  path: string;
  line?: number;
  /** What it was sorted by, unless that is the path. */
  key?: number;
}

/** Lines of regular files below the root that hold the pattern. */
export interface ContentQuery extends Where {
  kind: 'content';
  pattern: string;
  mode: 'literal' | 'regex';
  ignoreCase?: boolean;
  /** Whether no letter, digit or underscore may stand beside a match. */
  wholeWord?: boolean;
  /** Whether a match may span lines; files above 1 MiB are then skipped and counted. */
  multiline?: boolean;
  contextLines?: number;
  /** Of matching lines, or of files when `output` is `files` or `counts`. */
  limit: number;
  /** Matching lines listed per file; the last one listed says `more`. */
  perFile?: number;
  /** Files above this size are skipped and counted. */
  maxFileBytes?: number;
  /** With `refuse` a file with other hard links is a failure of code `linked`; each file costs a look then. */
  hardLinks?: HardLinks | undefined;
  after?: Position;
  output: 'matches' | 'files' | 'counts';
}

export type Query = NameQuery | ContentQuery;

/** What a caller passes as `exclude` unless the user says otherwise. */
export const DEFAULT_EXCLUDE: readonly string[] = ['.git', 'node_modules'];

/** How a directory is reached from its parent: by the parent's handle, or by path with checks. */
export type Access = 'kernel' | 'best-effort';

/** A query with every default filled in, as the workers get it. */
export interface Job {
  root: SearchRoot;
  access: Access;
  include: readonly string[];
  exclude: readonly string[];
  hidden: boolean;
  ignoring: Ignoring | undefined;
  scope: ScopeFacts | undefined;
  sort: Sort;
  limit: number;
  after: Position | undefined;
  depth: number | undefined;
  types: readonly EntryType[] | undefined;
  content: ContentJob | undefined;
}

export interface ContentJob {
  pattern: string;
  mode: 'literal' | 'regex';
  ignoreCase: boolean;
  wholeWord: boolean;
  multiline: boolean;
  contextLines: number;
  perFile: number;
  maxFileBytes: number;
  hardLinks: HardLinks | undefined;
  output: 'matches' | 'files' | 'counts';
}

/** A search that could not be done as asked, or at all; `code` says which. */
export class SearchError extends Error {
  override readonly name = 'SearchError';
  readonly code: 'pattern' | 'root' | 'worker' | 'closed';

  constructor(code: SearchError['code'], message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** The job of a query, or a SearchError when its pattern can never match. */
export function toJob(query: Query, access: Access): Job {
  const where = {
    root: { fd: query.root.fd, path: query.root.path },
    // where the boundary cannot verify handles, the search cannot either
    access: access === 'kernel' ? (query.scope?.containment ?? access) : access,
    include: query.include,
    exclude: query.exclude,
    hidden: query.hidden ?? true,
    ignoring: query.ignoring,
    scope: query.scope,
    sort: query.sort ?? 'path',
    limit: Math.max(1, query.limit),
    after: query.after,
  };
  if (query.kind === 'names') {
    return { ...where, types: query.types, depth: query.depth, content: undefined };
  }
  assertPattern(query);
  return {
    ...where,
    types: undefined,
    depth: undefined,
    content: {
      pattern: query.pattern,
      mode: query.mode,
      ignoreCase: query.ignoreCase ?? false,
      wholeWord: query.wholeWord ?? false,
      multiline: query.multiline ?? false,
      contextLines: query.contextLines ?? 0,
      perFile: Math.max(1, query.perFile ?? Number.POSITIVE_INFINITY),
      maxFileBytes: query.maxFileBytes ?? Number.POSITIVE_INFINITY,
      hardLinks: query.hardLinks,
      output: query.output,
    },
  };
}

function assertPattern({ pattern, mode, multiline }: ContentQuery): void {
  if (pattern === '') throw new SearchError('pattern', 'pattern is empty: give the text to look for');
  if (multiline === true) return;
  const escaped = mode === 'regex' && /(?:^|[^\\])(?:\\\\)*\\n/.test(pattern);
  if (escaped || pattern.includes('\n')) {
    throw new SearchError('pattern', 'pattern holds a line break: set multiline for matches that span lines');
  }
}
