import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { textsIn } from '../../scripts/texts.mjs';
import { catalog } from '../../servers/git/src/catalog.ts';
import { promptsFor } from '../../servers/git/src/mcp/prompts/prompts.ts';
import { resources } from '../../servers/git/src/mcp/resources/resources.ts';
import { spec } from '../../servers/git/src/spec.ts';
import { root } from './documents.ts';

const program = join(root, 'scripts', 'texts.mjs');

/** Returns the texts of a module as `kind label: text`. */
const linesOf = (code: string, file = 'tools/a.ts'): string[] =>
  textsIn(file, code).map(({ kind, label, text }) => `${kind} ${label}: ${text}`);

test('the list of a server has its tools, arguments, resources, prompts and flags', async () => {
  const list = execFileSync(process.execPath, [program, 'git'], { encoding: 'utf8' });
  const tools = await Promise.all(spec.tools.map(async (name) => catalog.load(name)));
  const descriptions = [
    ...tools.map(({ description }) => description),
    ...resources.map(({ description }) => description ?? ''),
    ...promptsFor(() => true).map(({ description }) => description ?? ''),
    ...spec.options.map(({ help }) => help),
  ];
  expect(descriptions.filter((text) => !list.includes(text))).toEqual([]);
  expect(list.match(/^[a-z]+ \(\d+\)$/gm)).toEqual(
    ['instructions', 'tool', 'argument', 'resource', 'prompt', 'flag', 'failure', 'text'].map((kind) =>
      expect.stringMatching(new RegExp(`^${kind} \\([1-9]\\d*\\)$`)),
    ),
  );
});

test('a description has the name of its tool, and an argument that of its member', () => {
  expect(
    linesOf(`export const add = tool({
      name: 'add',
      description: 'Adds ' + 'numbers.',
      input: z.object({ a: z.number().describe('the first') }),
    });`),
  ).toEqual(['tool add: Adds numbers.', 'argument add a: the first']);
});

test('a failure is a message of an error, with its hint, and without its code and those of programmers', () => {
  const code = `
    throw new ToolError(\`no \${name} here\`, { code: 'not-found', hint: 'name another one' });
    throw new TypeError('a bug of ours');
    throw refused('it is not allowed');`;
  expect(linesOf(code).filter((line) => line.startsWith('failure'))).toEqual([
    'failure : no … here',
    'failure : name another one',
    'failure : it is not allowed',
  ]);
});

test('texts of results are listed, modules and single words are not', () => {
  const code = `import a from './some path.ts';
    export const line = (n) => n === 1 ? 'one line matches' : 'none';
    export const kind = 'file';`;
  expect(linesOf(code)).toEqual(['text : one line matches']);
});

test('without the name of a server it says which argument is missing', () => {
  const { status, stderr } = spawnSync(process.execPath, [program], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([2, expect.stringContaining('npm run texts -- git')]);
});
