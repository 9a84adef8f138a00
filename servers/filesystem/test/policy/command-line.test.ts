import { runCommandLine } from '@rootbound/kit/cli';
import { expect, test } from 'vitest';
import { spec } from '../../src/spec.ts';

interface Ran {
  code: number;
  stderr: string;
  deny: readonly string[] | undefined;
}

async function run(...argv: string[]): Promise<Ran> {
  const ran: Ran = { code: 0, stderr: '', deny: undefined };
  await runCommandLine(
    spec,
    argv,
    ({ extra }) => {
      ran.deny = extra.deny;
    },
    {
      stdout: () => {},
      stderr: (text) => {
        ran.stderr += text;
      },
      exitCode: (code) => {
        ran.code = code;
      },
      cwd: '/',
      home: '/',
      platform: 'linux',
      entry: '',
    },
  );
  return ran;
}

test('--deny accepts patterns and can be repeated', async () => {
  const { code, deny } = await run('--deny', '*.key, build/secrets/', '--deny', '!.npmrc,**/tmp/**');
  expect([code, deny]).toEqual([0, ['*.key', 'build/secrets/', '!.npmrc', '**/tmp/**']]);
});

test.each(['[a', 'a/../b', 'a//b', 'a**', '/', '!', 'a\\b', '{a}', '**a'])(
  '--deny %j fails with one line that has the fix, and exit code 2',
  async (glob) => {
    const { code, stderr, deny } = await run('--deny', `ok,${glob}`);
    expect([code, deny]).toEqual([2, undefined]);
    expect(stderr).toBe(`server-filesystem: --deny wants names such as *.key,build/secrets, got "${glob}"\n`);
  },
);
