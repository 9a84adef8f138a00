import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { CLIENTS, type ClientName, renderClientConfig } from '../../src/cli.ts';

const command = 'node';
const args = ['/opt/server/cli.js', '/data'];
const stdio = { command, args };

function textOf(client: ClientName, given: readonly string[] = args): string {
  return renderClientConfig({ client, server: 'files', command, args: given, platform: 'linux' })[0]!.text;
}

test.each<[ClientName, unknown]>([
  ['claude-desktop', { mcpServers: { files: stdio } }],
  ['vscode', { servers: { files: { type: 'stdio', ...stdio } } }],
  ['cursor', { mcpServers: { files: stdio } }],
  ['zed', { context_servers: { files: { source: 'custom', ...stdio, env: {} } } }],
  ['windsurf', { mcpServers: { files: stdio } }],
  ['gemini', { mcpServers: { files: stdio } }],
  ['qwen', { mcpServers: { files: stdio } }],
  ['copilot-cli', { mcpServers: { files: { type: 'local', ...stdio, tools: ['*'] } } }],
  ['cline', { mcpServers: { files: { ...stdio, disabled: false } } }],
  [
    'opencode',
    {
      $schema: 'https://opencode.ai/config.json',
      mcp: { files: { type: 'local', command: [command, ...args], enabled: true } },
    },
  ],
])('%s gets the JSON that it reads', (client, value) => {
  expect(JSON.parse(textOf(client))).toEqual(value);
});

test('codex gets a TOML table', () => {
  expect(textOf('codex')).toBe(
    '[mcp_servers.files]\ncommand = "node"\nargs = ["/opt/server/cli.js", "/data"]\n',
  );
});

test('continue gets a block file in YAML', () => {
  expect(textOf('continue')).toBe(
    'name: "files"\nversion: 0.0.1\nschema: v1\nmcpServers:\n' +
      '  - name: "files"\n    type: stdio\n    command: "node"\n    args: ["/opt/server/cli.js", "/data"]\n',
  );
});

test('goose gets an extension in YAML', () => {
  expect(textOf('goose')).toBe(
    'extensions:\n  "files":\n    enabled: true\n    type: stdio\n    name: "files"\n    description: ""\n' +
      '    cmd: "node"\n    args: ["/opt/server/cli.js", "/data"]\n    envs: {}\n    timeout: 300\n',
  );
});

test('claude code gets the command to run and the entry of a project', () => {
  const [shell, project] = renderClientConfig({
    client: 'claude-code',
    server: 'files',
    ...stdio,
    platform: 'linux',
  });
  expect(shell!.text).toBe('claude mcp add files -- node /opt/server/cli.js /data\n');
  expect(JSON.parse(project!.text)).toEqual({ mcpServers: { files: { type: 'stdio', ...stdio } } });
});

const awkward = [
  '/my files',
  "/it's",
  '/"quoted"',
  '/$HOME `id` \\',
  '/new\nline',
  '/tab\t\u007f',
  '/日本 😀',
  '',
  '*',
  '~',
];

test.skipIf(process.platform === 'win32')('a shell hands awkward paths on as they are', () => {
  const script = `claude() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${textOf('claude-code', awkward)}`;
  const { stdout } = spawnSync('sh', ['-c', script], { encoding: 'utf8' });
  expect(stdout.split('\0').slice(0, -1)).toEqual(['mcp', 'add', 'files', '--', 'node', ...awkward]);
});

test('on Windows awkward words stand in double quotes that end where they should', () => {
  const given = ['C:\\plain\\cli.js', 'C:\\my files\\', 'a"b'];
  const [shell] = renderClientConfig({
    client: 'claude-code',
    server: 'files',
    command,
    args: given,
    platform: 'win32',
  });
  expect(shell!.text).toBe('claude mcp add files -- node C:\\plain\\cli.js "C:\\my files\\\\" "a\\"b"\n');
});

test.each<[ClientName, RegExp]>([
  ['codex', /^args = (.*)$/m],
  ['continue', /^ {4}args: (.*)$/m],
  ['goose', /^ {4}args: (.*)$/m],
])('%s reads awkward paths as they are', (client, line) => {
  const list = line.exec(textOf(client, awkward))![1]!;
  expect(JSON.parse(list)).toEqual(awkward);
  // TOML and YAML take these only escaped
  expect(list).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
});

test.each(CLIENTS)('%s is told where each snippet goes, and each ends in a line end', (client) => {
  for (const snippet of renderClientConfig({ client, server: 'files', ...stdio })) {
    expect(snippet.place).not.toBe('');
    expect(snippet.text).toMatch(/[^\n]\n$/);
  }
});
