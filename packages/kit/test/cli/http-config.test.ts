import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { CLIENTS, type HttpClientName, renderHttpConfig } from '../../src/cli.ts';

const url = 'http://127.0.0.1:3000/mcp';
const clients = CLIENTS.filter((client) => client !== 'claude-desktop');

function textOf(client: HttpClientName, token = false, server = 'files'): string {
  return renderHttpConfig({ client, server, url, token, platform: 'linux' })[0]!.text;
}

const bearer = (value: string) => ({ headers: { Authorization: `Bearer ${value}` } });

test.each<[HttpClientName, unknown]>([
  ['vscode', { servers: { files: { type: 'http', url } } }],
  ['cursor', { mcpServers: { files: { url } } }],
  ['zed', { context_servers: { files: { url } } }],
  ['windsurf', { mcpServers: { files: { serverUrl: url } } }],
  ['gemini', { mcpServers: { files: { httpUrl: url } } }],
  ['qwen', { mcpServers: { files: { httpUrl: url } } }],
  ['copilot-cli', { mcpServers: { files: { type: 'http', url, tools: ['*'] } } }],
  ['cline', { mcpServers: { files: { type: 'streamableHttp', url, disabled: false } } }],
  [
    'opencode',
    { $schema: 'https://opencode.ai/config.json', mcp: { files: { type: 'remote', url, enabled: true } } },
  ],
])('%s gets the JSON that names an address', (client, value) => {
  expect(JSON.parse(textOf(client))).toEqual(value);
});

test.each<[HttpClientName, unknown]>([
  [
    'vscode',
    {
      inputs: [{ type: 'promptString', id: 'files-token', description: 'Token of files', password: true }],
      servers: { files: { type: 'http', url, ...bearer(`\${input:files-token}`) } },
    },
  ],
  ['cursor', { mcpServers: { files: { url, ...bearer(`\${env:ROOTBOUND_TOKEN}`) } } }],
  ['zed', { context_servers: { files: { url, ...bearer('<token>') } } }],
  ['windsurf', { mcpServers: { files: { serverUrl: url, ...bearer(`\${env:ROOTBOUND_TOKEN}`) } } }],
  ['gemini', { mcpServers: { files: { httpUrl: url, ...bearer(`\${ROOTBOUND_TOKEN}`) } } }],
  ['qwen', { mcpServers: { files: { httpUrl: url, ...bearer(`\${ROOTBOUND_TOKEN}`) } } }],
  [
    'copilot-cli',
    { mcpServers: { files: { type: 'http', url, ...bearer(`\${ROOTBOUND_TOKEN}`), tools: ['*'] } } },
  ],
  [
    'cline',
    { mcpServers: { files: { type: 'streamableHttp', url, ...bearer('<token>'), disabled: false } } },
  ],
  [
    'opencode',
    {
      $schema: 'https://opencode.ai/config.json',
      mcp: {
        files: { type: 'remote', url, oauth: false, ...bearer('{env:ROOTBOUND_TOKEN}'), enabled: true },
      },
    },
  ],
])('%s gets a header with a place for the token, never a token', (client, value) => {
  expect(JSON.parse(textOf(client, true))).toEqual(value);
});

test('codex gets a TOML table, with the name of the variable that holds the token', () => {
  expect(textOf('codex')).toBe(`[mcp_servers.files]\nurl = "${url}"\n`);
  expect(textOf('codex', true)).toBe(
    `[mcp_servers.files]\nurl = "${url}"\nbearer_token_env_var = "ROOTBOUND_TOKEN"\n`,
  );
});

test('continue gets a block file in YAML, with its own form of a secret', () => {
  const plain =
    'name: "files"\nversion: 0.0.1\nschema: v1\nmcpServers:\n' +
    `  - name: "files"\n    type: streamable-http\n    url: "${url}"\n`;
  expect(textOf('continue')).toBe(plain);
  expect(textOf('continue', true)).toBe(
    `${plain}    requestOptions:\n      headers:\n        Authorization: "Bearer \${{ secrets.ROOTBOUND_TOKEN }}"\n`,
  );
});

test('goose gets an extension in YAML, with the name of its secret', () => {
  const head =
    'extensions:\n  "files":\n    enabled: true\n    type: streamable_http\n    name: "files"\n' +
    `    description: ""\n    uri: "${url}"\n`;
  expect(textOf('goose')).toBe(`${head}    timeout: 300\n`);
  expect(textOf('goose', true)).toBe(
    `${head}    env_keys: ["ROOTBOUND_TOKEN"]\n    headers:\n` +
      `      Authorization: "Bearer \${ROOTBOUND_TOKEN}"\n    timeout: 300\n`,
  );
});

test('claude code gets the command to run and the entry of a project', () => {
  const [shell, project] = renderHttpConfig({
    client: 'claude-code',
    server: 'files',
    url,
    token: true,
    platform: 'linux',
  });
  expect(shell!.text).toBe(
    `claude mcp add --transport http files ${url} --header "Authorization: Bearer $ROOTBOUND_TOKEN"\n`,
  );
  expect(JSON.parse(project!.text)).toEqual({
    mcpServers: { files: { type: 'http', url, ...bearer(`\${ROOTBOUND_TOKEN}`) } },
  });
  expect(textOf('claude-code')).toBe(`claude mcp add --transport http files ${url}\n`);
});

test.skipIf(process.platform === 'win32')('a shell puts the token into the header as it is', () => {
  const script = `claude() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${textOf('claude-code', true)}`;
  const env = { ...process.env, ROOTBOUND_TOKEN: 'a b$c"d' };
  const { stdout } = spawnSync('sh', ['-c', script], { encoding: 'utf8', env });
  expect(stdout.split('\0').slice(-3, -1)).toEqual(['--header', 'Authorization: Bearer a b$c"d']);
});

test('the shell of Windows gets its own form of a variable', () => {
  const [shell] = renderHttpConfig({
    client: 'claude-code',
    server: 'files',
    url,
    token: true,
    platform: 'win32',
  });
  expect(shell!.text).toContain('--header "Authorization: Bearer %ROOTBOUND_TOKEN%"\n');
});

test.each(clients)('%s is told where each snippet goes, and each ends in a line end', (client) => {
  for (const snippet of renderHttpConfig({ client, server: 'files', url, token: true })) {
    expect(snippet.place).not.toBe('');
    expect(snippet.text).toMatch(/[^\n]\n$/);
  }
});
