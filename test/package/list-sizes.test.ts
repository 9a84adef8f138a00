import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allRevisions, type Revision, statelessRevisions } from '@rootbound/protocol';
import { childProcess, connect } from '@rootbound/protocol/client';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { spec as fetchSpec } from '../../servers/fetch/src/spec.ts';
import { toolNames as filesystemTools } from '../../servers/filesystem/src/spec.ts';
import { toolsets as gitSets, spec as gitSpec } from '../../servers/git/src/spec.ts';
import { spec as sqliteSpec } from '../../servers/sqlite/src/spec.ts';
import { root } from './packages.ts';

/** A list of tools, and its limits in bytes of JSON: a model pays for the list in every session. */
interface List {
  readonly server: string;
  readonly tools: readonly string[];
  readonly flags?: readonly string[];
  readonly all: number;
  readonly each: number;
  /** tools whose many arguments alone take most of `each` */
  readonly larger?: Readonly<Record<string, number>>;
}

const lists: readonly List[] = [
  { server: 'filesystem', tools: filesystemTools, flags: ['--allow-delete'], all: 16_384, each: 2_500 },
  {
    server: 'git',
    tools: gitSets.read,
    all: 11_264,
    each: 1_000,
    larger: { git_log: 1_300, git_search: 1_200 },
  },
  { server: 'git', tools: gitSets.remote, all: 11_264, each: 1_000 },
  { server: 'git', tools: gitSpec.defaultTools, all: 20_000, each: 2_500 },
  { server: 'sqlite', tools: sqliteSpec.tools, all: 16_384, each: 1_500 },
  {
    server: 'fetch',
    tools: fetchSpec.tools,
    flags: ['--browser', process.execPath],
    all: 16_384,
    each: 2_500,
  },
];

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'rootbound-lists-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(lists)('the list of $server with $tools.length tools', (list) => {
  test.each(allRevisions)('takes few bytes in revision %s, and each tool its share', async (revision) => {
    const tools = await listed(list, revision);
    expect(tools.map(({ name }) => name)).toEqual([...list.tools]);
    const bytes = Buffer.byteLength(JSON.stringify({ tools }));
    const advice = 'shorten descriptions, or leave the tool out of the default tools of spec.ts';
    expect(bytes, `${bytes} bytes in all: ${advice}`).toBeLessThan(list.all);
    for (const tool of tools)
      expect(Buffer.byteLength(JSON.stringify(tool)), `${tool.name}: ${advice}`).toBeLessThanOrEqual(
        list.larger?.[tool.name] ?? list.each,
      );
  });
});

async function listed({ server, tools, flags = [] }: List, revision: Revision) {
  const program = join(root, 'servers', server, 'dist', 'cli.js');
  const args = [program, '--tools', tools.join(','), ...flags, folder];
  const era = statelessRevisions.includes(revision) ? { era: { pinned: revision } } : { revision };
  const options = { name: 'test', version: '1.0.0', ...era };
  const client = await connect(childProcess({ command: process.execPath, args }), options);
  onTestFinished(() => client.close());
  return client.listTools();
}
