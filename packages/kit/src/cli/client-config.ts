import { renderInstallLink } from './install-link.ts';
import type { ClientName } from './options.ts';
import {
  bareOrQuoted,
  type ConfigSnippet,
  flow,
  json,
  mcpServers,
  PLACES,
  quoted,
  shellWords,
  toml,
  yaml,
} from './snippets.ts';

export interface ClientConfigRequest {
  client: ClientName;
  /** the name of the entry */
  server: string;
  command: string;
  args: readonly string[];
  /** the platform whose shell reads a command; this machine's unless given */
  platform?: NodeJS.Platform;
}

type Entry = Required<ClientConfigRequest>;

/** Returns the text to paste into a client so that it starts this server; the first snippet is the usual way. */
export function renderClientConfig(request: ClientConfigRequest): readonly ConfigSnippet[] {
  return RENDERERS[request.client]({ ...request, platform: request.platform ?? process.platform });
}

const RENDERERS: Record<ClientName, (entry: Entry) => readonly ConfigSnippet[]> = {
  'claude-desktop': (entry) => [
    mcpServers(
      entry.server,
      'claude_desktop_config.json (Settings, Developer, Edit Config)',
      commandForm(entry),
    ),
  ],
  'claude-code': (entry) => [
    {
      place: 'run in a terminal',
      syntax: 'shell',
      text: `claude mcp add ${entry.server} -- ${shellWords([entry.command, ...entry.args], entry.platform)}\n`,
    },
    mcpServers(entry.server, PLACES['claude-code'], typedForm(entry)),
  ],
  vscode: (entry) => [
    {
      ...json(PLACES.vscode, { servers: { [entry.server]: typedForm(entry) } }),
      link: renderInstallLink({ client: 'vscode', server: entry.server, entry: typedForm(entry) }),
    },
  ],
  cursor: (entry) => [
    {
      ...mcpServers(entry.server, PLACES.cursor, commandForm(entry)),
      link: renderInstallLink({ client: 'cursor', server: entry.server, entry: commandForm(entry) }),
    },
  ],
  zed: (entry) => [
    json(PLACES.zed, {
      context_servers: { [entry.server]: { source: 'custom', ...commandForm(entry), env: {} } },
    }),
  ],
  windsurf: (entry) => [mcpServers(entry.server, PLACES.windsurf, commandForm(entry))],
  codex: (entry) => [
    toml(PLACES.codex, [
      `[mcp_servers.${bareOrQuoted(entry.server)}]`,
      `command = ${quoted(entry.command)}`,
      `args = ${flow(entry.args)}`,
    ]),
  ],
  gemini: (entry) => [mcpServers(entry.server, PLACES.gemini, commandForm(entry))],
  qwen: (entry) => [mcpServers(entry.server, PLACES.qwen, commandForm(entry))],
  'copilot-cli': (entry) => [
    mcpServers(entry.server, PLACES['copilot-cli'], { type: 'local', ...commandForm(entry), tools: ['*'] }),
  ],
  cline: (entry) => [mcpServers(entry.server, PLACES.cline, { ...commandForm(entry), disabled: false })],
  opencode: (entry) => [
    json(PLACES.opencode, {
      $schema: 'https://opencode.ai/config.json',
      mcp: { [entry.server]: { type: 'local', command: [entry.command, ...entry.args], enabled: true } },
    }),
  ],
  continue: (entry) => [
    yaml(`.continue/mcpServers/${entry.server}.yaml of the project`, [
      `name: ${quoted(entry.server)}`,
      'version: 0.0.1',
      'schema: v1',
      'mcpServers:',
      `  - name: ${quoted(entry.server)}`,
      '    type: stdio',
      `    command: ${quoted(entry.command)}`,
      `    args: ${flow(entry.args)}`,
    ]),
  ],
  goose: (entry) => [
    yaml(PLACES.goose, [
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
    ]),
  ],
};

function commandForm(entry: Entry): { command: string; args: readonly string[] } {
  return { command: entry.command, args: entry.args };
}

function typedForm(entry: Entry): object {
  return { type: 'stdio', ...commandForm(entry) };
}
