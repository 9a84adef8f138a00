import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { full } from '../extent.ts';
import { Registry } from '../package/npm-registry.ts';
import { pack, packAll } from '../package/packages.ts';
import { type Command, commandsOf, readmes } from './commands.ts';
import { root } from './documents.ts';
import { Household } from './household.ts';
import type { Proof } from './proofs.ts';
import { type Elsewhere, type Rule, rules } from './rules.ts';

const commands = readmes().flatMap(commandsOf);
const rulesFor = ({ readme, line }: Command): Rule[] =>
  rules.filter(({ of }) => of.test(`${readme} ${line}`));

/** The commands that are tried in this run: the same line in several readmes once, unless they mean different folders. */
const tried = commands.flatMap((command, at): [string, string, Command, Proof][] => {
  const { proof, full: long } = rulesFor(command)[0] ?? {};
  const first = commands.findIndex(({ line }) => line === command.line);
  if (typeof proof !== 'function' || first !== at || (long && !full)) return [];
  return [[command.readme, command.line, command, proof]];
});

const proved = rules.flatMap(({ of, proof }): [string, Elsewhere][] =>
  typeof proof === 'function' ? [] : [[String(of), proof]],
);

describe('the commands of the readmes', () => {
  let place: string;
  let registry: Registry;
  let household: Household;
  beforeAll(async () => {
    place = mkdtempSync(join(tmpdir(), 'rootbound-published-'));
    const others = execFileSync('npm', ['config', 'get', 'registry'], { cwd: root, encoding: 'utf8' }).trim();
    registry = new Registry(full ? others : undefined);
    const ours = ['server-*', 'protocol', 'create-server'].map((name) => `@rootbound/${name}`);
    const tarballs = [...packAll(ours, join(place, 'ours')), pack(zodFolder(), join(place, 'zod'))];
    household = new Household(await registry.open(tarballs));
  });
  afterAll(async () => {
    household.remove();
    await registry.close();
    rmSync(place, { recursive: true, force: true });
  });

  test.each(tried)('%s: %s', async (_readme, _line, command, proof) => {
    await proof(command, household);
  });
});

test('every one has one rule', () => {
  const ruled = commands.map((command) => [command.readme, command.line, rulesFor(command).length]);
  expect(ruled.filter(([, , count]) => count !== 1)).toEqual([]);
});

test('no rule is left of a command that is gone', () => {
  const used = new Set(commands.flatMap(rulesFor));
  expect(rules.filter((rule) => !used.has(rule)).map(({ of }) => String(of))).toEqual([]);
});

test.each(proved)('%s is run elsewhere, or cannot be', (_of, { file, holds }) => {
  expect(readFileSync(join(root, file), 'utf8')).toContain(holds);
});

test('a command is found in every kind of block and in a sentence, without the comment behind it', () => {
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

test('a command that nothing is known of has no rule', () => {
  const [unknown] = commandsOf({ name: 'README.md', text: '```sh\nnpm run wonders\n```\n' });
  expect(rulesFor(unknown!)).toEqual([]);
});

/** What the protocol package depends on. */
function zodFolder(): string {
  return dirname(
    createRequire(join(root, 'packages', 'protocol', 'package.json')).resolve('zod/package.json'),
  );
}
