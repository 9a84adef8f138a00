import { execFileSync } from 'node:child_process';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Manifest, manifestOf } from '../../scripts/origin.mjs';
import { driverPackage } from '../../servers/sqlite/src/lane/driver.ts';
import { full } from '../extent.ts';
import { pack, root, weigh } from './packages.ts';

/** The packages and size of an installation. */
interface Size {
  packages: number;
  megabytes: number;
}

/** An installation, and the place of its size in a README. */
interface Installation {
  server: string;
  as: string;
  /** index of the size in that README */
  stated: number;
  install: string[];
  /** size of the files that its installation script would create, which is not run here */
  made?: () => number;
}

/** Maximum ratio of the size in a README to the real size. */
const SLACK = 1.5;
const MEGABYTES_PER_MIB = 1.048576;

/** The driver package for Node 20, which this workspace compiles if it runs on Node 20. */
const NODE20 = '@rootbound/sqlite-node20';
const isNode20 = driverPackage() === NODE20;
const installations: Installation[] = [
  { server: 'filesystem', as: 'alone', stated: 0, install: ['filesystem'] },
  { server: 'git', as: 'alone', stated: 0, install: ['git'] },
  { server: 'fetch', as: 'with what drives a browser', stated: 0, install: ['fetch', 'playwright-core'] },
  { server: 'fetch', as: 'without it', stated: 1, install: ['fetch'] },
  { server: 'sqlite', as: 'on Node 22', stated: 0, install: ['sqlite', 'better-sqlite3'] },
  {
    server: 'sqlite',
    as: 'on Node 20',
    stated: 1,
    install: ['sqlite', NODE20, 'better-sqlite3 for Node 20'],
    made: compiled,
  },
];

test.each([
  ['filesystem', 1],
  ['git', 1],
  ['fetch', 2],
  ['sqlite', 2],
])('the README of the %s server has the size of an installation', (server, ways) => {
  expect(statedBy(server)).toHaveLength(ways);
});

// needs a registry, and writes and reads all packages
if (full)
  describe.each(installations.filter(({ made }) => made === undefined || isNode20))(
    'the $server server $as',
    ({ server, stated, install, made }) => {
      let home: string;
      beforeAll(() => {
        home = mkdtempSync(join(tmpdir(), 'rootbound-size-'));
        writeFileSync(join(home, 'package.json'), '{"private":true}');
        // each driver is named, so that the version of this Node does not choose between them
        const specs = install.map((name) => specOf(name, server, join(home, 'tarballs', name)));
        const quiet = [
          '--ignore-scripts',
          '--omit=optional',
          '--prefer-offline',
          '--no-audit',
          '--no-fund',
          '--silent',
        ];
        execFileSync('npm', ['install', ...quiet, ...specs], { cwd: home, stdio: 'ignore' });
      });
      afterAll(() => rmSync(home, { recursive: true, force: true }));

      test('is at most the size in its README, and not much less', () => {
        const statement = statedBy(server)[stated]!;
        const { names, mib } = weigh(home);
        expect(names).toHaveLength(statement.packages);
        const megabytes = mib * MEGABYTES_PER_MIB + (made?.() ?? 0) / 1e6;
        expect(megabytes).toBeLessThanOrEqual(statement.megabytes);
        expect(megabytes).toBeGreaterThan(statement.megabytes / SLACK);
      });
    },
  );

/** Returns the sizes in the sentence of a README about installations, in order. */
function statedBy(server: string): Size[] {
  const readme = readFileSync(join(root, 'servers', server, 'README.md'), 'utf8');
  const sentences = readme.match(/\bnpm installs .* MB.*?\.(?=\s)/g) ?? [];
  expect(sentences).toHaveLength(1);
  return [...sentences[0]!.matchAll(/(\d+) packages?, ([\d.]+) MB/g)].map(([, packages, megabytes]) => ({
    packages: Number(packages),
    megabytes: Number(megabytes),
  }));
}

/** Returns the npm arguments for a server or package of ours, or for a driver that one of them names. */
function specOf(name: string, server: string, folder: string): string {
  if (name === server) return pack(join(root, 'servers', server), folder);
  if (name === NODE20) return pack(join(root, 'packages', 'sqlite-node20'), folder);
  const [driver, forNode20] = name.split(' for ');
  const workspace = forNode20 === undefined ? `servers/${server}` : 'packages/sqlite-node20';
  const { optionalDependencies } = manifestOf(root, workspace) as Manifest & {
    optionalDependencies: Record<string, string>;
  };
  return `${driver}@${optionalDependencies[driver!]}`;
}

/** Returns the size of the compiled files in the driver of Node 20. */
function compiled(): number {
  const ours = createRequire(join(root, 'servers', 'sqlite', 'package.json')).resolve(
    `${NODE20}/package.json`,
  );
  const driver = createRequire(realpathSync(ours)).resolve('better-sqlite3/package.json');
  return readdirSync(join(dirname(driver), 'build'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
