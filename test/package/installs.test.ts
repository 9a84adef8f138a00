import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { full } from '../extent.ts';
import { smokeCalls } from './calls.ts';
import { Registry } from './npm-registry.ts';
import {
  type Answer,
  ask,
  askAfterHandshake,
  makeShop,
  pack,
  packAll,
  root,
  versionOf,
  weigh,
} from './packages.ts';
import { Toolchain } from './toolchain.ts';

type Server = keyof typeof smokeCalls;

const hasNodes = process.platform === 'linux' && process.arch === 'x64';
const servers = Object.keys(smokeCalls) as Server[];
const driverScript = 'better-sqlite3 install';
/**
 * Each supported Node with an npm of its time or later; all four servers are run by name under one of them. Under Node
 * 22, npm 10 runs the script of a driver that it removes again, since the package that needs it does not fit.
 */
const toolchains: { node: string; npm: string; named: Server[]; scripts: string[] }[] = [
  { node: '20.20.2', npm: '10.9.9', named: ['sqlite'], scripts: [driverScript] },
  { node: '22.23.3', npm: '10.9.9', named: ['filesystem'], scripts: [driverScript] },
  { node: '24.21.0', npm: '11.21.2', named: ['git'], scripts: [] },
  { node: '24.21.0', npm: '12.2.0', named: servers, scripts: [] },
  { node: '26.10.0', npm: '12.2.0', named: ['sqlite'], scripts: [] },
];
const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
const question = { name: 'read_query', arguments: { query: 'SELECT name FROM item' } };

let folder: string;
const tarball = (name: string): string => join(folder, 'packed', `rootbound-${name}-${versionOf(name)}.tgz`);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rootbound-installs-'));
  const packed = join(folder, 'packed');
  if (full) packAll(['./packages/*', './servers/*'], packed);
  else pack(join(root, 'servers/sqlite'), packed);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Creates an empty package. */
function home(name: string): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'package.json'), '{"private":true}');
  return path;
}

/** Creates an empty package with a database. */
function shop(name: string): string {
  const path = home(name);
  makeShop(join(path, 'shop.db'));
  return path;
}

const sqlite = (path: string): string => join(path, 'node_modules/@rootbound/server-sqlite/dist/cli.js');

