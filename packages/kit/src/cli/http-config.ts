import type { ClientName } from './options.ts';
import {
  bareOrQuoted,
  type ConfigSnippet,
  json,
  mcpServers,
  PLACES,
  quoted,
  shellWords,
  toml,
  yaml,
} from './snippets.ts';

export interface HttpConfigRequest {
  client: HttpClientName;
  /** the name of the entry */
  server: string;
  /** the server's address, such as `http://127.0.0.1:3000/mcp` */
  url: string;
  /** whether every request needs a token */
  token: boolean;
  /** the platform whose shell reads a command; this machine's unless given */
  platform?: NodeJS.Platform;
}

/**
 * The clients whose configuration can name the address of a server: the file of Claude Desktop only starts programs.
 */
export type HttpClientName = Exclude<ClientName, 'claude-desktop'>;

/** The environment variable from which an entry takes the token, where the client reads one. */
export const TOKEN_VARIABLE = 'ROOTBOUND_TOKEN';
/** The placeholder for the token where the client reads it from its file alone. */
const TOKEN_HERE = '<token>';

type Entry = Required<HttpConfigRequest>;

/**
 * Returns the text to paste into a client so that it connects to a running server; the first snippet is the usual way.
 */
export function renderHttpConfig(request: HttpConfigRequest): readonly ConfigSnippet[] {
  return RENDERERS[request.client]({ ...request, platform: request.platform ?? process.platform });
}

// read on 2026-11-23; each line names the page of the client
const RENDERERS: Record<HttpClientName, (entry: Entry) => readonly ConfigSnippet[]> = {
  // code.claude.com/docs/en/mcp
  'claude-code': (entry) => [
    {
      place: entry.token ? `run in a terminal where ${TOKEN_VARIABLE} holds the token` : 'run in a terminal',
      syntax: 'shell',
      text: `claude mcp add --transport http ${shellWords([entry.server, entry.url], entry.platform)}${shellHeader(entry)}\n`,
    },
    mcpServers(entry.server, PLACES['claude-code'], {
      type: 'http',
      url: entry.url,
      ...bearer(entry, `\${${TOKEN_VARIABLE}}`),
    }),
  ],
  // code.visualstudio.com/docs/agents/reference/mcp-configuration
  vscode: (entry) => {
    const id = `${entry.server}-token`;
    const inputs = [{ type: 'promptString', id, description: `Token of ${entry.server}`, password: true }];
    return [
      json(PLACES.vscode, {
        ...(entry.token ? { inputs } : {}),
        servers: {
          [entry.server]: { type: 'http', url: entry.url, ...bearer(entry, `\${input:${id}}`) },
        },
      }),
    ];
  },
  // cursor.com/docs/mcp
  cursor: (entry) => [
    mcpServers(entry.server, PLACES.cursor, {
      url: entry.url,
      ...bearer(entry, `\${env:${TOKEN_VARIABLE}}`),
    }),
  ],
  // zed.dev/docs/ai/mcp
  zed: (entry) => [
    json(PLACES.zed, {
      context_servers: { [entry.server]: { url: entry.url, ...bearer(entry, TOKEN_HERE) } },
    }),
  ],
  // docs.windsurf.com/windsurf/cascade/mcp
  windsurf: (entry) => [
    mcpServers(entry.server, PLACES.windsurf, {
      serverUrl: entry.url,
      ...bearer(entry, `\${env:${TOKEN_VARIABLE}}`),
    }),
  ],
  // developers.openai.com/codex/mcp
  codex: (entry) => [
    toml(PLACES.codex, [
      `[mcp_servers.${bareOrQuoted(entry.server)}]`,
      `url = ${quoted(entry.url)}`,
      ...(entry.token ? [`bearer_token_env_var = ${quoted(TOKEN_VARIABLE)}`] : []),
    ]),
  ],
  // geminicli.com/docs/tools/mcp-server: its `url` means HTTP+SSE
  gemini: (entry) => [mcpServers(entry.server, PLACES.gemini, httpUrl(entry))],
  // qwenlm.github.io/qwen-code-docs/en/users/features/mcp
  qwen: (entry) => [mcpServers(entry.server, PLACES.qwen, httpUrl(entry))],
  // docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/add-mcp-servers
  'copilot-cli': (entry) => [
    mcpServers(entry.server, PLACES['copilot-cli'], {
      type: 'http',
      url: entry.url,
      ...bearer(entry, `\${${TOKEN_VARIABLE}}`),
      tools: ['*'],
    }),
  ],
  // docs.cline.bot/mcp/connecting-to-a-remote-server
  cline: (entry) => [
    mcpServers(entry.server, PLACES.cline, {
      type: 'streamableHttp',
      url: entry.url,
      ...bearer(entry, TOKEN_HERE),
      disabled: false,
    }),
  ],
  // opencode.ai/v1/docs/mcp-servers
  opencode: (entry) => [
    json(PLACES.opencode, {
      $schema: 'https://opencode.ai/config.json',
      mcp: {
        [entry.server]: {
          type: 'remote',
          url: entry.url,
          ...(entry.token ? { oauth: false } : {}),
          ...bearer(entry, `{env:${TOKEN_VARIABLE}}`),
          enabled: true,
        },
      },
    }),
  ],
  // docs.continue.dev/customize/deep-dives/mcp
  continue: (entry) => [
    yaml(`.continue/mcpServers/${entry.server}.yaml of the project`, [
      `name: ${quoted(entry.server)}`,
      'version: 0.0.1',
      'schema: v1',
      'mcpServers:',
      `  - name: ${quoted(entry.server)}`,
      '    type: streamable-http',
      `    url: ${quoted(entry.url)}`,
      ...(entry.token
        ? [
            '    requestOptions:',
            '      headers:',
            `        Authorization: ${quoted(`Bearer \${{ secrets.${TOKEN_VARIABLE} }}`)}`,
          ]
        : []),
    ]),
  ],
  // goose-docs.ai/docs/guides/config-files
  goose: (entry) => [
    yaml(PLACES.goose, [
      'extensions:',
      `  ${quoted(entry.server)}:`,
      '    enabled: true',
      '    type: streamable_http',
      `    name: ${quoted(entry.server)}`,
      '    description: ""',
      `    uri: ${quoted(entry.url)}`,
      ...(entry.token
        ? [
            `    env_keys: [${quoted(TOKEN_VARIABLE)}]`,
            '    headers:',
            `      Authorization: ${quoted(`Bearer \${${TOKEN_VARIABLE}}`)}`,
          ]
        : []),
      '    timeout: 300',
    ]),
  ],
};

function httpUrl(entry: Entry): object {
  return { httpUrl: entry.url, ...bearer(entry, `\${${TOKEN_VARIABLE}}`) };
}

/** Returns the header for a server that requires a token, with the text that the client replaces by it. */
function bearer({ token }: Entry, value: string): object {
  return token ? { headers: { Authorization: `Bearer ${value}` } } : {};
}

/** Returns the same as words for a shell that inserts the token itself. */
function shellHeader({ token, platform }: Entry): string {
  const variable = platform === 'win32' ? `%${TOKEN_VARIABLE}%` : `$${TOKEN_VARIABLE}`;
  return token ? ` --header "Authorization: Bearer ${variable}"` : '';
}
