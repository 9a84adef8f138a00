import { parseArgs } from 'node:util';
import { allRevisions, isRevision, type Revision } from '../protocol/revisions.ts';
import { Problem } from './problem.ts';

/** The server to inspect. */
export type Target =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Record<string, string>;
    }
  | { readonly kind: 'http'; readonly url: URL; readonly headers: Record<string, string> };

/** The action to run. */
export type Action =
  | { readonly do: 'list' }
  | { readonly do: 'call'; readonly tool: string }
  | { readonly do: 'read'; readonly uri: string }
  | { readonly do: 'prompt'; readonly name: string }
  | { readonly do: 'complete'; readonly of: string }
  | { readonly do: 'follow'; readonly uris: readonly string[]; readonly count: number | undefined }
  | {
      readonly do: 'check';
      readonly tool: string | undefined;
      readonly strict: boolean;
      readonly quiet: boolean;
    };

export interface InspectOptions {
  readonly target: Target;
  readonly action: Action;
  /** empty for any revision */
  readonly revisions: readonly Revision[];
  /** `name=value`, in this order */
  readonly args: readonly (readonly [name: string, value: string])[];
  /** JSON, `@file` or `-` */
  readonly json: string | undefined;
  readonly roots: readonly string[];
  readonly printJson: boolean;
  readonly wire: boolean;
  /** milliseconds */
  readonly timeout: number;
}

const flags = {
  header: { type: 'string', multiple: true },
  env: { type: 'string', multiple: true },
  revision: { type: 'string', multiple: true },
  call: { type: 'string' },
  read: { type: 'string' },
  prompt: { type: 'string' },
  complete: { type: 'string' },
  arg: { type: 'string', multiple: true },
  args: { type: 'string' },
  subscribe: { type: 'string', multiple: true },
  follow: { type: 'boolean' },
  count: { type: 'string' },
  check: { type: 'boolean' },
  strict: { type: 'boolean' },
  quiet: { type: 'boolean' },
  root: { type: 'string', multiple: true },
  timeout: { type: 'string' },
  json: { type: 'boolean' },
  wire: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

type Values = ReturnType<typeof parse>['values'];

/** Default timeouts in seconds. Some servers do not respond to invalid messages, for which a check has to wait. */
const DEFAULT_TIMEOUT_S = { check: '10', other: '30' };

/** Returns the options of a command line, or `help`; throws Problem. */
export function readOptions(argv: readonly string[]): InspectOptions | 'help' {
  const { values, positionals } = parse(argv);
  if (values.help === true) return 'help';
  const { arg = [], root = [] } = values;
  const action = actionOf(values);
  const usual = action.do === 'check' ? DEFAULT_TIMEOUT_S.check : DEFAULT_TIMEOUT_S.other;
  const revisions = (values.revision ?? []).map(readRevision);
  if (revisions.length > 1 && action.do !== 'check')
    throw new Problem('--revision may be repeated only with --check');
  return {
    target: targetOf(positionals, values),
    action,
    revisions,
    args: arg.map((text) => pairOf('--arg', text, '=')),
    json: values.args,
    roots: root,
    printJson: values.json === true,
    wire: values.wire === true,
    timeout: wholeNumber('--timeout', values.timeout ?? usual) * 1000,
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: flags, allowPositionals: true });
  } catch (error) {
    const [line = ''] = (error as Error).message.split(/\. |\n/); // parseArgs throws errors
    throw new Problem(`${line}; put -- before the command of the server, or run --help`);
  }
}

function targetOf(positionals: readonly string[], { header = [], env = [] }: Values): Target {
  const [first, ...rest] = positionals;
  if (first === undefined) throw new Problem('name a command or a URL after --');
  if (/^https?:\/\//i.test(first)) {
    if (rest.length > 0) throw new Problem(`a URL has no arguments; remove ${rest.join(' ')}`);
    if (env.length > 0) throw new Problem('--env is for commands; use --header with a URL');
    if (!URL.canParse(first)) throw new Problem(`${first} is not a URL`);
    const headers = Object.fromEntries(header.map((text) => pairOf('--header', text, ':')));
    return { kind: 'http', url: new URL(first), headers };
  }
  if (header.length > 0) throw new Problem('--header is for URLs; use --env with a command');
  const variables = Object.fromEntries(env.map((text) => pairOf('--env', text, '=')));
  return { kind: 'stdio', command: first, args: rest, env: variables };
}

function actionOf(values: Values): Action {
  const { call, read, prompt, complete, subscribe = [], follow, check, count, strict, quiet } = values;
  if (check === true) {
    if ([read, prompt, complete].some((one) => one !== undefined) || follow === true || subscribe.length > 0)
      throw new Problem('--check may be combined only with --call');
    return { do: 'check', tool: call, strict: strict === true, quiet: quiet === true };
  }
  if (strict === true || quiet === true) throw new Problem('--strict and --quiet are for --check');
  const wanted: Action[] = [
    ...(call === undefined ? [] : [{ do: 'call', tool: call } as const]),
    ...(read === undefined ? [] : [{ do: 'read', uri: read } as const]),
    ...(prompt === undefined ? [] : [{ do: 'prompt', name: prompt } as const]),
    ...(complete === undefined ? [] : [{ do: 'complete', of: complete } as const]),
    ...(follow === true || subscribe.length > 0
      ? [
          {
            do: 'follow',
            uris: subscribe,
            count: count === undefined ? undefined : wholeNumber('--count', count),
          } as const,
        ]
      : []),
  ];
  if (wanted.length > 1)
    throw new Problem('give only one of --call, --read, --prompt, --complete and --subscribe');
  const [action = { do: 'list' }] = wanted;
  if (count !== undefined && action.do !== 'follow')
    throw new Problem('--count is for --subscribe and --follow');
  return action;
}

function readRevision(text: string): Revision {
  if (isRevision(text)) return text;
  throw new Problem(`--revision must be one of ${allRevisions.join(', ')}, got ${text}`);
}

function wholeNumber(flag: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new Problem(`${flag} must be an integer of at least 1, got ${text}`);
}

function pairOf(flag: string, text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  if (at <= 0) throw new Problem(`${flag} must be name${separator}value, got ${text}`);
  return [text.slice(0, at).trim(), separator === ':' ? text.slice(at + 1).trim() : text.slice(at + 1)];
}
