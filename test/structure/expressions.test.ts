import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

/** Runs the lint on a checkout with this one source. */
function lintOf(source: string): { status: number | null; stdout: string } {
  const folder = mkdtempSync(join(tmpdir(), 'rootbound-expressions-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'packages', 'one', 'src'), { recursive: true });
  mkdirSync(join(folder, 'servers'));
  writeFileSync(join(folder, 'packages', 'one', 'src', 'planted.ts'), source);
  const lint = join(root, 'scripts', 'expressions.mjs');
  return spawnSync(process.execPath, [lint, '--root', folder], { encoding: 'utf8' });
}

test('a cubic expression fails the lint with its file, its line and a text that shows it', () => {
  const { status, stdout } = lintOf('const one = 1;\nexport const cubic = /^\\d+[\\d.]*\\d+$/;\n');
  expect(status).toBe(1);
  expect(stdout).toContain('packages/one/src/planted.ts:2\n  /^\\d+[\\d.]*\\d+$/\n');
  expect(stdout).toContain('3rd degree polynomial');
  expect(stdout).toMatch(/repeat\(\d+\)/);
});

test('a sticky expression fails the lint as without the flag', () => {
  const { status, stdout } = lintOf('export const bare = /<a:[^>\\s]*>/y;\n');
  expect(status).toBe(1);
  expect(stdout).toContain('2nd degree polynomial');
});

test('an expression built at run time needs a row with its reason', () => {
  const { status, stdout } = lintOf('export const made = (text: string) => new RegExp(text);\n');
  expect(status).toBe(1);
  expect(stdout).toContain('new RegExp(text)');
  expect(stdout).toContain('without a row');
});

test('linear expressions pass the lint, and so do comments and texts that look like expressions', () => {
  const source = "export const linear = /^[a-z]+$/;\n// /(a+)+$/\nexport const text = '/(a+)+$/';\n";
  expect(lintOf(source)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('0 that are not linear'),
  });
});
