import type { HardLinks, ScopeFacts } from '@rootbound/kit/boundary';

/** A directory to search: a handle that the boundary has verified, open until the search settles, and its path. */
export interface SearchRoot {
  fd: number;
  path: string;
}

export type EntryType = 'file' | 'directory' | 'symlink';

interface Where {
  root: SearchRoot;
  /** Globs for the relative path; `*.x` matches at the top level only, a bare word a part of any name. Empty: all. */
  include: readonly string[];
  /** Like `include`, but a bare word is the exact name of an entry at any depth. An excluded directory is not entered. */
  exclude: readonly string[];
  /** Whether names that begin with a dot are included. Default: true. */
  hidden?: boolean;
  /** The folder from which ignore files apply. Default: none apply. */
  ignoring?: Ignoring | undefined;
  /** The boundary of the root, whose denied names are skipped. */
  scope?: ScopeFacts | undefined;
  /** By path, newest first or largest first; equal ones by path. Default: by path. */
  sort?: Sort | undefined;
}

export type Sort = 'path' | 'modified' | 'size';

/** A folder at or above the root, and the byte path from it to the root, '' or one that ends in '/'. */
export interface Ignoring {
  top: SearchRoot;
  pathToRoot: string;
}

/** A search for names below the root. */
export interface NameQuery extends Where {
  kind: 'names';
  limit: number;
  /** The `next` of an earlier outcome: results begin after it. */
  after?: Position;
  /** Directories at this level below the root are not entered; their entries are counted. */
  depth?: number | undefined;
  /** Default: every type, sockets and pipes included. */
  types?: readonly EntryType[];
}

/** The position at which a search stopped: in `path` at `line`, or at its end without a line. */
export interface Position {
  path: string;
  line?: number;
  /** The sort key, unless sorted by path. */
  key?: number;
}

/** A search for matching lines in regular files below the root. */
export interface ContentQuery extends Where {
  kind: 'content';
  pattern: string;
  mode: 'literal' | 'regex';
  ignoreCase?: boolean;
  /** Whether a match must not be next to a letter, digit or underscore. */
  wholeWord?: boolean;
  /** Whether a match may span lines; files over 1 MiB are then skipped and counted. */
  multiline?: boolean;
  contextLines?: number;
  /** Maximum number of matching lines, or of files if `output` is `files` or `counts`. */
  limit: number;
  /** Maximum number of matching lines per file; the last one then has `more`. */
  perFile?: number;
  /** Files over this size are skipped and counted. */
  maxFileBytes?: number;
  /** With `refuse` a file with other hard links is a failure with code `linked`, which costs an fstat per file. */
  hardLinks?: HardLinks | undefined;
  after?: Position;
  output: 'matches' | 'files' | 'counts';
}

export type Query = NameQuery | ContentQuery;

/** The default of `exclude`. */
export const DEFAULT_EXCLUDE: readonly string[] = ['.git', 'node_modules'];

/** How a directory is opened from its parent: by the parent's handle, or by path with checks. */
export type Access = 'kernel' | 'best-effort';

/** A query with all defaults set, as the workers receive it. */
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

/** The failure of a whole search; `code` is its kind. */
export class SearchError extends Error {
  override readonly name = 'SearchError';
  readonly code: 'pattern' | 'root' | 'worker' | 'closed';

  constructor(code: SearchError['code'], message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** Returns the job of a query. Throws a SearchError if its pattern can never match. */
export function toJob(query: Query, access: Access): Job {
  const where = {
    root: { fd: query.root.fd, path: query.root.path },
    // the search cannot verify more than the boundary
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
  if (pattern === '') throw new SearchError('pattern', 'pattern is empty: set it to the text to find');
  if (multiline === true) return;
  const escaped = mode === 'regex' && /(?:^|[^\\])(?:\\\\)*\\n/.test(pattern);
  if (escaped || pattern.includes('\n')) {
    throw new SearchError('pattern', 'pattern has a line break: set multiline for matches that span lines');
  }
}
