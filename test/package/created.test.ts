import { execFile, execFileSync, spawn } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { full } from '../extent.ts';
import { officialClient, officialModes, type Place } from '../interop/official.ts';
import { pack, root } from './packages.ts';

const execute = promisify(execFile);

let folder: string;
let packages: string;
let creator: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'rootbound-created-')));
  creator = pack(join(root, 'packages/create-server'), join(folder, 'creator'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the packed creator like `npm create`. */
async function create(
  argv: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<string> {
  const args = ['exec', '--yes', `--package=${creator}`, '--', 'create-server', ...argv];
  return (await execute('npm', args, { cwd: folder, env: { ...process.env, ...variables } })).stdout;
}

async function npm(project: string, ...args: string[]): Promise<void> {
  // the environment of vitest would affect the vitest of the project
  const { VITEST: _, NODE_PATH: _path, NODE_OPTIONS: _options, ...env } = process.env;
  await execute('npm', args, { cwd: join(folder, project), env });
}

test('the packed creator writes every file of the template, including dot files', async () => {
  expect(await create(['plain', '--yes', '--no-install', '--no-git'])).toContain('made plain in plain');
  const template = join(root, 'packages/create-server/template');
  const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: template,
    encoding: 'utf8',
  });
  const made = readdirSync(join(folder, 'plain'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(join(folder, 'plain').length + 1));
  expect(made.toSorted()).toEqual(tracked.trim().split('\n').toSorted());
});

// needs a registry
if (full) {
  beforeAll(() => {
    packages = join(folder, 'packages');
    mkdirSync(packages);
    for (const name of ['protocol', 'kit', 'sqlite-node20']) {
      const tarball = pack(join(root, 'packages', name), join(folder, name));
      copyFileSync(tarball, join(packages, basename(tarball)));
    }
  });

  describe('a created server', () => {
    beforeAll(async () => {
      await create(['my-server', '--yes', '--install', '--packages', packages]);
      await npm('my-server', 'run', 'build');
    }, 300_000);

    test('is installed, typechecks and passes its tests', { timeout: 300_000 }, async () => {
      await npm('my-server', 'run', 'typecheck');
      await npm('my-server', 'test');
    });

    describe.each(Object.entries(officialModes))('for the official client, %s', (_era, mode) => {
      test.each(['stdio', 'http'])('answers over %s, with a question and a resource', async (way) => {
        const program = join(folder, 'my-server', 'dist', 'cli.js');
        const notes = mkdtempSync(join(folder, 'notes-'));
        writeFileSync(join(notes, 'welcome.md'), 'Welcome.');
        const place: Place =
          way === 'stdio' ? [process.execPath, program, notes] : await listening(program, notes);
        const { client, questions } = await officialClient(place, mode);
        onTestFinished(() => client.close());
        const { content } = await client.callTool({
          name: 'write_notes',
          arguments: {
            notes: [
              { name: 'welcome', text: 'Hello.' },
              { name: 'milk', text: 'Buy milk.' },
            ],
          },
        });
        expect(content).toEqual([{ type: 'text', text: 'wrote welcome, milk' }]);
        expect(questions).toEqual(['Replace welcome?']);
        const { contents } = await client.readResource({ uri: 'note:///welcome' });
        expect(contents).toMatchObject([{ text: 'Hello.' }]);
      });
    });
  });

  test.each(readdirSync(join(root, 'servers')))(
    'a fork of the %s server can be installed, built and started outside of the workspace',
    { timeout: 600_000 },
    async (server) => {
      const fork = `${server}-fork`;
      const argv = [fork, '--name', `@me/${fork}`, '--from', server, '--checkout', root];
      // compiling a driver is tested with the installations
      const variables = { npm_config_ignore_scripts: 'true' };
      await create([...argv, '--yes', '--install', '--packages', packages], variables);
      await npm(fork, 'run', 'build');
      await npm(fork, 'run', 'typecheck');
      const program = join(folder, fork, 'dist', 'cli.js');
      const help = execFileSync(process.execPath, [program, '--help'], { encoding: 'utf8' });
      expect(help).toContain(`server-${fork}`);
      // the tests of one fork prove that tests are found outside of the workspace
      if (server === 'filesystem') await npm(fork, 'exec', 'vitest', 'run', 'test/start');
      const lock = readFileSync(join(folder, fork, 'package-lock.json'), 'utf8');
      expect(lock).toContain('file:vendor/rootbound-kit-');
    },
  );
}

/** Starts a program over HTTP and returns its address. */
async function listening(program: string, notes: string): Promise<URL> {
  const child = spawn(process.execPath, [program, '--http', '0', notes], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill());
  for await (const line of createInterface(child.stderr)) {
    const url = /^listening on (.*)$/.exec(line)?.[1];
    if (url !== undefined) return new URL(url);
  }
  throw new Error('the server ended before it listened');
}
