import { expect, test } from 'vitest';
import { renderClientConfig } from '../../src/cli.ts';

const request = {
  server: 'my files',
  command: 'npx',
  args: ['-y', '@rootbound/server-files', '/data & more', '/日本'],
  platform: 'linux',
} as const;

test('the link for VS Code holds what its file would, below the name', () => {
  const { link, text } = renderClientConfig({ client: 'vscode', ...request })[0]!;
  const url = new URL(link!);
  expect([url.origin, url.pathname]).toEqual(['https://vscode.dev', '/redirect/mcp/install']);
  expect(url.searchParams.get('name')).toBe('my files');
  expect(JSON.parse(url.searchParams.get('config')!)).toEqual(JSON.parse(text).servers['my files']);
});

test('the link for Cursor holds what its file would, below the name', () => {
  const { link, text } = renderClientConfig({ client: 'cursor', ...request })[0]!;
  const url = new URL(link!);
  expect([url.origin, url.pathname]).toEqual(['https://cursor.com', '/en/install-mcp']);
  expect(url.searchParams.get('name')).toBe('my files');
  const config = Buffer.from(url.searchParams.get('config')!, 'base64').toString('utf8');
  expect(JSON.parse(config)).toEqual(JSON.parse(text).mcpServers['my files']);
});

test('the other clients have no link', () => {
  for (const client of ['claude-desktop', 'zed', 'codex'] as const)
    expect(renderClientConfig({ client, ...request })[0]!.link).toBeUndefined();
});
