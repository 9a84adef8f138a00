import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolCatalog } from '@rootbound/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { renderHelp } from '../../packages/kit/src/cli/help.ts';
import { CLIENTS } from '../../packages/kit/src/cli/options.ts';
import { catalog as fetchCatalog } from '../../servers/fetch/src/catalog.ts';
import { promptsFor as fetchPrompts } from '../../servers/fetch/src/prompts.ts';
import { resources as fetchResources } from '../../servers/fetch/src/resources.ts';
import { spec as fetchSpec } from '../../servers/fetch/src/spec.ts';
import { catalog as filesystemCatalog } from '../../servers/filesystem/src/catalog.ts';
import { spec as filesystemSpec } from '../../servers/filesystem/src/spec.ts';
import { catalog as gitCatalog } from '../../servers/git/src/catalog.ts';
import { promptsFor as gitPrompts } from '../../servers/git/src/mcp/prompts/prompts.ts';
import { resources as gitResources } from '../../servers/git/src/mcp/resources/resources.ts';
import { spec as gitSpec } from '../../servers/git/src/spec.ts';
import { catalog as sqliteCatalog } from '../../servers/sqlite/src/catalog.ts';
import { promptsFor as sqlitePrompts } from '../../servers/sqlite/src/prompts.ts';
import { resources as sqliteResources } from '../../servers/sqlite/src/resources.ts';
import { spec as sqliteSpec } from '../../servers/sqlite/src/spec.ts';
import { blocksOf, document, documents, linkedFiles, root, tableUnder } from './documents.ts';
import { Examples, stepsOf } from './examples.ts';

const all = documents();
const servers = [
  { name: 'filesystem', spec: filesystemSpec, catalog: filesystemCatalog, toolsets: {} },
  { name: 'git', spec: gitSpec, catalog: gitCatalog, toolsets: gitSpec.toolsets },
  { name: 'sqlite', spec: sqliteSpec, catalog: sqliteCatalog, toolsets: sqliteSpec.toolsets },
  { name: 'fetch', spec: fetchSpec, catalog: fetchCatalog, toolsets: fetchSpec.toolsets },
];
const families = [
  { name: 'git', prefix: 'git:///{+repo}', resources: gitResources, prompts: gitPrompts(() => true) },
  {
    name: 'sqlite',
    prefix: 'sqlite:///{+database}',
    resources: sqliteResources,
    prompts: sqlitePrompts(() => true),
  },
  { name: 'fetch', prefix: 'page:{+page}', resources: fetchResources, prompts: fetchPrompts(() => true) },
];

