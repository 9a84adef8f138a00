import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type CommandIo, runCommandLine, type ServerSpec } from '../../packages/kit/src/cli.ts';
import { spec as fetch } from '../../servers/fetch/src/spec.ts';
import { spec as filesystem } from '../../servers/filesystem/src/spec.ts';
import { spec as git } from '../../servers/git/src/spec.ts';
import { spec as sqlite } from '../../servers/sqlite/src/spec.ts';
import { document, root } from './documents.ts';

const specs: Record<string, ServerSpec> = { fetch, filesystem, git, sqlite };

/** Returns the entry and the link that a server installed from npm prints for a client. */
async function printed(spec: ServerSpec, client: string): Promise<{ entry: unknown; link: string }> {
  const output = { stdout: '', stderr: '' };
  const io: CommandIo = {
    stdout: (text) => {
      output.stdout += text;
    },
    stderr: (text) => {
      output.stderr += text;
    },
    exitCode: () => {},
    cwd: '/home/ann',
    home: '/home/ann',
    entry: `/home/ann/node_modules/${spec.package}/dist/cli.js`,
    platform: 'linux',
  };
  await runCommandLine(spec, ['--print-config', client], () => expect.fail('it served'), io);
  const { servers, mcpServers } = JSON.parse(output.stdout) as Record<string, Record<string, unknown>>;
  const entries: Record<string, unknown> = servers ?? mcpServers ?? {};
  return { entry: entries[spec.name], link: /^https:\S+$/m.exec(output.stderr)![0] };
}

const decoders: Record<string, (config: string) => string> = {
  vscode: (config) => config,
  cursor: (config) => Buffer.from(config, 'base64').toString('utf8'),
};

describe.each(readdirSync(`${root}/servers`))('the page of the %s server', (server) => {
  const spec = specs[server]!;
  const { text } = document(`servers/${server}/README.md`);

  test.each([
    ['vscode', 'https://vscode.dev/redirect/mcp/install?'],
    ['cursor', 'https://cursor.com/en/install-mcp?'],
  ])('has one link for %s, which holds the entry that the server prints', async (client, address) => {
    const { entry, link } = await printed(spec, client);
    const found = [...text.matchAll(/\]\((https:[^)\s]+)\)/g)].map(([, target]) => target!);
    expect(found.filter((target) => target.startsWith(address))).toEqual([link]);
    const { searchParams } = new URL(link);
    expect(searchParams.get('name')).toBe(spec.name);
    expect(JSON.parse(decoders[client]!(searchParams.get('config')!))).toEqual(entry);
    expect(entry).toMatchObject({ command: 'npx', args: ['-y', spec.package] });
  });
});
