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

/** How the value of an option is read; `root` adds its value to the roots. */
export type OptionKind = 'flag' | 'text' | 'list' | 'choice' | 'size' | 'number' | 'path' | 'root';

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
  /** one line of help; the shared rows have theirs in help.ts */
  readonly help?: string;
  /** why this build refuses the option */
  readonly unavailable?: string;
}

/** The type of a value by its kind; one that is not given is false, an empty list or undefined. */
export type OptionValue<Kind extends OptionKind> = Kind extends 'flag'
  ? boolean
  : Kind extends 'list' | 'root'
    ? readonly string[]
    : (Kind extends 'size' | 'number' ? number : string) | undefined;

/** The values of a server's own options by name. */
export type Extras<Rows extends readonly OptionRow[]> = {
  readonly [R in Rows[number] as R['name']]: OptionValue<R['kind']>;
};

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
  /** what a root may be; directories unless said otherwise */
  readonly rootKinds?: 'directories' | 'directories-and-files';
  /** the options that only this server has */
  readonly options?: Rows;
  /** the server's own lines of `--doctor` */
  readonly checks?: (options: ServeOptions<Rows>) => readonly Check[] | Promise<readonly Check[]>;
}

const STDIO_ONLY = 'this build serves stdio only; leave it out';

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
  { name: 'print-config', kind: 'choice', value: '<client>', choices: CLIENTS },
  { name: 'doctor', kind: 'flag' },
  { name: 'version', kind: 'flag', aliases: ['-V'] },
  { name: 'help', kind: 'flag', aliases: ['-h'] },
  { name: 'http', kind: 'text', value: '<[host:]port>', unavailable: STDIO_ONLY },
  { name: 'sse', kind: 'flag', unavailable: STDIO_ONLY },
  { name: 'ws', kind: 'flag', unavailable: STDIO_ONLY },
  { name: 'allow-origin', kind: 'list', value: '<origin>', unavailable: STDIO_ONLY },
  { name: 'allow-host', kind: 'list', value: '<host>', unavailable: STDIO_ONLY },
  { name: 'auth-issuer', kind: 'text', value: '<url>', unavailable: STDIO_ONLY },
  { name: 'auth-audience', kind: 'text', value: '<audience>', unavailable: STDIO_ONLY },
  { name: 'auth-jwks', kind: 'text', value: '<file|url>', unavailable: STDIO_ONLY },
  { name: 'auth-scopes', kind: 'list', value: '<a,b>', unavailable: STDIO_ONLY },
  { name: 'no-auth', kind: 'flag', unavailable: STDIO_ONLY },
  { name: 'session-idle', kind: 'number', value: '<minutes>', unavailable: STDIO_ONLY },
  { name: 'session-cap', kind: 'number', value: '<n>', unavailable: STDIO_ONLY },
] as const satisfies readonly OptionRow[];
