import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rounds } from '../lib/rounds.mjs';

const FURTHER = 10;
const bench = dirname(dirname(fileURLToPath(import.meta.url)));
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');

/**
 * Returns a program with this number of tools, whose fields have different names, so that the tools share no types.
 * @typedef {object} Author
 * @property {string} head
 * @property {(i: number) => string} tool
 */

/** @type {Record<string, Author>} */
const authors = {
  ours: {
    head: "import { tool } from '@rootbound/protocol';",
    tool: (i) => `export const tool${i} = tool({
      name: 'tool${i}', description: 'A tool.',
      input: z.object({ a${i}: z.number(), b: z.string().optional() }), output: z.object({ sum${i}: z.number() }),
      run: ({ a${i} }) => ({ sum${i}: a${i} }),
    });`,
  },
  'sdk 1': {
    head: `import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
      const server = new McpServer({ name: 'tools', version: '1.0.0' });`,
    tool: (i) => `server.registerTool('tool${i}', {
      description: 'A tool.',
      inputSchema: { a${i}: z.number(), b: z.string().optional() }, outputSchema: { sum${i}: z.number() },
    }, ({ a${i} }) => ({ content: [], structuredContent: { sum${i}: a${i} } }));`,
  },
  'sdk 2': {
    head: `import { McpServer } from '@modelcontextprotocol/server';
      const server = new McpServer({ name: 'tools', version: '1.0.0' });`,
    tool: (i) => `server.registerTool('tool${i}', {
      description: 'A tool.',
      inputSchema: z.object({ a${i}: z.number(), b: z.string().optional() }),
      outputSchema: z.object({ sum${i}: z.number() }),
    }, ({ a${i} }) => ({ content: [], structuredContent: { sum${i}: a${i} } }));`,
  },
};

/**
 * The cost of type checking a tool definition with the published declarations.
 * @type {import('../lib/group.mjs').Group}
 */
export const types = {
  workload: 'types',
  rows: {
    further: { row: 'one more tool', unit: 'instantiations', must: 1500, aim: 600 },
    first: { row: 'the first tool', unit: 'instantiations' },
  },
  async run() {
    const folder = mkdtempSync(join(bench, '.types-'));
    /** @param {(author: Author) => Promise<number>} count */
    const each = (count) =>
      rounds(1, Object.fromEntries(Object.entries(authors).map(([name, of]) => [name, () => count(of)])));
    try {
      return {
        further: await each(async (author) => {
          const one = await instantiations(folder, author, 1);
          return ((await instantiations(folder, author, 1 + FURTHER)) - one) / FURTHER;
        }),
        first: await each(
          async (author) =>
            (await instantiations(folder, author, 1)) - (await instantiations(folder, author, 0)),
        ),
      };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/**
 * @param {string} folder
 * @param {Author} author
 * @param {number} tools
 * @returns {Promise<number>}
 */
function instantiations(folder, { head, tool }, tools) {
  const file = join(folder, 'tools.ts');
  const definitions = Array.from({ length: tools }, (_, i) => tool(i));
  writeFileSync(file, ["import * as z from 'zod';", head, ...definitions, 'export {};'].join('\n'));
  const args = `--ignoreConfig --noEmit --strict --skipLibCheck --module nodenext --target es2023 --types node`;
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [tsc, ...args.split(' '), '--extendedDiagnostics', file], (error, stdout) => {
      const found = /^Instantiations:\s+(\d+)/m.exec(stdout)?.[1];
      if (error || found === undefined) reject(new Error(`tsc: ${stdout.trim().split('\n')[0]}`));
      else resolve(Number(found));
    });
  });
}
