import type { ClientName } from './options.ts';

export interface ClientConfigRequest {
  client: ClientName;
  /** the name of the entry */
  server: string;
  command: string;
  args: readonly string[];
  /** whose shell reads a command; this machine's unless told otherwise */
  platform?: NodeJS.Platform;
}

/** One thing to paste. */
export interface ConfigSnippet {
  /** where it goes, in words */
  place: string;
  syntax: 'json' | 'toml' | 'yaml' | 'shell';
  /** exactly what to paste, with a line end */
  text: string;
}

type Entry = Required<ClientConfigRequest>;

/** What to paste into a client so that it starts this server; the first snippet is the usual way. */
export function renderClientConfig(request: ClientConfigRequest): readonly ConfigSnippet[] {
  return RENDERERS[request.client]({ ...request, platform: request.platform ?? process.platform });
}

const RENDERERS: Record<ClientName, (entry: Entry) => readonly ConfigSnippet[]> = {
  'claude-desktop': (entry) => [
    mcpServers(entry, 'claude_desktop_config.json (Settings, Developer, Edit Config)', stdio),
  ],
  'claude-code': (entry) => [
    {
      place: 'run in a terminal',
      syntax: 'shell',
      text: `claude mcp add ${entry.server} -- ${shellWords(entry)}\n`,
    },
    mcpServers(entry, '.mcp.json of the project', typedStdio),
  ],
  vscode: (entry) => [
    json('.vscode/mcp.json, or the command "MCP: Open User Configuration"', {
      servers: { [entry.server]: typedStdio(entry) },
    }),
  ],
  cursor: (entry) => [mcpServers(entry, '.cursor/mcp.json of the project, or ~/.cursor/mcp.json', stdio)],
  zed: (entry) => [
    json('settings.json (the command "zed: open settings file")', {
      context_servers: { [entry.server]: { source: 'custom', ...stdio(entry), env: {} } },
    }),
  ],
  windsurf: (entry) => [mcpServers(entry, '~/.codeium/windsurf/mcp_config.json', stdio)],
  codex: (entry) => [
    {
      place: '~/.codex/config.toml',
      syntax: 'toml',
      text: `[mcp_servers.${bareOrQuoted(entry.server)}]\ncommand = ${quoted(entry.command)}\nargs = ${flow(entry.args)}\n`,
    },
  ],
  gemini: (entry) => [
    mcpServers(entry, '.gemini/settings.json of the project, or ~/.gemini/settings.json', stdio),
  ],
  qwen: (entry) => [mcpServers(entry, '.qwen/settings.json of the project, or ~/.qwen/settings.json', stdio)],
  'copilot-cli': (entry) => [
    mcpServers(entry, '~/.copilot/mcp-config.json', (one) => ({
      type: 'local',
      ...stdio(one),
      tools: ['*'],
    })),
  ],
  cline: (entry) => [
    mcpServers(entry, 'cline_mcp_settings.json (MCP Servers, Configure)', (one) => ({
      ...stdio(one),
      disabled: false,
    })),
  ],
  opencode: (entry) => [
    json('opencode.json of the project, or ~/.config/opencode/opencode.json', {
      $schema: 'https://opencode.ai/config.json',
      mcp: { [entry.server]: { type: 'local', command: [entry.command, ...entry.args], enabled: true } },
    }),
  ],
  continue: (entry) => [
    {
      place: `.continue/mcpServers/${entry.server}.yaml of the project`,
      syntax: 'yaml',
      text: [
        `name: ${quoted(entry.server)}`,
        'version: 0.0.1',
        'schema: v1',
        'mcpServers:',
        `  - name: ${quoted(entry.server)}`,
        '    type: stdio',
        `    command: ${quoted(entry.command)}`,
        `    args: ${flow(entry.args)}`,
        '',
      ].join('\n'),
    },
  ],
  goose: (entry) => [
    {
      place: '~/.config/goose/config.yaml',
      syntax: 'yaml',
      text: [
        'extensions:',
        `  ${quoted(entry.server)}:`,
        '    enabled: true',
        '    type: stdio',
        `    name: ${quoted(entry.server)}`,
        '    description: ""',
        `    cmd: ${quoted(entry.command)}`,
        `    args: ${flow(entry.args)}`,
        '    envs: {}',
        '    timeout: 300',
        '',
      ].join('\n'),
    },
  ],
};

function stdio(entry: Entry): { command: string; args: readonly string[] } {
  return { command: entry.command, args: entry.args };
}

function typedStdio(entry: Entry): object {
  return { type: 'stdio', ...stdio(entry) };
}

function mcpServers(entry: Entry, place: string, shape: (entry: Entry) => object): ConfigSnippet {
  return json(place, { mcpServers: { [entry.server]: shape(entry) } });
}

function json(place: string, value: object): ConfigSnippet {
  return { place, syntax: 'json', text: `${JSON.stringify(value, undefined, 2)}\n` };
}

/** A string that JSON, TOML and YAML read alike. */
function quoted(text: string): string {
  // JSON allows these raw; TOML refuses DEL, YAML the others
  return JSON.stringify(text).replace(/[\p{Cc}\p{Zl}\p{Zp}\ufeff]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

function flow(items: readonly string[]): string {
  return `[${items.map(quoted).join(', ')}]`;
}

function bareOrQuoted(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : quoted(key);
}

function shellWords({ command, args, platform }: Entry): string {
  return [command, ...args].map(platform === 'win32' ? windowsWord : posixWord).join(' ');
}

function posixWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function windowsWord(word: string): string {
  if (/^[\w@+=:,./\\-]+$/.test(word)) return word;
  // backslashes count as escapes only where a quote follows, also the closing one
  return `"${word.replace(/(\\*)("|$)/g, (_all, slashes: string, quote: string) => slashes + slashes + (quote && '\\"'))}"`;
}
