import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { full } from '../extent.ts';
import { Registry } from '../package/npm-registry.ts';
import { pack, packAll } from '../package/packages.ts';
import { type Command, commandsOf, pagesWithCommands } from './commands.ts';
import { root } from './documents.ts';
import { Household } from './household.ts';
import type { Proof } from './proofs.ts';
import { type Elsewhere, type Rule, rules } from './rules.ts';

const commands = pagesWithCommands().flatMap(commandsOf);
const rulesFor = ({ page, line }: Command): Rule[] => rules.filter(({ of }) => of.test(`${page} ${line}`));

/** The commands that are run here: a line that is in several documents once. */
const tried = commands.flatMap((command, at): [string, string, Command, Proof][] => {
  const { proof, full: long } = rulesFor(command)[0] ?? {};
  const first = commands.findIndex(({ line }) => line === command.line);
  if (typeof proof !== 'function' || first !== at || (long && !full)) return [];
  return [[command.page, command.line, command, proof]];
});

const proved = rules.flatMap(({ of, proof }): [string, Elsewhere][] =>
  typeof proof === 'function' ? [] : [[String(of), proof]],
);

describe('the commands of the documents', () => {
  let folder: string;
  let registry: Registry;
  let household: Household;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rootbound-published-'));
    const others = execFileSync('npm', ['config', 'get', 'registry'], { cwd: root, encoding: 'utf8' }).trim();
    registry = new Registry(full ? others : undefined);
    const ours = ['server-*', 'kit', 'protocol', 'create-server'].map((name) => `@rootbound/${name}`);
    const tarballs = [...packAll(ours, join(folder, 'ours')), pack(zodFolder(), join(folder, 'zod'))];
    household = new Household(await registry.open(tarballs));
  });
  afterAll(async () => {
    household.remove();
    await registry.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each(tried)('%s: %s', async (_page, _line, command, proof) => {
    await proof(command, household);
  });
});

test('every command has exactly one rule', () => {
  const ruled = commands.map((command) => [command.page, command.line, rulesFor(command).length]);
  expect(ruled.filter(([, , count]) => count !== 1)).toEqual([]);
});

test('every rule has a command', () => {
  const used = new Set(commands.flatMap(rulesFor));
  expect(rules.filter((rule) => !used.has(rule)).map(({ of }) => String(of))).toEqual([]);
});

test.each(proved)('%s is run by another test, or cannot be run', (_of, { file, holds }) => {
  expect(readFileSync(join(root, file), 'utf8')).toContain(holds);
});

test('a command is found in every kind of block and in a sentence, without the comment after it', () => {
  const text = [
    '```bash\nnpm run one -- \\\n  --wide   # why\n# alone\n```',
    '1. so\n\n   ```sh\n   npx two\n   ```',
    '```console\n$ node three.js\nit says\n```',
    'Then `claude four` and `five`.',
    '```json\n{ "no": "`npm no`" }\n```',
  ].join('\n\n');
  expect(commandsOf({ name: 'README.md', text }).map(({ line, prints }) => [line, prints])).toEqual([
    ['npm run one -- --wide', undefined],
    ['npx two', undefined],
    ['node three.js', 'it says\n'],
    ['claude four', undefined],
  ]);
});

test('an unknown command has no rule', () => {
  const [unknown] = commandsOf({ name: 'README.md', text: '```sh\nnpm run wonders\n```\n' });
  expect(rulesFor(unknown!)).toEqual([]);
});

/** Returns the folder of zod, on which the protocol package depends. */
function zodFolder(): string {
  return dirname(
    createRequire(join(root, 'packages', 'protocol', 'package.json')).resolve('zod/package.json'),
  );
}
