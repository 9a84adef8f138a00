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

/** How the value of an option is read: `paths` may be given again, and `root` also adds its value to the roots. */
export type OptionKind = 'flag' | 'text' | 'list' | 'choice' | 'size' | 'number' | 'path' | 'paths' | 'root';

export interface OptionRow {
  /** without the dashes */
  readonly name: string;
  readonly kind: OptionKind;
  /** other spellings, with their dashes */
  readonly aliases?: readonly string[];
  /** what help and problems call the value, such as `<bytes>` */
  readonly value?: string;
  /** the words of a `choice` */
  readonly choices?: readonly string[];
  /** smallest and largest `size` or `number` */
  readonly min?: number;
  readonly max?: number;
  /** an example for the problem line, such as `100K or 32M` */
  readonly example?: string;
  /** whether an item of a `list` is one */
  readonly fits?: (item: string) => boolean;
  /** one line of help; the shared rows have theirs in help.ts */
  readonly help?: string;
}

/** The type of a value by its kind; one that is not given is false, an empty list or undefined. */
export type OptionValue<Kind extends OptionKind> = Kind extends 'flag'
  ? boolean
  : Kind extends 'list' | 'paths' | 'root'
    ? readonly string[]
    : (Kind extends 'size' | 'number' ? number : string) | undefined;

/** The values of a server's own options by name. */
export type Extras<Rows extends readonly OptionRow[]> = {
  readonly [R in Rows[number] as R['name']]: OptionValue<R['kind']>;
};

/** How a server is served over HTTP. */
export interface HttpChoice {
  readonly host: string;
  /** 0 takes a free one */
  readonly port: number;
  /** also HTTP+SSE of 2024-11-05, at `/sse` and `/messages` */
  readonly sse: boolean;
  /** also WebSocket, at `/ws` */
  readonly ws: boolean;
  readonly allowOrigins: readonly string[];
  readonly allowHosts: readonly string[];
  readonly auth: AuthChoice | undefined;
  /** listen beyond loopback although nobody has to say who he is */
  readonly noAuth: boolean;
  /** minutes */
  readonly sessionIdle: number;
  readonly sessionCap: number;
}

/** Whose tokens are good. */
export interface AuthChoice {
  readonly issuer: string;
  /** what tokens must be made out for */
  readonly audience: string;
  /** file or URL of the issuer's keys; undefined asks the issuer where they are */
  readonly jwks: string | undefined;
  readonly scopes: readonly string[];
}

/** What every server is started with, complete and frozen. */
export interface ServeOptions<Rows extends readonly OptionRow[] = readonly OptionRow[]> {
  readonly roots: readonly RootSpec[];
  readonly readOnly: boolean;
  /** the names that `--tools` and `--exclude-tools` leave, in the server's order */
  readonly tools: readonly string[];
  readonly clientRoots: (typeof CLIENT_ROOTS)[number];
  readonly maxOutput: number;
  readonly logLevel: LogLevel;
  readonly logJson: boolean;
  /** where to serve HTTP; undefined serves stdin and stdout */
  readonly http: HttpChoice | undefined;
  readonly extra: Extras<Rows>;
}

export interface Check {
  readonly state: 'ok' | 'warn' | 'fail';
  readonly what: string;
  /** what to do about it, one sentence */
  readonly fix?: string;
}

/** What the command line needs to know of a server. */
export interface ServerSpec<Rows extends readonly OptionRow[] = readonly OptionRow[]> {
  /** `filesystem`: the program is `server-filesystem`, the entry in a client is called `filesystem` */
  readonly name: string;
  /** the npm package that holds it */
  readonly package: string;
  readonly version: string;
  /** one sentence for the head of the help */
  readonly summary: string;
  readonly tools: readonly string[];
  /** names for sets of them, for `--tools` and `--exclude-tools` */
  readonly toolsets?: Readonly<Record<string, readonly string[]>>;
  /** those that are offered unless `--tools` says otherwise: all, unless given */
  readonly defaultTools?: readonly string[];
  /** what a root may be; directories unless said otherwise */
  readonly rootKinds?: 'directories' | 'directories-and-files';
  /** whether it has something to serve without any root */
  readonly rootless?: boolean;
  /** the options that only this server has */
  readonly options?: Rows;
  /** the program that opens paths for it, such as `git`: no handle verifies what that opens */
  readonly opener?: string;
  /** what it puts into the folder for temporary files, if anything */
  readonly temporary?: string;
  /** the server's own lines of `--doctor` */
  readonly checks?: (options: ServeOptions<Rows>) => readonly Check[] | Promise<readonly Check[]>;
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