describe.each(all.map((one) => [one.name, one] as const))('%s', (_name, one) => {
  test('links only to files that exist', () => {
    expect(linkedFiles(one).filter((path) => !existsSync(path))).toEqual([]);
  });

  test('names only npm scripts that exist', () => {
    // of this repository, or of a server that is created
    const scripts = ['package.json', 'packages/create-server/template/package.json'].flatMap(scriptsOf);
    const named = [...one.text.matchAll(/\bnpm (?:run ([\w:-]+)|(start|test)\b)/g)].map(
      ([, run, short]) => run ?? short!,
    );
    expect(named.filter((name) => !scripts.includes(name))).toEqual([]);
  });

  test('has no path of the machine on which it was written', () => {
    expect(one.text.match(/(?<![\w.~/])\/(?:work|tmp|root|mnt|Users)\b[^\s]*/g)).toBeNull();
  });

  test('links to the specification at a dated revision', () => {
    const links = one.text.match(/https:\/\/modelcontextprotocol\.io\/specification[^\s)>]*/g) ?? [];
    expect(links.filter((link) => !/\/specification\/20\d\d-\d\d-\d\d\//.test(link))).toEqual([]);
  });
});

/** The most words of a page that people read first, in the way of wc. */
const limits = {
  'README.md': 900,
  'CONTRIBUTING.md': 900,
  'docs/architecture.md': 900,
  ...Object.fromEntries(servers.map(({ name }) => [`servers/${name}/README.md`, 1200])),
};

test.each(Object.entries(limits))('%s has less than %d words', (name, most) => {
  expect(document(name).text.trim().split(/\s+/).length).toBeLessThan(most);
});

describe.each(servers)('the $name server as documented', ({ name, spec, catalog, toolsets }) => {
  const reference = document(`docs/reference/${name}.md`);
  const toolsUnder = (heading: string): string[] =>
    tableUnder(reference, heading).map(([tool]) => tool!.replaceAll('`', ''));

  test('has exactly the tools of the table, in their order', () => {
    expect(toolsUnder('Tools')).toEqual([...spec.tools]);
  });

  test('has exactly the tools of the table in its README', () => {
    const rows = tableUnder(document(`servers/${name}/README.md`), 'Tools');
    const names = rows.flatMap((cells) => wordsIn(cells.slice(0, -1).join(' ')));
    const sets: Record<string, unknown> = toolsets;
    expect(names.filter((word) => !(word in sets) || rows[0]!.length < 3).toSorted()).toEqual(
      [...spec.tools].toSorted(),
    );
  });

  test('has exactly the sets of tools that the headings name', () => {
    const sets = Object.keys(toolsets).map((set) => [set, toolsUnder(`\`${set}\``)]);
    expect(Object.fromEntries(sets)).toEqual(toolsets);
  });

  test('has exactly the flags of the table', () => {
    const documented = tableUnder(reference, 'Flags').flatMap(([flag]) => optionsIn(flag!));
    const offered = optionsIn(renderHelp(spec).split('\n').filter(startsWithOption).join('\n'));
    expect(documented.toSorted()).toEqual(offered.toSorted());
  });

  test('takes every argument of the table and gives every result, by the names there', async () => {
    const rows = new Map(tableUnder(reference, 'Tools').map(([tool, ...cells]) => [tool, cells]));
    const wrong: string[] = [];
    for (const tool of await definitionsOf(catalog, spec.tools)) {
      const { inputSchema, outputSchema } = tool;
      const [args, results] = rows.get(`\`${tool.name}\``)!.map(wordsIn);
      const missing = Object.keys(inputSchema.properties ?? {}).filter((word) => !args!.includes(word));
      const unknown = args!.filter((word) => !namesIn(inputSchema).includes(word));
      const given = [...namesIn(outputSchema), ...optionsIn(results!.join(' '))];
      const ungiven = results!.filter((word) => !given.includes(word));
      wrong.push(...[...missing, ...unknown, ...ungiven].map((word) => `${tool.name}: ${word}`));
    }
    expect(wrong).toEqual([]);
  });
});

describe.each(families)('the resources and prompts of the $name server as documented', (family) => {
  const reference = document(`docs/reference/${family.name}.md`);
  const rows = tableUnder(reference, 'Resources, subscriptions, prompts');
  const isQuery = ([first]: string[]): boolean => first!.startsWith('`?');

  test('are exactly the queries of the table, and the others that the text names', () => {
    const offered = family.resources.map(({ uriTemplate }) => uriTemplate);
    const queries = offered.filter((one) => one.startsWith(family.prefix));
    const documented = rows.filter(isQuery).flatMap(([words]) => wordsIn(words!));
    expect(new Set(['', ...documented])).toEqual(
      new Set(queries.map((one) => one.replace(family.prefix, ''))),
    );
    const others = offered.filter((one) => !queries.includes(one));
    expect(others.filter((one) => !reference.text.includes(`\`${one}\``))).toEqual([]);
  });

  test('are exactly the prompts of the table, with their arguments', () => {
    const offered = family.prompts.map(({ name, arguments: taken = [] }) => [
      name,
      taken.map((each) => each.name),
    ]);
    const documented = rows.filter((row) => wordsIn(row[0]!).length > 0 && !isQuery(row));
    expect(documented.map(([name, taken]) => [wordsIn(name!)[0], wordsIn(taken!)])).toEqual(offered);
  });
});

test('the page of clients names exactly the clients that an entry is printed for', () => {
  const sentence = /`--print-config` knows ([^.]*)\./.exec(document('docs/clients.md').text)![1]!;
  expect([...sentence.matchAll(/`([^`]+)`/g)].map(([, name]) => name)).toEqual([...CLIENTS]);
});

test.each([
  ['README.md', 'filesystem', 'claude-desktop', '/home/you/project'],
  ['docs/clients.md', 'filesystem', 'claude-desktop', '/home/you/project', '/home/you/notes:ro'],
  ['docs/clients.md', 'filesystem', 'claude-code', '/home/you/project'],
  ['docs/clients.md', 'filesystem', 'vscode', '/home/you/project'],
  ['docs/clients.md', 'filesystem', 'vscode', '--http', '3000', '/home/you/project'],
  ['servers/filesystem/README.md', 'filesystem', 'claude-desktop', '/home/you/project'],
  ['servers/filesystem/README.md', 'filesystem', 'claude-code', '/home/you/project'],
  ['servers/git/README.md', 'git', 'claude-desktop', '/home/you/code'],
  ['servers/git/README.md', 'git', 'claude-code', '/home/you/code'],
  ['servers/sqlite/README.md', 'sqlite', 'claude-desktop', '/home/you/data'],
  ['servers/sqlite/README.md', 'sqlite', 'claude-code', '/home/you/data'],
  ['servers/fetch/README.md', 'fetch', 'claude-desktop', '/home/you/downloads'],
  ['servers/fetch/README.md', 'fetch', 'claude-code', '/home/you/downloads'],
])('%s has the entry that the %s server prints for %s', (page, server, client, ...roots) => {
  const cli = join(root, 'servers', server, 'dist', 'cli.js');
  const printed = execFileSync(process.execPath, [cli, '--print-config', client, ...roots], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [first] = printed.replaceAll(root, '/home/you/rootbound').split(/\n(?=\{)/);
  const blocks = blocksOf(document(page)).map(({ text }) => compact(text));
  expect(blocks).toContain(compact(first!));
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
    // a misspelt command line ends with 2
    const status = /unknown option/.test(prints) ? 2 : 0;
    expect(await examples.run(command)).toEqual({ status, printed: prints });
  });

  test('are all run, or started by one that is', () => {
    const used = one.text.match(/(?<=\$ node |args: \[')[\w.-]+\.js/g) ?? [];
    expect([...new Set(used)].toSorted()).toEqual(examples.names.toSorted());
  });
});

test('a link to a missing file is found', () => {
  const wrong = { name: 'wrong.md', path: join(root, 'wrong.md'), text: 'See [this](no/such.md).\n' };
  expect(linkedFiles(wrong).filter((path) => !existsSync(path))).toHaveLength(1);
});

test('the page of dependencies has every package that another one of ours names, at its version', () => {
  const page = document('docs/dependencies.md').text;
  const named = ['packages', 'servers'].flatMap((parent) =>
    readdirSync(join(root, parent)).flatMap((name) => dependenciesOf(join(parent, name, 'package.json'))),
  );
  expect(new Set(named.filter((one) => !page.includes(one)))).toEqual(new Set());
});

/** Returns the dependencies of a manifest on other projects, as `name version`. */
function dependenciesOf(manifest: string): string[] {
  const kinds = ['dependencies', 'optionalDependencies', 'devDependencies'] as const;
  const text = readFileSync(join(root, manifest), 'utf8');
  const parsed = JSON.parse(text) as Partial<Record<(typeof kinds)[number], Record<string, string>>>;
  return kinds
    .flatMap((kind) => Object.entries(parsed[kind] ?? {}))
    .filter(([, version]) => !version.startsWith('workspace:'))
    .map(([name, version]) => `${name} ${version}`);
}

function scriptsOf(manifest: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, manifest), 'utf8')) as {
    scripts: Record<string, string>;
  };
  return Object.keys(scripts);
}

interface Definition {
  name: string;
  inputSchema: Schema;
  outputSchema: Schema;
}

/** Loads tools with their whole schemas, of which `tools/list` leaves out a part. */
async function definitionsOf(
  catalog: ToolCatalog<never>,
  names: readonly string[],
): Promise<readonly Definition[]> {
  const tools = await Promise.all(names.map(async (name) => catalog.load(name)));
  return tools.map(({ name, input, output }) => ({
    name,
    inputSchema: z.toJSONSchema(input, { io: 'input' }) as Schema,
    outputSchema: z.toJSONSchema(output!, { io: 'output' }) as Schema, // every tool of these servers has both
  }));
}

interface Schema {
  properties?: Record<string, Schema>;
  items?: Schema;
  enum?: string[];
  anyOf?: Schema[];
}

/** Removes the white space of JSON, and trims any other text. */
function compact(text: string): string {
  return text.startsWith('{') ? JSON.stringify(JSON.parse(text)) : text.trim();
}

/** Returns the names of members and the values of enums, at any depth. */
function namesIn({ properties = {}, items, enum: choices = [], anyOf = [] }: Schema): string[] {
  const below = [...Object.values(properties), ...anyOf, ...(items === undefined ? [] : [items])];
  return [...Object.keys(properties), ...choices, ...below.flatMap(namesIn)];
}

function wordsIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word!);
}

function startsWithOption(line: string): boolean {
  return /^ {2}-/.test(line);
}

/** Returns the long options in a text, each once. */
function optionsIn(text: string): string[] {
  return [...new Set(text.match(/(?<![\w-])--[a-z][a-z-]+/g) ?? [])];
}
