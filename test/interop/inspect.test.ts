import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Desk, run } from '../../packages/protocol/test/inspect/stage.ts';
import { cli, fetchCli, gitCli, sqliteCli } from './servers.ts';
import { Workspace } from './workspace.ts';

let workspace: Workspace;
beforeAll(() => {
  workspace = new Workspace();
});
afterAll(() => workspace.remove());

interface Finding {
  id: string;
  level: string;
  state: string;
  why?: string;
}

/** Returns the output of `inspect --check --json` for a command. */
async function check(
  argv: readonly string[],
  command: readonly string[],
): Promise<{ status: number; findings: Finding[] }> {
  const desk = new Desk();
  const { status, out, err } = await run(
    ['--check', '--json', ...argv, '--', process.execPath, ...command],
    desk,
  );
  expect(err).toBe('');
  const examinations = JSON.parse(out) as { findings: Finding[] }[];
  return { status, findings: examinations.flatMap(({ findings }) => findings) };
}

const ours = [
  ['filesystem', cli],
  ['git', gitCli],
  ['SQLite', sqliteCli],
  ['fetch', fetchCli],
] as const;

describe('inspect --check', () => {
  test.each(ours)('finds no violation by the %s server in either era', async (name, program) => {
    const { status, findings } = await check([], name === 'fetch' ? [program] : [program, workspace.root]);
    expect(status).toBe(0);
    const wrong = findings.filter(({ state }) => state === 'fail' || state === 'warn');
    // the text half of these servers is a rendering, not the JSON of the structured half
    expect(wrong.filter(({ id }) => !id.endsWith('/tools/structured-content-repeated-as-text'))).toEqual([]);
    for (const revision of ['2025-11-25', '2026-07-28'])
      expect(
        findings.filter(({ id, state }) => id.startsWith(revision) && state === 'pass').length,
      ).toBeGreaterThan(50);
  });

  test.each([
    ['filesystem', '2025-11-25/tools/unknown-tool-is-protocol-error-32602'],
    ['everything', '2025-11-25/pagination/invalid-cursor-error-32602'],
  ])(
    'finds the missing recommendations of the official %s server, and no violation',
    async (name, missed) => {
      const manifest = createRequire(import.meta.url).resolve(
        `@modelcontextprotocol/server-${name}/package.json`,
      );
      const program = join(dirname(manifest), 'dist', 'index.js');
      const command = name === 'filesystem' ? [program, workspace.root] : [program];
      const { status, findings } = await check(['--revision', '2025-11-25'], command);
      expect(status).toBe(0);
      expect(findings.filter(({ state }) => state === 'fail')).toEqual([]);
      expect(findings.filter(({ state }) => state === 'warn').map(({ id }) => id)).toContain(missed);
    },
  );
});