describe.each(full && hasNodes ? toolchains : [])(
  'under Node $node with npm $npm',
  { timeout: 900_000 },
  (one) => {
    const registry = new Registry();
    const isOld = one.node.startsWith('20.');
    const name = `${one.node} ${one.npm}`;
    const bin = (program: string): string => join(toolchain.prefix, 'bin', program);
    let toolchain: Toolchain;

    beforeAll(async () => {
      const ours = [
        'sqlite-node20',
        'protocol',
        'kit',
        'create-server',
        ...servers.map((one) => `server-${one}`),
      ];
      toolchain = new Toolchain(one.node, one.npm, {
        folder,
        registry: await registry.open(ours.map(tarball)),
        skipsScripts: !isOld && one.scripts.length > 0,
      });
    }, 300_000);
    afterAll(() => registry.close());

    /** Returns the server's answer to its call on a new folder. */
    async function show(server: Server, how: string, command: [string, ...string[]]): Promise<Answer> {
      const there = home(`${name} ${how} ${server}`);
      const { args = [], arguments: given, close } = await smokeCalls[server].furnish(there);
      if (close !== undefined) onTestFinished(close);
      const call = {
        ...smokeCalls[server].call,
        arguments: { ...smokeCalls[server].call.arguments, ...given },
      };
      const where = { cwd: home(`${name} cwd`), env: toolchain.env };
      return askAfterHandshake([...command, there, ...args], where, call);
    }

    /** Calls servers in parallel, each started by its command. */
    async function expectAnswers(
      some: Server[],
      how: string,
      commandOf: (name: string) => [string, ...string[]],
    ): Promise<void> {
      const answers = await Promise.all(
        some.map((server) => show(server, how, commandOf(`server-${server}`))),
      );
      expect(answers).toEqual(
        some.map((server) => ({ failed: false, text: expect.stringContaining(smokeCalls[server].answers) })),
      );
    }

    test('npm i -g installs every program from its tarball, with the driver of this Node', async () => {
      const programs = [...servers.map((server) => `server-${server}`), 'protocol', 'create-server'];
      const install = ['install', '--global', '--prefix', toolchain.prefix, ...programs.map(tarball)];
      await toolchain.npm(home(`${name} cwd`), install, { npm_config_build_from_source: 'true' });
      expect(toolchain.scripts).toEqual(one.scripts);
      const modules = join(toolchain.prefix, 'lib/node_modules/@rootbound/server-sqlite/node_modules');
      const driver = join(modules, isOld ? '@rootbound/sqlite-node20/node_modules' : '', 'better-sqlite3');
      const { version } = JSON.parse(readFileSync(join(driver, 'package.json'), 'utf8')) as {
        version: string;
      };
      expect([version.split('.')[0], existsSync(join(modules, '@rootbound/sqlite-node20'))]).toEqual(
        isOld ? ['12', true] : ['13', false],
      );
      if (isOld) keep(driver, version);
    });

    /** Installs a compiled driver where the next installations find it. */
    function keep(driver: string, version: string): void {
      const abi = execFileSync(toolchain.node, ['-p', 'process.versions.modules'], {
        encoding: 'utf8',
      }).trim();
      mkdirSync(join(folder, 'prebuilds'));
      const file = join(folder, 'prebuilds', `better-sqlite3-v${version}-node-v${abi}-linux-x64.tar.gz`);
      execFileSync('tar', ['-czf', file, '-C', driver, 'build/Release/better_sqlite3.node']);
    }

    test('each server that npm i -g installed prints its version and answers', async () => {
      for (const program of servers.map((server) => `server-${server}`)) {
        const version = await toolchain.run(folder, bin(program), ['--version']);
        expect(version).toBe(`${versionOf(program)}\n`);
      }
      await expectAnswers(servers, 'global', (name) => [bin(name)]);
    });

    test('npx runs the tarball of each server', async () => {
      await expectAnswers(servers, 'npx', (name) => [...toolchain.npx, `file:${tarball(name)}`]);
    });

    test('npx runs a server by its name from a registry', async () => {
      await expectAnswers(one.named, 'named', (name) => [...toolchain.npx, `@rootbound/${name}`]);
    });

    test('the inspector inspects an installed server, and the creator creates a project', async () => {
      const there = home(`${name} programs`);
      const inspect = ['inspect', '--', bin('server-filesystem'), there];
      expect(await toolchain.run(there, bin('protocol'), inspect)).toContain('search_content');
      await toolchain.run(there, bin('create-server'), ['made', '--yes', '--no-install', '--no-git']);
      expect(existsSync(join(there, 'made/package.json'))).toBe(true);
    });

    test('npm installs the libraries from their tarballs, and they load', async () => {
      const there = home(`${name} libraries`);
      await toolchain.npm(there, ['install', tarball('protocol'), tarball('kit')]);
      const load = "Promise.all([import('@rootbound/protocol'), import('@rootbound/kit/boundary')])";
      const print = `${load}.then((all) => console.log(all.every((one) => Object.keys(one).length > 0)))`;
      expect(await toolchain.run(there, toolchain.node, ['-e', print])).toBe('true\n');
    });
  },
);

// tests for other machines or runs are not defined, since skipped tests are reported
if (full && !hasNodes)
  test('npm installs the server with the driver that this Node runs', { timeout: 900_000 }, async () => {
    const here = shop('here');
    const wanted = ['server-sqlite', 'sqlite-node20'].map(tarball);
    execFileSync('npm', ['install', '--prefer-offline', ...quiet, ...wanted], { cwd: here, stdio: 'pipe' });
    expect(await ask(process.execPath, [sqlite(here), here], question)).toMatchObject({
      failed: false,
      text: expect.stringContaining('kettle'),
    });
  });

if (full)
  test('npm installs the fetch server with the browser driver, in less than 20 MiB, and nothing else', {
    timeout: 900_000,
  }, () => {
    const here = home('fetch');
    execFileSync('npm', ['install', '--prefer-offline', ...quiet, tarball('server-fetch')], {
      cwd: here,
      stdio: 'pipe',
    });
    const { names, mib } = weigh(here);
    expect(names).toEqual(['@rootbound/server-fetch', 'playwright-core']);
    expect(mib).toBeLessThan(20);
  });

test('without a driver it starts, lists its tools, and a call says what is missing', async () => {
  const bare = shop('bare');
  const alone = ['--offline', '--omit=optional', ...quiet, tarball('server-sqlite')];
  execFileSync('npm', ['install', ...alone], { cwd: bare });
  const { failed, text } = await ask(process.execPath, [sqlite(bare), bare], question);
  expect([failed, text]).toEqual([true, expect.stringContaining('--doctor')]);
});
