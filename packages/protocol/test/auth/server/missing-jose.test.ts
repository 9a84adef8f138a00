import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { expect, onTestFinished, test } from 'vitest';

test('without jose, tokens get 503 and the operator gets the package to install', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rootbound-auth-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const bundle = await rolldown({
    input: fileURLToPath(new URL('missing-jose.ts', import.meta.url)),
    platform: 'node',
    external: /^jose/,
    logLevel: 'silent',
  });
  await bundle.write({ dir: folder, entryFileNames: 'program.mjs' });
  await bundle.close();
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'program.mjs')]);
  expect(JSON.parse(stdout)).toEqual({
    outcome: { status: 503, message: 'access tokens cannot be checked now; try again later' },
    heard: [
      expect.stringMatching(
        /^an access token could not be checked: jwks requires the package jose 6; run npm install jose: Cannot find package 'jose'/,
      ),
    ],
  });
});
