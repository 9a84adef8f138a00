import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { modes } from './client.ts';
import { test } from './fixtures.ts';
import { sdks } from './sdk.ts';
import { gitCli } from './servers.ts';
import type { ClientKind, ToolResult } from './session.ts';
import { uriOf, type Workspace } from './workspace.ts';

/** The tool names and arguments of `mcp-server-git`. */
const officialTools = [
  'git_status',
  'git_diff_unstaged',
  'git_diff_staged',
  'git_diff',
  'git_commit',
  'git_add',
  'git_reset',
  'git_log',
  'git_create_branch',
  'git_checkout',
  'git_show',
  'git_branch',
];

/** The environment without user settings for git, in the tests and in the server. */
const nobody = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Ann Example',
  GIT_AUTHOR_EMAIL: 'ann@example.org',
  GIT_COMMITTER_NAME: 'Ann Example',
  GIT_COMMITTER_EMAIL: 'ann@example.org',
};

function git(folder: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync('git', args, {
    cwd: folder,
    env: { PATH: process.env.PATH, ...nobody },
  });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${String(stderr)}`);
  return String(stdout).trim();
}

/** Makes the workspace's root a repository with one commit and an identity in its settings. */
function committed({ root }: Workspace): string {
  git(root, 'init', '-q', '-b', 'main');
  git(root, 'config', 'user.name', 'Ann Example');
  git(root, 'config', 'user.email', 'ann@example.org');
  git(root, 'add', '.');
  git(root, 'commit', '-qm', 'first');
  return root;
}

/** The clients that run every test. */
const thorough = new Set(['SDK 1.32.2', 'client 2.4.0 (pinned)']);

for (const kind of [...sdks, ...Object.values(modes)]) describeGit(kind);

function describeGit(kind: ClientKind): void {
  const { name, revision } = kind;
  const at = `at ${revision}`;

  describe.concurrent(`${name} with the git server ${at}`, () => {
    test(`${name} works as with the official git server ${at}`, async ({ servers, workspace }) => {
      const root = committed(workspace);
      const session = await kind.connect({ servers, program: gitCli, args: ['--repository', root] });
      const listed = (await session.listTools()).tools.map((tool) => tool.name);
      const unlisted = ['git_diff_unstaged', 'git_diff_staged'];
      expect(listed).toEqual(
        expect.arrayContaining(officialTools.filter((tool) => !unlisted.includes(tool))),
      );
      const use = async (tool: string, args: object = {}): Promise<string> => {
        const result = await session.callTool(tool, { repo_path: root, ...args });
        expect([tool, result.isError ?? false, textOf(result)]).toEqual([tool, false, expect.any(String)]);
        return textOf(result);
      };
      writeFileSync(workspace.notes, 'größer\n');
      expect(await use('git_diff_unstaged', { context_lines: 1 })).toContain('+größer');
      await use('git_add', { files: ['notes.txt'] });
      expect(await use('git_diff_staged')).toContain('+größer');
      await use('git_reset');
      expect(await use('git_status')).toContain('.M notes.txt');
      await use('git_add', { files: ['.'] });
      await use('git_commit', { message: 'second' });
      expect(git(root, 'log', '-1', '--format=%an %s')).toBe('Ann Example second');
      expect(await use('git_log', { max_count: 1 })).toContain('second');
      expect(await use('git_show', { revision: 'HEAD' })).toContain('+größer');
      expect(await use('git_diff', { target: 'HEAD~1' })).toContain('+größer');
      await use('git_create_branch', { branch_name: 'topic', base_branch: 'HEAD~1' });
      await use('git_checkout', { branch_name: 'topic' });
      expect(git(root, 'symbolic-ref', 'HEAD')).toBe('refs/heads/topic');
      expect(await use('git_branch', { branch_type: 'local' })).toContain('topic');
      expect(git(root, 'status', '--porcelain')).toBe('');
    });

    // one client per era is enough here: the others are tested with the filesystem server
    if (!thorough.has(name)) return;

    test(`${name} is refused a repository outside ${at}`, async ({ servers, workspace }) => {
      committed(workspace);
      git(workspace.elsewhere, 'init', '-q');
      const session = await kind.connect({ servers, program: gitCli, args: [workspace.root] });
      await session.listTools();
      const result = await session.callTool('git_status', { repo_path: workspace.elsewhere });
      const none = await session.callTool('git_status', { repo_path: join(workspace.base, 'none') });
      expect([result.isError, none.isError]).toEqual([true, true]);
      expect(textOf(result).replace(workspace.elsewhere, '')).toBe(
        textOf(none).replace(join(workspace.base, 'none'), ''),
      );
    });

    test(`${name} reads refs and commits as resources, and is told of a commit, ${at}`, async ({
      servers,
      workspace,
    }) => {
      const root = committed(workspace);
      const own = uriOf(root).replace('file:', 'git:');
      const session = await kind.connect({ servers, program: gitCli, args: [root] });
      const { resources } = await session.listResources();
      expect(resources.map(({ uri }) => uri)).toContain(own);
      const commit = await session.readResource(`${own}?commit=${git(root, 'rev-parse', 'HEAD')}`);
      expect(commit.contents[0]!.text).toContain('first');
      const uri = `${own}?ref=refs/heads/main`;
      const updated = new Promise<string>((resolve) => session.onUpdated(resolve));
      await session.watch(uri);
      git(root, 'commit', '-qm', 'second', '--allow-empty');
      expect(await updated).toBe(uri);
      const { contents } = await session.readResource(uri);
      expect(contents[0]!.text).toContain(git(root, 'rev-parse', 'HEAD'));
    });

    test(`${name} gets a prompt about a branch, whose name it completes, ${at}`, async ({
      servers,
      workspace,
    }) => {
      const root = committed(workspace);
      const session = await kind.connect({ servers, program: gitCli, args: [root] });
      const { prompts } = await session.listPrompts();
      expect(prompts.map((prompt) => prompt.name)).toContain('summarize_branch');
      const { messages } = await session.getPrompt('summarize_branch', { branch: 'main' });
      expect(messages.map(({ content }) => content.text).join('\n')).toContain('first');
      expect(await session.completePrompt('summarize_branch', 'branch', 'ma')).toContain('main');
    });
  });
}

test('the git server serves HTTP to both eras', async ({ workspace }) => {
  const root = committed(workspace);
  const child = spawn(process.execPath, [gitCli, '--http', '0', root], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(child.stderr, 'data')) as [Buffer];
  const url = new URL(/http:\S+/.exec(String(line))![0]);
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  for (const mode of ['legacy', { pin: '2026-07-28' }] as const) {
    const client = new Client({ name: 'interop', version: '1.0.0' }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(url));
    const result = await client.callTool({ name: 'git_log', arguments: { repo_path: root } });
    expect(JSON.stringify(result.content)).toContain('first');
    await client.close();
  }
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

function textOf({ content }: ToolResult): string {
  return content.map(({ text }) => text).join('\n');
}
