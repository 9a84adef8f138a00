import {
  CLIENT_ROOTS,
  CLIENTS,
  LOG_LEVELS,
  type OptionRow,
  programOf,
  type ServerSpec,
  SHARED_OPTIONS,
} from './options.ts';

const SHARED_HELP: Partial<Record<(typeof SHARED_OPTIONS)[number]['name'], string>> = {
  'read-only': 'offer no tool that writes',
  tools: 'offer only these tools or sets of them; default and all are sets, too',
  'exclude-tools': 'offer all tools but these',
  'client-roots': `what the client's roots do to the ones given here: ${CLIENT_ROOTS.join(', ')}; narrow by default, ignore with --http`,
  'max-output': 'budget of one half of a result, such as 500K or 32M; 100K by default',
  'log-level': `least severity that goes to stderr: ${LOG_LEVELS.join(', ')}; warning by default`,
  'log-json': 'log one JSON object a line',
  'print-config': `print the entry to paste, with --http the one that names the address: ${CLIENTS.join(', ')}`,
  doctor: 'check this machine, the roots and the address of --http, and say what to do',
  json: 'with --doctor: one JSON object instead of lines',
  http: 'serve HTTP at /mcp instead of stdin and stdout, on 127.0.0.1 unless a host is given; port 0 takes a free one',
  sse: 'with --http: also HTTP+SSE of 2024-11-05, at /sse and /messages',
  ws: 'with --http: also WebSocket, at /ws',
  'allow-origin': 'origins of web pages that may use the server, besides those on loopback',
  'allow-host': 'names that the server may be reached by, besides those of loopback',
  'auth-issuer': 'authorization server whose tokens are good; then every request needs one',
  'auth-audience': 'what tokens must be made out for: the address by which clients reach this server',
  'auth-jwks': "the issuer's keys, as a file or URL; by default the issuer is asked where they are",
  'auth-scopes': 'scopes that a token must have',
  'no-auth': 'listen beyond loopback although anyone may come in',
  'session-idle': 'minutes after which an idle HTTP session ends; 30 by default',
  'session-cap': 'most HTTP sessions at once; 1000 by default',
  version: 'print the version',
  help: 'print this',
};

const WIDTH = 100;
const INDENT = 28;

/** Returns the text of `--help`. */
export function renderHelp(spec: ServerSpec): string {
  const rootKinds = spec.rootKinds === 'directories-and-files' ? 'a directory or a file' : 'a directory';
  const lines = [
    `${programOf(spec)} ${spec.version}: ${spec.summary}`,
    '',
    `Usage: ${programOf(spec)} [options] [root ...]`,
    '',
    ...entry('root', `${rootKinds} that the client may use; end it in :ro to keep it from being changed`),
    ...(spec.options ?? []).flatMap((row) => optionEntry(row, row.help ?? '')),
    ...SHARED_OPTIONS.flatMap((row) => optionEntry(row, SHARED_HELP[row.name] ?? '')),
    ...entry('--', 'what follows are roots, whatever they look like'),
    '',
    'Serves the Model Context Protocol on stdin and stdout, or over HTTP with --http.',
    ...toolLines(spec),
  ];
  return `${lines.join('\n')}\n`;
}

function toolLines({ tools, toolsets, defaultTools = tools }: ServerSpec): string[] {
  if (toolsets === undefined) return wrap(`Tools: ${tools.join(', ')}`, WIDTH);
  return Object.entries(toolsets).flatMap(([name, set]) => {
    const offered = set.every((tool) => defaultTools.includes(tool)) ? '' : ' (not offered unless named)';
    return wrap(`Set of tools ${name}${offered}: ${set.join(', ')}`, WIDTH);
  });
}

function optionEntry(row: OptionRow, help: string): string[] {
  const spellings = [...(row.aliases ?? []), `--${row.name}`].join(', ');
  const value = row.kind === 'flag' ? '' : ` ${row.value ?? '<value>'}`;
  return entry(`${spellings}${value}`, help);
}

function entry(head: string, help: string): string[] {
  const [first = '', ...rest] = wrap(help, WIDTH - INDENT);
  const left = `  ${head}`;
  const opening =
    left.length < INDENT ? [`${left.padEnd(INDENT)}${first}`] : [left, `${' '.repeat(INDENT)}${first}`];
  return [...opening, ...rest.map((line) => `${' '.repeat(INDENT)}${line}`)];
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
