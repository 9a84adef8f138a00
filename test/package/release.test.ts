import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const workspaces = [
  'packages/protocol',
  'packages/kit',
  'packages/create-server',
  'packages/create-server/template',
  'packages/sqlite-node20',
  'servers/filesystem',
  'servers/git',
  'servers/sqlite',
  'servers/fetch',
  'test',
  'test/bench',
  'test/interop',
];

let copy: string;

beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), 'rootbound-release-'));
  for (const file of ['package.json', 'pnpm-workspace.yaml', '.changeset/config.json']) {
    cpSync(join(root, file), join(copy, file));
  }
  for (const workspace of workspaces) {
    mkdirSync(join(copy, workspace), { recursive: true });
    cpSync(join(root, workspace, 'package.json'), join(copy, workspace, 'package.json'));
  }
  execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: copy });
});

afterEach(() => rmSync(copy, { recursive: true, force: true }));

test('a change of the protocol alone raises the version of every published package', () => {
  const before = versionOf('servers/filesystem');
  writeFileSync(
    join(copy, '.changeset', 'some-change.md'),
    "---\n'@rootbound/protocol': minor\n---\n\nA change.\n",
  );
  const changesets = join(root, 'node_modules', '@changesets', 'cli', 'bin.js');
  execFileSync(process.execPath, [changesets, 'version'], { cwd: copy, stdio: 'ignore' });
  const after = workspaces
    .filter((workspace) => /^(packages|servers)\/[^/]+$/.test(workspace))
    .map(versionOf);
  expect(new Set(after).size).toBe(1);
  expect(after[0]).not.toBe(before);
});

test('every workspace that is published is in the fixed group', () => {
  const published = [
    ...readdirSync(join(root, 'packages'), { withFileTypes: true }),
    ...readdirSync(join(root, 'servers'), { withFileTypes: true }),
  ];
  const { fixed } = JSON.parse(readFileSync(join(root, '.changeset', 'config.json'), 'utf8')) as {
    fixed: string[][];
  };
  const group = fixed[0]!.map((pattern) => new RegExp(`^${pattern.replace('*', '.*')}$`));
  for (const { name, parentPath } of published) {
    const { name: packageName } = JSON.parse(
      readFileSync(join(parentPath, name, 'package.json'), 'utf8'),
    ) as { name: string };
    expect([packageName, group.some((pattern) => pattern.test(packageName))]).toEqual([packageName, true]);
  }
});

function versionOf(workspace: string): string {
  return (JSON.parse(readFileSync(join(copy, workspace, 'package.json'), 'utf8')) as { version: string })
    .version;
}
