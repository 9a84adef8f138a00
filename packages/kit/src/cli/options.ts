import type { RootSpec } from './roots.ts';

/** The severities of RFC 5424, least first; MCP logging uses the same words. */
export const LOG_LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The clients that `--print-config` knows. */
export const CLIENTS = [
  'claude-desktop',
  'claude-code',
  'vscode',
  'cursor',
  'zed',
  'windsurf',
  'codex',
  'gemini',
  'qwen',
  'copilot-cli',
  'cline',
  'opencode',
  'continue',
  'goose',
] as const;
export type ClientName = (typeof CLIENTS)[number];

export const CLIENT_ROOTS = ['narrow', 'strict', 'ignore'] as const;

/**
 * The way in which the value of an option is read: `paths` may be given again, and `root` also adds its value to the
 * roots.
 */
export type OptionKind = 'flag' | 'text' | 'list' | 'choice' | 'size' | 'number' | 'path' | 'paths' | 'root';

export interface OptionRow {
  /** without the dashes */
  readonly name: string;
  readonly kind: OptionKind;
  /** other spellings, with their dashes */
  readonly aliases?: readonly string[];
  /** the placeholder in help and problems, such as `<bytes>` */
  readonly value?: string;
  /** the words of a `choice` */
  readonly choices?: readonly string[];
  /** smallest and largest `size` or `number` */
  readonly min?: number;
  readonly max?: number;
  /** an example for the problem line, such as `100K or 32M` */
  readonly example?: string;
  /** whether an item of a `list` is valid */
  readonly fits?: (item: string) => boolean;
  /** one line of help; the shared rows have theirs in help.ts */
  readonly help?: string;
}

/** The type of a value by its kind; an option that is not given is false, an empty list or undefined. */
export type OptionValue<Kind extends OptionKind> = Kind extends 'flag'
  ? boolean
  : Kind extends 'list' | 'paths' | 'root'
    ? readonly string[]
    : (Kind extends 'size' | 'number' ? number : string) | undefined;

/** The values of a server's own options by name. */
export type Extras<Rows extends readonly OptionRow[]> = {
  readonly [R in Rows[number] as R['name']]: OptionValue<R['kind']>;
};

/** The options for serving over HTTP. */
export interface HttpChoice {
  readonly host: string;
  /** 0 takes a free port */
  readonly port: number;
  /** also HTTP+SSE of 2024-11-05, at `/sse` and `/messages` */
  readonly sse: boolean;
  /** also WebSocket, at `/ws` */
  readonly ws: boolean;
  readonly allowOrigins: readonly string[];
  readonly allowHosts: readonly string[];
  readonly auth: AuthChoice | undefined;
  /** listens beyond loopback although nobody must authenticate */
  readonly noAuth: boolean;
  /** minutes */
  readonly sessionIdle: number;
  readonly sessionCap: number;
}

/** The issuer and audience of accepted tokens. */
export interface AuthChoice {
  readonly issuer: string;
  /** the audience of tokens */
  readonly audience: string;
  /** file or URL of the issuer's keys; undefined asks the issuer for their address */
  readonly jwks: string | undefined;
  readonly scopes: readonly string[];
}

/** The options of every server, complete and frozen. */
export interface ServeOptions<Rows extends readonly OptionRow[] = readonly OptionRow[]> {
  readonly roots: readonly RootSpec[];
  readonly readOnly: boolean;
  /** the names that `--tools` and `--exclude-tools` leave, in the server's order */
  readonly tools: readonly string[];
  readonly clientRoots: (typeof CLIENT_ROOTS)[number];
  readonly maxOutput: number;
  readonly logLevel: LogLevel;
  readonly logJson: boolean;
  /** the options for HTTP; undefined serves stdin and stdout */
  readonly http: HttpChoice | undefined;
  readonly extra: Extras<Rows>;
}

export interface Check {
  readonly state: 'ok' | 'warn' | 'fail';
  readonly what: string;
  /** the fix, one sentence */
  readonly fix?: string;
}

/** The facts of a server for its command line. */
export interface ServerSpec<Rows extends readonly OptionRow[] = readonly OptionRow[]> {
  /** `filesystem`: the program is `server-filesystem`, the entry in a client is called `filesystem` */
  readonly name: string;
  /** the program, where that is not `server-` and the name */
  readonly program?: string;
  /** its npm package */
  readonly package: string;
  readonly version: string;
  /** one sentence for the head of the help */
  readonly summary: string;
  readonly tools: readonly string[];
  /** names for sets of tools, for `--tools` and `--exclude-tools` */
  readonly toolsets?: Readonly<Record<string, readonly string[]>>;
  /** the tools that are offered unless `--tools` is given: all, unless listed here */
  readonly defaultTools?: readonly string[];
  /** the kind of a root; directories unless given */
  readonly rootKinds?: 'directories' | 'directories-and-files';
  /** whether the server is useful without any root */
  readonly rootless?: boolean;
  /** the options that only this server has */
  readonly options?: Rows;
  /** the program that opens paths for it, such as `git`: no handle verifies those */
  readonly opener?: string;
  /** its files in the folder for temporary files, if any */
  readonly temporary?: string;
  /** returns the server's own lines of `--doctor` */
  readonly checks?: (options: ServeOptions<Rows>) => readonly Check[] | Promise<readonly Check[]>;
}

/** Returns the name of a server's program. */
export function programOf({
  name,
  program = `server-${name}`,
}: Pick<ServerSpec, 'name' | 'program'>): string {
  return program;
}

/** The options of every server. */
export const SHARED_OPTIONS = [
  { name: 'read-only', kind: 'flag' },
  { name: 'tools', kind: 'list', value: '<a,b>' },
  { name: 'exclude-tools', kind: 'list', value: '<a,b>' },
  { name: 'client-roots', kind: 'choice', value: '<policy>', choices: CLIENT_ROOTS },
  {
    name: 'max-output',
    kind: 'size',
    value: '<bytes>',
    example: '100K or 32M',
    min: 1024,
    max: 256 * 1024 * 1024,
  },
  { name: 'log-level', kind: 'choice', value: '<level>', choices: LOG_LEVELS },
  { name: 'log-json', kind: 'flag' },
  { name: 'http', kind: 'text', value: '<[host:]port>', example: '3000 or 0.0.0.0:3000' },
  { name: 'sse', kind: 'flag' },
  { name: 'ws', kind: 'flag' },
  { name: 'allow-origin', kind: 'list', value: '<origin>', example: 'https://app.example' },
  { name: 'allow-host', kind: 'list', value: '<host>', example: 'files.example' },
  { name: 'auth-issuer', kind: 'text', value: '<url>', example: 'https://login.example' },
  { name: 'auth-audience', kind: 'text', value: '<audience>' },
  { name: 'auth-jwks', kind: 'text', value: '<file|url>' },
  { name: 'auth-scopes', kind: 'list', value: '<a,b>' },
  { name: 'no-auth', kind: 'flag' },
  { name: 'session-idle', kind: 'number', value: '<minutes>', example: '30', min: 1, max: 7 * 24 * 60 },
  { name: 'session-cap', kind: 'number', value: '<n>', example: '1000', min: 1, max: 1_000_000 },
  { name: 'print-config', kind: 'choice', value: '<client>', choices: CLIENTS },
  { name: 'doctor', kind: 'flag' },
  { name: 'json', kind: 'flag' },
  { name: 'version', kind: 'flag', aliases: ['-V'] },
  { name: 'help', kind: 'flag', aliases: ['-h'] },
] as const satisfies readonly OptionRow[];
