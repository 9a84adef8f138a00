import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect, streams } from '@rootbound/protocol/client';
import { serveMemory } from '@rootbound/protocol/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { renderHelp } from '../../packages/kit/src/cli/help.ts';
import { CLIENTS } from '../../packages/kit/src/cli/options.ts';
import { createFilesystem } from '../../servers/filesystem/src/server.ts';
import { spec } from '../../servers/filesystem/src/spec.ts';
import { blocksOf, document, documents, linkedFiles, root, tableUnder } from './documents.ts';
import { Examples, stepsOf } from './examples.ts';

const all = documents();
const filesystem = document('servers/filesystem/README.md');

describe.each(all.map((one) => [one.name, one] as const))('%s', (_name, one) => {
  test('links only to files that exist', () => {
    expect(linkedFiles(one).filter((path) => !existsSync(path))).toEqual([]);
  });

  test('names only npm scripts that exist', () => {
    const scripts = scriptsOf('package.json');
    const named = [...one.text.matchAll(/\bnpm (?:run ([\w:-]+)|(start|test)\b)/g)].map(
      ([, run, short]) => run ?? short!,
    );
    expect(named.filter((name) => !scripts.includes(name))).toEqual([]);
  });

  test('names no path of a machine that somebody wrote it on', () => {
    expect(one.text.match(/(?<![\w.~/])\/(?:work|tmp|root|mnt|Users)\b[^\s]*/g)).toBeNull();
  });

  test('links to the specification at a dated revision', () => {
    const links = one.text.match(/https:\/\/modelcontextprotocol\.io\/specification[^\s)>]*/g) ?? [];
    expect(links.filter((link) => !/\/specification\/20\d\d-\d\d-\d\d\//.test(link))).toEqual([]);
  });
});

test('the documents that there must be are there', () => {
  expect(all.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'README.md',
      'CONTRIBUTING.md',
      'SECURITY.md',
      'docs/architecture.md',
      'docs/dependencies.md',
      'docs/contradictions.md',
      'packages/protocol/README.md',
      'packages/kit/README.md',
      'servers/filesystem/README.md',
    ]),
  );
});

describe('the filesystem server as documented', () => {
  test('has exactly the tools of the table, in their order', () => {
    const named = tableUnder(filesystem, 'Tools').map(([tool]) => tool!.replaceAll('`', ''));
    expect(named).toEqual([...spec.tools]);
  });

  test('has exactly the flags of the table', () => {
    const documented = tableUnder(filesystem, 'Flags').flatMap(([flag]) => optionsIn(flag!));
    const offered = optionsIn(renderHelp(spec).split('\n').filter(startsWithOption).join('\n'));
    expect(documented.toSorted()).toEqual(offered.toSorted());
  });

  test('takes every argument of the table and gives every result, by the names there', async () => {
    const rows = new Map(tableUnder(filesystem, 'Tools').map(([tool, ...cells]) => [tool, cells]));
    const wrong: string[] = [];
    for (const { name, inputSchema, outputSchema } of await listedTools()) {
      const [args, results] = rows.get(`\`${name}\``)!.map(wordsIn);
      const missing = Object.keys(inputSchema.properties!).filter((word) => !args!.includes(word));
      const unknown = args!.filter((word) => !namesIn(inputSchema).includes(word));
      const ungiven = results!.filter((word) => !namesIn(outputSchema).includes(word));
      wrong.push(...[...missing, ...unknown, ...ungiven].map((word) => `${name}: ${word}`));
    }
    expect(wrong).toEqual([]);
  });

  test('prints an entry for exactly the clients that the readme names', () => {
    const sentence = /`--print-config` knows ([^.]*)\./.exec(document('README.md').text)![1]!;
    expect([...sentence.matchAll(/`([^`]+)`/g)].map(([, name]) => name)).toEqual([...CLIENTS]);
  });

  test.each([
    ['claude-desktop', '/home/you/project', '/home/you/notes:ro'],
    ['claude-code', '/home/you/project'],
    ['vscode', '/home/you/project'],
  ])('prints the entry for %s that the readme shows', (client, ...roots) => {
    const cli = join(root, 'servers', 'filesystem', 'dist', 'cli.js');
    const printed = execFileSync(process.execPath, [cli, '--print-config', client, ...roots], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [first] = printed.replaceAll(root, '/home/you/rootbound').split(/\n(?=\{)/);
    const shown = blocksOf(document('README.md')).map(({ text }) => compact(text));
    expect(shown).toContain(compact(first!));
  });
});

describe.each(['packages/protocol/README.md', 'packages/kit/README.md'])('the examples of %s', (name) => {
  const one = document(name);
  const steps = stepsOf(one);
  let examples: Examples;
  beforeAll(async () => {
    examples = new Examples(one);
    await examples.build();
  });
  afterAll(() => examples.remove());

  test.each(steps.map(({ command, prints }) => [command, prints] as const))('%s', async (command, prints) => {
    expect(await examples.run(command)).toBe(prints);
  });

  test('are all run, or started by one that is', () => {
    const used = one.text.match(/(?<=\$ node |args: \[')[\w.-]+\.js/g) ?? [];
    expect([...new Set(used)].toSorted()).toEqual(examples.names.toSorted());
  });
});

test('a document that says what is not so is found out', () => {
  const wrong = { name: 'wrong.md', path: join(root, 'wrong.md'), text: 'See [this](no/such.md).\n' };
  expect(linkedFiles(wrong).filter((path) => !existsSync(path))).toHaveLength(1);
});

function scriptsOf(manifest: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, manifest), 'utf8')) as {
    scripts: Record<string, string>;
  };
  return Object.keys(scripts);
}

interface ListedTool {
  name: string;
  inputSchema: Schema;
  outputSchema: Schema;
}

/** The tools as a client sees them. */
async function listedTools(): Promise<ListedTool[]> {
  const options = { roots: [], readOnly: false, clientRoots: 'narrow', maxOutput: 102_400 } as const;
  const filesystemServer = createFilesystem({ ...options, tools: spec.tools });
  const client = await connect(
    streams(() => serveMemory(filesystemServer.server)),
    { name: 'docs', version: '1.0.0' },
  );
  const tools = await client.listTools();
  await client.close();
  await filesystemServer.close();
  return tools as unknown as ListedTool[]; // every tool of this server has both schemas
}

interface Schema {
  properties?: Record<string, Schema>;
  items?: Schema;
  enum?: string[];
}

/** JSON without its white space, anything else as it is. */
function compact(text: string): string {
  return text.startsWith('{') ? JSON.stringify(JSON.parse(text)) : text.trim();
}

/** The names of members and the words of choices, at any depth. */
function namesIn({ properties = {}, items, enum: choices = [] }: Schema): string[] {
  const below = [...Object.values(properties), ...(items === undefined ? [] : [items])];
  return [...Object.keys(properties), ...choices, ...below.flatMap(namesIn)];
}

function wordsIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word!);
}

function startsWithOption(line: string): boolean {
  return /^ {2}-/.test(line);
}

/** The long options in a text, each once. */
function optionsIn(text: string): string[] {
  return [...new Set(text.match(/(?<![\w-])--[a-z][a-z-]+/g) ?? [])];
}
