import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { root } from './packages.ts';
import { serverJson } from './schemas/server-json.ts';

const read = (server: string, file: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(root, 'servers', server, file), 'utf8')) as Record<string, unknown>;

describe.each(readdirSync(join(root, 'servers')))(
  'the entry of the %s server in the MCP registry',
  (server) => {
    const entry = read(server, 'server.json');
    const manifest = read(server, 'package.json');

    test('is valid for the registry', () => {
      expect(serverJson.safeParse(entry).error?.issues).toBeUndefined();
    });

    test('names the package, at its version, and the package names it', () => {
      const { name, version, description, packages } = serverJson.parse(entry);
      expect({ name, version, description }).toEqual({
        name: manifest.mcpName,
        version: manifest.version,
        description: manifest.description,
      });
      expect(packages[0]).toMatchObject({ identifier: manifest.name, version: manifest.version });
    });
  },
);

test.each<[string, (entry: Record<string, unknown>) => object]>([
  ['a description beyond 100 characters', (entry) => ({ ...entry, description: 'x'.repeat(101) })],
  ['a name without a slash', (entry) => ({ ...entry, name: 'filesystem' })],
  ['a range for a version', (entry) => ({ ...entry, version: '^1.0.0' })],
  ['a member that it does not know', (entry) => ({ ...entry, licence: 'MIT' })],
])('an entry with %s is detected', (_what, spoil) => {
  expect(serverJson.safeParse(spoil(read('filesystem', 'server.json'))).success).toBe(false);
});

test('a new version updates the entry, and nothing else changes', () => {
  const copy = mkdtempSync(join(tmpdir(), 'rootbound-versions-'));
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  const home = join('servers', 'git');
  for (const part of ['package.json', 'scripts'])
    cpSync(join(root, part), join(copy, part), { recursive: true });
  for (const file of ['package.json', 'server.json']) cpSync(join(root, home, file), join(copy, home, file));
  writeFileSync(
    join(copy, home, 'package.json'),
    JSON.stringify({ ...read('git', 'package.json'), version: '3.2.1' }),
  );
  execFileSync(process.execPath, [join(copy, 'scripts', 'versions.mjs'), '--only-copy'], { stdio: 'ignore' });
  const before = readFileSync(join(root, home, 'server.json'), 'utf8');
  const { version } = read('git', 'package.json') as { version: string };
  expect(readFileSync(join(copy, home, 'server.json'), 'utf8')).toBe(
    before.replaceAll(`"version": "${version}"`, '"version": "3.2.1"'),
  );
  expect(before.split(`"version": "${version}"`)).toHaveLength(3);
});
