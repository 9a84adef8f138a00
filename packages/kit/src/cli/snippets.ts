/** A text to paste. */
export interface ConfigSnippet {
  /** its destination, in words */
  place: string;
  syntax: 'json' | 'toml' | 'yaml' | 'shell';
  /** the exact text, with a line end */
  text: string;
  /** an address that has the client add the same when it is opened */
  link?: string;
}

/** The file in which each client with a single file looks for its entries. */
export const PLACES = {
  'claude-code': '.mcp.json of the project',
  vscode: '.vscode/mcp.json, or the command "MCP: Open User Configuration"',
  cursor: '.cursor/mcp.json of the project, or ~/.cursor/mcp.json',
  zed: 'settings.json (the command "zed: open settings file")',
  windsurf: '~/.codeium/windsurf/mcp_config.json',
  codex: '~/.codex/config.toml',
  gemini: '.gemini/settings.json of the project, or ~/.gemini/settings.json',
  qwen: '.qwen/settings.json of the project, or ~/.qwen/settings.json',
  'copilot-cli': '~/.copilot/mcp-config.json',
  cline: 'cline_mcp_settings.json (MCP Servers, Configure)',
  opencode: 'opencode.json of the project, or ~/.config/opencode/opencode.json',
  goose: '~/.config/goose/config.yaml',
} as const;

/** Returns the entry of one server, as JSON under `mcpServers`. */
export function mcpServers(server: string, place: string, entry: object): ConfigSnippet {
  return json(place, { mcpServers: { [server]: entry } });
}

export function json(place: string, value: object): ConfigSnippet {
  return { place, syntax: 'json', text: `${JSON.stringify(value, undefined, 2)}\n` };
}

export function toml(place: string, lines: readonly string[]): ConfigSnippet {
  return { place, syntax: 'toml', text: `${lines.join('\n')}\n` };
}

export function yaml(place: string, lines: readonly string[]): ConfigSnippet {
  return { place, syntax: 'yaml', text: `${lines.join('\n')}\n` };
}

/** Returns a string that JSON, TOML and YAML read alike. */
export function quoted(text: string): string {
  // JSON allows these unescaped; TOML refuses DEL, YAML the others
  return JSON.stringify(text).replace(/[\p{Cc}\p{Zl}\p{Zp}\ufeff]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

export function flow(items: readonly string[]): string {
  return `[${items.map(quoted).join(', ')}]`;
}

export function bareOrQuoted(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : quoted(key);
}

/** Returns the words of a command quoted for the shell of that machine. */
export function shellWords(words: readonly string[], platform: NodeJS.Platform): string {
  return words.map(platform === 'win32' ? windowsWord : posixWord).join(' ');
}

function posixWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function windowsWord(word: string): string {
  if (/^[\w@+=:,./\\-]+$/.test(word)) return word;
  // backslashes are escapes only before a quote, also the closing one
  return `"${word.replace(/(?<!\\)(\\*)("|$)/g, (_all, slashes: string, quote: string) => slashes + slashes + (quote && '\\"'))}"`;
}
