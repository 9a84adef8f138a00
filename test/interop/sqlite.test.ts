import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { modes } from './client.ts';
import { test } from './fixtures.ts';
import { sdks } from './sdk.ts';
import { sqliteCli } from './servers.ts';
import type { ClientKind, Session, ToolResult } from './session.ts';
import type { Workspace } from './workspace.ts';

/** The tool names of the archived `mcp-server-sqlite` that are listed. */
const officialTools = ['read_query', 'write_query', 'list_tables', 'describe_table', 'append_insight'];
/** Rows of the large table, enough for progress. */
const MANY = 50_000;

/** Opens a session with one database, in the configuration of the archived server. */
async function connected(
  { connect }: ClientKind,
  { servers, workspace }: { servers: Parameters<typeof connect>[0]['servers']; workspace: Workspace },
): Promise<{ session: Session; use: (tool: string, args?: Record<string, unknown>) => Promise<string> }> {
  const path = join(workspace.root, 'shop.db');
  const session = await connect({ servers, program: sqliteCli, args: ['--db-path', path] });
  const use = async (tool: string, args: Record<string, unknown> = {}): Promise<string> => {
    const result = await session.callTool(tool, args);
    expect([tool, result.isError ?? false, textOf(result)]).toEqual([tool, false, expect.any(String)]);
    return textOf(result);
  };
  return { session, use };
}

/** The clients that run every test. */
const thorough = new Set(['SDK 1.32.2', 'client 2.4.0 (pinned)']);

for (const kind of [...sdks, ...Object.values(modes)]) describeSqlite(kind);

function describeSqlite(kind: ClientKind): void {
  const { name, revision } = kind;
  const at = `at ${revision}`;

  describe.concurrent(`${name} with the SQLite server ${at}`, () => {
    test(`${name} works as with the archived official server ${at}`, async ({ servers, workspace }) => {
      const { session, use } = await connected(kind, { servers, workspace });
      const listed = (await session.listTools()).tools.map((tool) => tool.name);
      expect(listed).toEqual(expect.arrayContaining(officialTools));
      await use('create_table', { query: 'CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)' });
      await use('write_query', { query: "INSERT INTO item (name) VALUES ('kettle'), ('größe')" });
      expect(await use('list_tables')).toContain('item');
      expect(await use('describe_table', { table_name: 'item' })).toContain('INTEGER');
      expect(await use('read_query', { query: 'SELECT name FROM item ORDER BY id' })).toMatch(
        /kettle.*größe/s,
      );
      const refused = await session.callTool('read_query', { query: 'DELETE FROM item' });
      expect(refused.isError).toBe(true);
      await use('append_insight', { insight: 'kettles sell best' });
      const { contents } = await session.readResource('memo://insights');
      expect(contents[0]!.text).toContain('kettles sell best');
      expect((await session.listPrompts()).prompts.map((prompt) => prompt.name)).toContain('mcp-demo');
      const { messages } = await session.getPrompt('mcp-demo', { topic: 'retail' });
      expect(messages.map(({ content }) => content.text).join('\n')).toContain('retail');
    });

    // one client per era is enough here: the others are tested with the filesystem server
    if (!thorough.has(name)) return;

    test(`${name} sees how far a large query is, and reads its rows as a file, ${at}`, async ({
      servers,
      workspace,
    }) => {
      const { session, use } = await connected(kind, { servers, workspace });
      await use('create_table', { query: 'CREATE TABLE reading (id INTEGER PRIMARY KEY, name TEXT)' });
      await use('write_query', {
        query: `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MANY})
          INSERT INTO reading SELECT i, 'name ' || i FROM n`,
      });
      const heard: number[] = [];
      const result = await session.callTool(
        'read_query',
        { query: 'SELECT id, name FROM reading ORDER BY id', format: 'csv' },
        { onprogress: ({ progress }) => heard.push(progress) },
      );
      expect(result.isError ?? false).toBe(false);
      expect(heard.length).toBeGreaterThan(0);
      expect(heard).toEqual(heard.toSorted((a, b) => a - b));
      const link = result.content.find(({ type }) => type === 'resource_link') as { uri: string } | undefined;
      const { contents } = await session.readResource(link!.uri);
      expect(contents[0]!.mimeType).toContain('text/csv');
      const lines = contents[0]!.text!.trimEnd().split(/\r?\n/);
      expect([lines.length, lines[0], lines.at(-1)]).toEqual([MANY + 1, 'id,name', `${MANY},name ${MANY}`]);
    });

    test(`${name} is told of a row that was added, ${at}`, async ({ servers, workspace }) => {
      const { session, use } = await connected(kind, { servers, workspace });
      await use('create_table', { query: 'CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT)' });
      const { resources } = await session.listResources();
      const own = resources.find(({ uri }) => uri.startsWith('sqlite:///') && uri.endsWith('shop.db'))!;
      const uri = `${own.uri}?table=item`;
      const updated = new Promise<string>((resolve) => session.onUpdated(resolve));
      await session.watch(uri);
      await use('write_query', { query: "INSERT INTO item (name) VALUES ('kettle')" });
      expect(await updated).toBe(uri);
      expect((await session.readResource(uri)).contents[0]!.uri).toBe(uri);
    });
  });
}

test('the SQLite server serves HTTP to both eras', async ({ workspace }) => {
  const path = join(workspace.root, 'shop.db');
  const child = spawn(process.execPath, [sqliteCli, '--http', '0', '--db-path', path], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(child.stderr, 'data')) as [Buffer];
  const url = new URL(/http:\S+/.exec(String(line))![0]);
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  for (const mode of ['legacy', { pin: '2026-07-28' }] as const) {
    const client = new Client({ name: 'interop', version: '1.0.0' }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(url));
    const result = await client.callTool({
      name: 'read_query',
      arguments: { query: 'SELECT 6 * 7 AS answer' },
    });
    expect(JSON.stringify(result.content)).toContain('42');
    await client.close();
  }
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

function textOf({ content }: ToolResult): string {
  return content.map(({ text }) => text).join('\n');
}
