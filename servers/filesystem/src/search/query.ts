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
}

/** Names below the root that `include` selects. */
export interface NameQuery extends Where {
  kind: 'names';
  limit: number;
  /** The `next` of an earlier outcome: results begin strictly after it. */
  after?: string;
  /** Default: every type, sockets and pipes included. */
  types?: readonly EntryType[];
}

/** Where a content search stopped: in `path`, at `line`; without a line, at the end of that file. */
export interface ContentPosition {
  path: string;
  line?: number;
}

/** Lines of regular files below the root that hold the pattern. */
export interface ContentQuery extends Where {
  kind: 'content';
  pattern: string;
  mode: 'literal' | 'regex';
  ignoreCase?: boolean;
  contextLines?: number;
  /** Of matching lines, or of files when `output` is `files` or `counts`. */
  limit: number;
  /** Matching lines listed per file; the last one listed says `more`. */
  perFile?: number;
  /** Files above this size are skipped and counted. */
  maxFileBytes?: number;
  after?: ContentPosition;
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
  limit: number;
  after: ContentPosition | undefined;
  types: readonly EntryType[] | undefined;
  content: ContentJob | undefined;
}

export interface ContentJob {
  pattern: string;
  mode: 'literal' | 'regex';
  ignoreCase: boolean;
  contextLines: number;
  perFile: number;
  maxFileBytes: number;
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
    access,
    include: query.include,
    exclude: query.exclude,
    hidden: query.hidden ?? true,
    limit: Math.max(1, query.limit),
  };
  if (query.kind === 'names') {
    const after = query.after === undefined ? undefined : { path: query.after };
    return { ...where, after, types: query.types, content: undefined };
  }
  assertOneLine(query.pattern, query.mode);
  return {
    ...where,
    after: query.after,
    types: undefined,
    content: {
      pattern: query.pattern,
      mode: query.mode,
      ignoreCase: query.ignoreCase ?? false,
      contextLines: query.contextLines ?? 0,
      perFile: Math.max(1, query.perFile ?? Number.POSITIVE_INFINITY),
      maxFileBytes: query.maxFileBytes ?? Number.POSITIVE_INFINITY,
      output: query.output,
    },
  };
}

function assertOneLine(pattern: string, mode: 'literal' | 'regex'): void {
  if (pattern === '') throw new SearchError('pattern', 'pattern is empty: give the text to look for');
  const escaped = mode === 'regex' && /(?:^|[^\\])(?:\\\\)*\\n/.test(pattern);
  if (escaped || pattern.includes('\n')) {
    throw new SearchError('pattern', 'pattern holds a line break: a pattern matches within one line');
  }
}
