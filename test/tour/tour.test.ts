import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Checkout, type Run } from './checkout.ts';

const ESCAPE = '\u001b';

let checkout: Checkout;
beforeAll(() => {
  checkout = new Checkout();
});
afterAll(() => checkout.remove());

describe('into a pipe', () => {
  let run: Run;
  let before: string[];
  beforeAll(async () => {
    before = checkout.files();
    run = await checkout.tour();
  });

  test('the tour succeeds without output on stderr', () => {
    expect([run.code, run.stderr]).toEqual([0, '']);
  });

  test('each era prints its revision', () => {
    const revisions = run.stdout.match(/(?<=connected .*revision )[\d-]+/g);
    expect(revisions).toEqual(['2025-11-25', '2026-07-28']);
  });

  test('entries of this checkout are listed as structure in each era', () => {
    expect(run.stdout.match(/│ name: "README\.md" {2}type: "file" {2}size: \d+\n/g)).toHaveLength(2);
  });

  test("the requested lines of this checkout's README are read in each era", () => {
    expect(run.stdout.match(/│ # A heading\n.*│\n.*│ A sentence\./g)).toHaveLength(2);
    expect(run.stdout).not.toContain('Not shown');
  });

  test('a search finds the scripts of this checkout with a text', () => {
    const found = run.stdout.match(/(?<=search_content of .* in )\d+(?= of \d+ files)/g) ?? [];
    expect(found.map(Number).filter((count) => count > 0)).toHaveLength(2);
  });

  test('progress is reported with measured numbers', () => {
    const counts = run.stdout.match(/\d+(?= progress notifications in)/g) ?? [];
    expect(counts.map(Number).filter((count) => count > 0)).toHaveLength(2);
  });

  test('a change is reported with its latency, and its content is read', () => {
    expect(run.stdout.match(/subscription .*notified after [\d.]+ ms/g)).toHaveLength(2);
    expect(run.stdout).toContain('│ changed during 2025-11-25\n');
    expect(run.stdout).toContain('│ changed during 2026-07-28\n');
  });

  test('a file outside the roots is refused in each era', () => {
    expect(run.stdout.match(/refusal .*\n.*│ .*no such file or folder/g)).toHaveLength(2);
  });

  test('both entries are JSON that starts the built server of this checkout', () => {
    const entries = jsonIn(run.stdout) as { mcpServers?: Servers; servers?: Servers }[];
    const args = [join(checkout.path, 'servers', 'filesystem', 'dist', 'cli.js'), checkout.path];
    expect(entries).toEqual([
      { mcpServers: { filesystem: { command: 'node', args } } },
      { servers: { filesystem: { type: 'stdio', command: 'node', args } } },
    ]);
  });

  test('the command for Claude Code names the built server', () => {
    expect(run.stdout).toMatch(/^claude mcp add filesystem -- node .*cli\.js/m);
  });

  test('there are no escape codes, no line is redrawn, and lines fit 80 columns except entries to paste', () => {
    expect(run.stdout).not.toContain(ESCAPE);
    expect(run.stdout).not.toContain('\r');
    const lines = run.stdout
      .split('\n')
      .filter((line) => line.startsWith('  ') && !line.includes(checkout.path));
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  test('no file is left in the checkout or the temporary folder', () => {
    expect(checkout.files()).toEqual(before);
    expect(readdirSync(checkout.temporary)).toEqual([]);
  });
});

test('in a terminal the output has colours, and the progress bar is redrawn until it is full', async () => {
  const { code, stdout } = await checkout.tour({ flags: ['--terminal'] });
  expect(code).toBe(0);
  expect(stdout).toContain(`${ESCAPE}[`);
  const last = stdout.split('\n').filter((line) => line.includes('█'));
  expect(last.map((line) => line.trimEnd().endsWith('100 %'))).toEqual([true, true]);
});

test('with NO_COLOR a terminal gets no escape codes', async () => {
  const { code, stdout } = await checkout.tour({ flags: ['--terminal'], env: { NO_COLOR: '1' } });
  expect(code).toBe(0);
  expect(stdout).toContain('█');
  expect(stdout).not.toContain(ESCAPE);
});

test('a failure is one line on stderr and exit code 1', async () => {
  const { code, stderr } = await checkout.tour({ env: nowhere(join(checkout.temporary, 'missing')) });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^rootbound: the tour ended early: .+\n$/);
});

type Servers = Record<string, { type?: string; command: string; args: string[] }>;

/** Returns the JSON objects that begin and end at the first column. */
function jsonIn(text: string): unknown[] {
  return (text.match(/^\{\n[\s\S]*?^\}$/gm) ?? []).map((block) => JSON.parse(block) as unknown);
}

function nowhere(path: string): Record<string, string> {
  return { TMPDIR: path, TEMP: path, TMP: path };
}
