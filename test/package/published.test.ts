import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { REPOSITORY } from '../../docs/.vitepress/pages.mjs';
import { manifestOf, originOf, publicWorkspaces } from '../../scripts/origin.mjs';
import { full } from '../extent.ts';
import { compile, makeConsumer, type resolutions } from './consumer.ts';
import { packAll, root } from './packages.ts';

const workspaces = publicWorkspaces(root);
const published = workspaces.map((workspace) => manifestOf(root, workspace));
const names = published.map(({ name }) => name);
const libraries = published.filter((manifest) => manifest.exports !== undefined);

let folder: string;
let tarballs: Map<string, string>;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rootbound-published-'));
  const files = packAll(names, join(folder, 'tarballs'));
  tarballs = new Map(published.map((manifest) => [manifest.name, fileOf(manifest, files)]));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('there are eight packages, of which two are libraries', () => {
  expect(names).toHaveLength(8);
  expect(libraries.map(({ name }) => name)).toEqual(['@rootbound/kit', '@rootbound/protocol']);
});

describe.each(names)('%s as published', (name) => {
  const bytes = (): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(tarballs.get(name)!));

  test('publint has no message', async () => {
    const { messages } = await publint({
      pack: { tarball: bytes().buffer },
      level: 'suggestion',
      strict: true,
    });
    expect(messages).toEqual([]);
  });

  test('has its README and licence, and no tests, sources or build files', () => {
    const files = filesIn(tarballs.get(name)!);
    expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']));
    // the template has sources and tests
    const own = files.filter((file) => !file.startsWith('dist/template/'));
    expect(
      own.filter((file) => /\.tsbuildinfo$|(?<!\.d)\.ts$|\.map$|^(?:src|test)\/|\.test\./.test(file)),
    ).toEqual([]);
  });
});

describe.each(libraries.map((manifest) => [manifest.name, Object.keys(manifest.exports!)] as const))(
  'the types of %s',
  (name, entries) => {
    test('are found by every module resolution for ES modules', async () => {
      const analysis = await checkPackage(
        createPackageFromTarballData(new Uint8Array(readFileSync(tarballs.get(name)!))),
      );
      if (analysis.types === false) throw new Error(`${name} has no types`);
      expect(Object.keys(analysis.entrypoints)).toEqual(entries);
      // the package is an ES module with `exports`, which these two do not support
      const known = analysis.problems.filter(
        (problem) =>
          !('resolutionKind' in problem) || !['node10', 'node16-cjs'].includes(problem.resolutionKind),
      );
      expect(known).toEqual([]);
    });
  },
);

// the compiler reads all declarations four times, which is slow
if (full)
  describe.each<keyof typeof resolutions>(['nodenext', 'bundler'])(
    'a program by the resolution %s',
    (resolution) => {
      let consumer: string;
      beforeAll(() => {
        consumer = mkdtempSync(join(tmpdir(), 'rootbound-consumer-'));
        makeConsumer(consumer, Object.fromEntries(libraries.map(({ name }) => [name, tarballs.get(name)!])));
      });
      afterAll(() => rmSync(consumer, { recursive: true, force: true }));

      const imports = libraries.flatMap(({ name, exports }) =>
        Object.keys(exports!).map((entry) => `${name}${entry.slice(1)}`),
      );
      const everything = imports
        .map((path, at) => `import * as entry${at} from '${path}';\nvoid entry${at};\n`)
        .join('');
      const program = `${everything}
import { createServer, tool } from '@rootbound/protocol';
import { type Client, connect } from '@rootbound/protocol/client';
import { parseRootSpec } from '@rootbound/kit/boundary';
import * as z from 'zod';

const add = tool({
  name: 'add',
  description: 'Adds two numbers.',
  input: z.object({ a: z.number(), b: z.number() }),
  output: z.object({ sum: z.number() }),
  run: ({ a, b }) => ({ sum: a + b }),
  render: ({ sum }) => sum.toFixed(1),
});
createServer({ name: 'sums', version: '1.0.0', tools: [add] });
export const use = async (client: Client): Promise<void> => client.close();
void [connect, parseRootSpec];
`;

      test('compiles, with every entry that is exported and their declarations', () => {
        expect(compile(consumer, program, resolution)).toBe('');
      });

      test('fails to compile with a misspelled type, and with a result of another type', () => {
        const output = compile(
          consumer,
          program.replace('type Client,', 'type Cleint,').replace('sum.to', 'sum.at'),
          resolution,
        );
        expect(output).toContain("'Cleint'");
        expect(output).toContain("'atFixed' does not exist on type 'number'");
      });
    },
  );

describe.each(workspaces)('%s names its repository', (workspace) => {
  const { npm } = originOf(root, workspace);

  test('with the URL that npm checks against the provenance of a package', () => {
    expect(manifestOf(root, workspace)).toMatchObject({
      ...npm,
      publishConfig: { access: 'public', provenance: true },
    });
  });
});

test.each(workspaces.filter((workspace) => workspace.startsWith('servers/')))(
  '%s names the same repository to the MCP registry',
  (workspace) => {
    const entry: unknown = JSON.parse(readFileSync(join(root, workspace, 'server.json'), 'utf8'));
    expect(entry).toMatchObject(originOf(root, workspace).registry);
  },
);

test('the site links to the same repository', () => {
  expect(REPOSITORY).toBe(originOf(root, '').registry.repository.url);
});

function fileOf({ name, version }: { name: string; version: string }, files: readonly string[]): string {
  return files.find((file) => file.endsWith(`${name.slice(1).replace('/', '-')}-${version}.tgz`))!;
}

function filesIn(tarball: string): string[] {
  const listed = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' });
  return listed
    .trim()
    .split('\n')
    .map((file) => file.replace('package/', ''));
}
