import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { full } from '../extent.ts';
import { modes } from './client.ts';
import { test } from './fixtures.ts';
import { sdks } from './sdk.ts';
import { cli } from './servers.ts';
import type { ToolResult } from './session.ts';
import { type CallTool, Uses } from './uses.ts';
import { uriOf, type Workspace } from './workspace.ts';

/** Allows every change without confirmation, and keeps results small, so that pages and parts are needed. */
const options = ['--allow-delete', '--confirm', 'never', '--max-output', '2K'];

async function everyUse(call: CallTool, workspace: Workspace): Promise<void> {
  const uses = new Uses(call, workspace);
  await uses.reads();
  await uses.writes();
  await uses.edits();
  await uses.finds();
}

/** All clients in the full run; otherwise the oldest and one of each era. */
const kinds = full ? [...sdks, modes.legacy, modes.auto] : [sdks[0]!, modes.legacy, modes.auto];

describe.each(kinds)('$name at $revision', (kind) => {
  test('reads, writes, edits and finds with every argument', async ({ servers, workspace }) => {
    const session = await kind.connect({ servers, args: [...options, workspace.root] });
    // newer clients validate the structured half against the output schema
    await session.listTools();
    await everyUse((name, args) => session.callTool(name, args), workspace);
  });

  test('gets every prompt with completed paths', async ({ servers, workspace }) => {
    const session = await kind.connect({ servers, args: [workspace.root] });
    const { prompts } = await session.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['explore', 'review_changes', 'explain_file']);
    for (const { name } of prompts) {
      const typed = join(workspace.root, name === 'explain_file' ? 'no' : 'in');
      const [path] = await session.completePrompt(name, 'path', typed);
      const { messages } = await session.getPrompt(name, { path: path! });
      expect(JSON.stringify(messages)).toContain(name === 'explain_file' ? 'alpha' : 'inner');
    }
  });

  test('is notified of a folder and of a file that is created', async ({ servers, workspace }) => {
    const session = await kind.connect({ servers, args: [workspace.root] });
    const heard = new Set<string>();
    let wake = (): void => {};
    session.onUpdated((uri) => {
      heard.add(uri);
      wake();
    });
    const coming = join(workspace.inner, 'coming.txt');
    const uris = [uriOf(workspace.inner), uriOf(coming)];
    for (const uri of uris) await session.watch(uri);
    writeFileSync(coming, 'here\n');
    while (!uris.every((uri) => heard.has(uri))) await new Promise<void>((resolve) => (wake = resolve));
    expect((await session.readResource(uris[1]!)).contents[0]?.text).toBe('here\n');
  });
});

interface HttpClient {
  connect(transport: object): Promise<void>;
  close(): Promise<void>;
  listTools(): Promise<unknown>;
  callTool(params: object): Promise<ToolResult>;
  getPrompt(params: object): Promise<{ messages: object[] }>;
  complete(params: object): Promise<{ completion: { values: string[] } }>;
}
type ClientClass = new (info: object, options: object) => HttpClient;
type TransportClass = new (url: URL) => object;

interface OverHttp {
  Client: ClientClass;
  StreamableHTTPClientTransport: TransportClass;
}

const overHttp: [name: string, load: () => Promise<OverHttp>][] = [
  [
    'SDK 1.32.2',
    async () => ({
      ...((await import('sdk-2025-11-25/client/index.js')) as { Client: ClientClass }),
      ...((await import('sdk-2025-11-25/client/streamableHttp.js')) as {
        StreamableHTTPClientTransport: TransportClass;
      }),
    }),
  ],
  ['client 2.4.0', async () => (await import('@modelcontextprotocol/client')) as unknown as OverHttp],
];

/** Starts the built server over HTTP and returns its address. */
async function serving(root: string): Promise<URL> {
  const child = spawn(process.execPath, [cli, '--http', '0', ...options, root], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return new Promise((resolve, reject) => {
    let stderr = '';
    child.stderr.on('data', (bytes: Buffer) => {
      stderr += String(bytes);
      const [, address] = /^listening on (http:\S+)$/m.exec(stderr) ?? [];
      if (address !== undefined) resolve(new URL(address));
    });
    child.once('exit', () => reject(new Error(`it ended: ${stderr}`)));
  });
}

test.for(overHttp)(
  'over HTTP %s reads, writes, edits and finds with every argument, and completes the path of a prompt',
  async ([, load], { workspace }) => {
    const { Client, StreamableHTTPClientTransport } = await load();
    const address = await serving(workspace.root);
    const client = new Client(
      { name: 'interop', version: '1.0.0' },
      { versionNegotiation: { mode: 'auto' } },
    );
    await client.connect(new StreamableHTTPClientTransport(address));
    onTestFinished(() => client.close());
    await client.listTools();
    await everyUse((name, args) => client.callTool({ name, arguments: args }), workspace);
    const ref = { type: 'ref/prompt', name: 'explain_file' };
    const argument = { name: 'path', value: join(workspace.inner, 'ins') };
    const { values } = (await client.complete({ ref, argument })).completion;
    expect(values).toEqual([workspace.inside]);
    const prompt = await client.getPrompt({ name: 'explain_file', arguments: { path: values[0] } });
    expect(JSON.stringify(prompt.messages)).toContain('inside');
  },
);
