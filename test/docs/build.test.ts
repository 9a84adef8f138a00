import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { childProcess, connect } from '@rootbound/protocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readFiles, writeFiles } from '../../packages/create-server/src/files.ts';
import { filesOfFork } from '../../packages/create-server/src/fork.ts';
import { blocksOf, document, root } from './documents.ts';

const page = document('docs/build.md');
const template = join(root, 'packages', 'create-server', 'template');
const blocks = blocksOf(page).map(({ info, ...block }) => {
  const [, kind, file] = /^(from|file)=(\S+)$/.exec(info) ?? [];
  return { ...block, kind, file: file ?? '' };
});

/** Returns the lines of a text that say something, without their indentation, which a piece may lack. */
const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

describe('the walk through the template', () => {
  const pieces = new Map<string, string[]>();
  for (const { kind, file, text } of blocks)
    if (kind === 'from') pieces.set(file, [...(pieces.get(file) ?? []), text]);
  const sources = readdirSync(join(template, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(template.length + 1));

  test.each(sources)('its pieces of %s are the file', (file) => {
    const given = (pieces.get(file) ?? []).flatMap(linesOf);
    expect(given).toEqual(linesOf(readFileSync(join(template, file), 'utf8')));
  });

  test('its other pieces are parts of their files', () => {
    const others = [...pieces].filter(([file]) => !sources.includes(file));
    expect(others.map(([file]) => file)).toEqual(['test/server.test.ts']);
    for (const [file, parts] of others)
      for (const text of parts)
        expect(linesOf(readFileSync(join(template, file), 'utf8')).join('\n')).toContain(
          linesOf(text).join('\n'),
        );
  });
});

describe('the page about one more tool', () => {
  const fork = mkdtempSync(join(tmpdir(), 'rootbound-fork-'));
  beforeAll(() => {
    const wish = { name: '@me/files', description: undefined, transport: 'stdio' } as const;
    writeFiles(fork, filesOfFork(root, 'filesystem', readFiles(template), wish));
    linkDependencies(fork);
    for (const { language, kind, file, text } of blocks) {
      if (kind !== 'file' || language === 'js') continue;
      const path = join(fork, file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, language === 'diff' ? patched(readFileSync(path, 'utf8'), text) : text);
    }
  });
  afterAll(() => rmSync(fork, { recursive: true, force: true }));

  test('leaves a fork that is typed and built, and its tests of the tools succeed', {
    timeout: 600_000,
  }, () => {
    expect(run(fork, 'npm', 'run', '--silent', 'pretest')).toEqual({ status: 0, output: '' });
    const tests = ['test/reading/count-words.test.ts', 'test/start/catalog.test.ts'];
    const { status, output } = run(fork, 'npx', 'vitest', 'run', ...tests, 'test/policy/selection.test.ts');
    expect(status, output).toBe(0);
  });

  test('makes a tool that the built program lists and runs as the page says', {
    timeout: 600_000,
  }, async () => {
    const folder = join(fork, 'served');
    mkdirSync(folder);
    writeFileSync(join(folder, 'poem.txt'), 'one two\nthree');
    const args = [join(fork, 'dist', 'cli.js'), folder];
    const client = await connect(childProcess({ command: process.execPath, args }), {
      name: 'test',
      version: '1.0.0',
    });
    try {
      expect((await client.listTools()).map(({ name }) => name)).toContain('count_words');
      const { content } = await client.callTool('count_words', { path: 'poem.txt' });
      const answers = blocks.filter(({ language }) => language === 'text').map(({ text }) => text.trim());
      expect(content).toEqual([{ type: 'text', text: answers[0] }]);
    } finally {
      await client.close();
    }
  });

  test('leaves a fork whose npm test fails on a type error', { timeout: 600_000 }, () => {
    writeFileSync(join(fork, 'src', 'wrong.ts'), 'export const wrong: number = "text";\n');
    const { status, output } = run(fork, 'npm', 'test');
    expect([status === 0, output]).toEqual([false, expect.stringContaining('src/wrong.ts')]);
  });
});

/** Gives a fork the packages that npm would install, from this workspace. */
function linkDependencies(fork: string): void {
  const modules = join(fork, 'node_modules');
  mkdirSync(modules);
  const own = join(root, 'servers', 'filesystem', 'node_modules');
  for (const name of readdirSync(own).filter((each) => !each.startsWith('.')))
    symlinkSync(join(own, name), join(modules, name));
  for (const name of ['.bin', '@types', 'typescript', 'vitest'])
    if (!readdirSync(modules).includes(name))
      symlinkSync(join(root, 'node_modules', name), join(modules, name));
}

/** Returns a text with one hunk of a page applied, whose context must occur in it once. */
function patched(text: string, hunk: string): string {
  const lines = hunk.trimEnd().split('\n');
  const without = (sign: string): string =>
    lines.flatMap((line) => (line.startsWith(sign) ? [] : [`${line.slice(1)}\n`])).join('');
  const parts = text.split(without('+'));
  if (parts.length !== 2) throw new Error(`${parts.length - 1} places for ${hunk}`);
  return parts.join(without('-'));
}

function run(cwd: string, command: string, ...args: string[]): { status: number | null; output: string } {
  // variables of this vitest would reach the one of the fork
  const { VITEST: _, NODE_PATH: _path, NODE_OPTIONS: _options, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}
