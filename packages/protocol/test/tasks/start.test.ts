import { fileURLToPath } from 'node:url';
import { type OutputChunk, rolldown } from 'rolldown';
import { expect, test } from 'vitest';

const own = /\/(server|protocol|client)\/(schemas\/)?task/;

test('the start of a server loads nothing of tasks', async () => {
  const bundle = await rolldown({
    input: ['index', 'stdio', 'http'].map((entry) =>
      fileURLToPath(new URL(`../../src/${entry}.ts`, import.meta.url)),
    ),
    platform: 'node',
    resolve: { conditionNames: ['rootbound-source', 'import', 'node'] },
    logLevel: 'silent',
  });
  const { output } = await bundle.generate({});
  await bundle.close();
  const chunks = new Map(
    output.filter((each): each is OutputChunk => each.type === 'chunk').map((each) => [each.fileName, each]),
  );
  const entries = [...chunks.values()].filter(({ isEntry }) => isEntry);
  expect(entries).toHaveLength(3);
  const reached = new Set<OutputChunk>();
  const reach = (chunk: OutputChunk): void => {
    if (reached.has(chunk)) return;
    reached.add(chunk);
    for (const name of chunk.imports) {
      const next = chunks.get(name);
      if (next !== undefined) reach(next);
    }
  };
  for (const entry of entries) reach(entry);
  const loaded = [...reached].flatMap(({ moduleIds }) => moduleIds);
  expect(loaded.some((id) => id.endsWith('/server/server.ts'))).toBe(true);
  expect(loaded.filter((id) => own.test(id))).toEqual([]);
  // servers with tasks have them
  const all = [...chunks.values()].flatMap(({ moduleIds }) => moduleIds);
  expect(all.filter((id) => own.test(id)).length).toBeGreaterThan(5);
});
