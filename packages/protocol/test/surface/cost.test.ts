import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Plugin, rolldown } from 'rolldown';
import { afterAll, describe, expect, test } from 'vitest';
import { writeCatalog } from '../../src/build.ts';
import { catalogOf } from '../../src/index.ts';
import * as add from './one-tool/add.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const folder = mkdtempSync(join(import.meta.dirname, '.examples-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The source of a minimal tool. */
const plain = (i: number): string => `tool({
  name: 'add${i}', description: 'Adds.',
  input: z.object({ a${i}: z.number(), b: z.number() }), output: z.object({ sum${i}: z.number() }),
  run: ({ a${i}, b }) => ({ sum${i}: a${i} + b }),
})`;

/** The source of a tool that asks, has members of many types and reports progress. */
const rich = (i: number): string => `tool({
  name: 'find${i}', description: 'Finds.',
  input: z.object({
    path${i}: z.string().min(1), limit${i}: z.number().optional(),
    kind${i}: z.enum(['a', 'b']).default('a'), names${i}: z.array(z.string()),
  }),
  output: z.object({ found${i}: z.array(z.object({ name${i}: z.string(), size${i}: z.number() })), all${i}: z.boolean() }),
  ask: async ({ path${i} }, ask) => (await ask({ sure: confirm(path${i}) })).sure,
  run: async ({ path${i}, names${i} }, { answers, progress }) => {
    progress(1, 2);
    return { found${i}: names${i}.map((name) => ({ name${i}: name, size${i}: path${i}.length })), all${i}: answers };
  },
})`;

/** Returns the number of instantiations of the compiler for a program with so many tools. */
function instantiations(name: string, definition: (i: number) => string, tools: number): number {
  const file = join(folder, `${name}-${tools}.ts`);
  const definitions = Array.from({ length: tools }, (_, i) => `export const tool${i} = ${definition(i)};`);
  const head = [
    "import * as z from 'zod';",
    "import { confirm, createServer, tool } from '@rootbound/protocol';",
    'export { confirm, tool, z };',
  ];
  const names = Array.from({ length: tools }, (_, i) => `tool${i}`);
  const server = `export const server = createServer({ name: 'a', version: '1.0.0', tools: [${names.join(', ')}] });`;
  writeFileSync(file, [...head, ...definitions, server].join('\n'));
  const config = join(folder, `${name}-${tools}.json`);
  const base = {
    extends: join(root, 'tsconfig.base.json'),
    compilerOptions: { noEmit: true },
    files: [file],
  };
  writeFileSync(config, JSON.stringify(base));
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const args = [compiler, '--pretty', 'false', '--extendedDiagnostics', '-p', config];
  const { stdout, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(status, stdout).toBe(0);
  return Number(/^Instantiations:\s+(\d+)/m.exec(stdout)![1]);
}

describe('the cost for the compiler', () => {
  test('one more tool costs at most 600 instantiations, and the first one 3,000', () => {
    const [none, one, two, eleven] = [0, 1, 2, 11].map((tools) => instantiations('plain', plain, tools)) as [
      number,
      number,
      number,
      number,
    ];
    expect(one - none).toBeLessThanOrEqual(3000);
    expect(two - one).toBeLessThanOrEqual(600);
    expect((eleven - one) / 10).toBeLessThanOrEqual(600);
  });

  test('one more tool that asks, with many members, costs at most 1,000', () => {
    const [one, eleven] = [1, 11].map((tools) => instantiations('rich', rich, tools)) as [number, number];
    expect((eleven - one) / 10).toBeLessThanOrEqual(1000);
  });
});

const OLDER = 'older-lists';

/** Replaces the catalog that is made from the tools with the one that a build writes. */
async function writtenCatalog(): Promise<Plugin> {
  const written = await writeCatalog(catalogOf([add.add]), { './add.ts': add }, OLDER);
  const place = join(import.meta.dirname, 'one-tool', 'catalog.ts');
  return {
    name: 'written-catalog',
    resolveId: (id) => (id === OLDER ? OLDER : undefined),
    load(id) {
      if (id === place) return { code: written.catalog, moduleType: 'js' };
      return id === OLDER ? { code: written.older, moduleType: 'js' } : undefined;
    },
  };
}

/**
 * Returns the compressed bytes of a one-tool server on standard streams, for the start and in total, and the
 * modules of the start.
 */
async function weigh(plugins: Plugin[]): Promise<{ start: number; all: number; atStart: string[] }> {
  const bundle = await rolldown({
    input: join(import.meta.dirname, 'one-tool', 'server.ts'),
    platform: 'node',
    resolve: { conditionNames: ['rootbound-source', 'import', 'node'] },
    plugins,
    logLevel: 'silent',
  });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  const chunks = new Map(
    output.flatMap((part) => (part.type === 'chunk' ? [[part.fileName, part] as const] : [])),
  );
  const first = new Set([output[0].fileName]);
  for (const name of first) for (const imported of chunks.get(name)?.imports ?? []) first.add(imported);
  const sizes = [...chunks].map(([name, { code }]) => [name, gzipSync(code).length] as const);
  const sum = (all: typeof sizes): number => all.reduce((total, [, bytes]) => total + bytes, 0);
  return {
    start: sum(sizes.filter(([name]) => first.has(name))),
    all: sum(sizes),
    atStart: [...first].flatMap((name) => chunks.get(name)?.moduleIds ?? []),
  };
}

describe('the compressed size of a server with one tool on standard streams', () => {
  test('its start at most 20 KB, all of it at most 60 KB', async () => {
    const { start, all, atStart } = await weigh([await writtenCatalog()]);
    expect(start).toBeLessThanOrEqual(20_000);
    expect(all).toBeLessThanOrEqual(60_000);
    expect(atStart.filter((id) => id.includes('/zod/') || id.includes('/one-tool/add'))).toEqual([]);
  });

  test('without a written catalog its start contains zod, and all of it is at most 60 KB', async () => {
    const { all, atStart } = await weigh([]);
    expect(all).toBeLessThanOrEqual(60_000);
    expect(atStart.some((id) => id.includes('/zod/'))).toBe(true);
  });
});
