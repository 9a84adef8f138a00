import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest';
import { article, Site } from '../../servers/fetch/test/site.ts';
import { modes } from './client.ts';
import { test } from './fixtures.ts';
import { sdks } from './sdk.ts';
import { fetchCli } from './servers.ts';
import type { ClientKind, Session, ToolResult } from './session.ts';

let site: Site;
beforeAll(async () => {
  site = await new Site().start();
  site.page('/robots.txt', 'User-agent: *\nDisallow: /private', 'text/plain');
});
afterAll(() => site.close());

const KEPT = { 'cache-control': 'max-age=600' };
/** The options of the official server, and the loopback site that this server may fetch. */
const options = () => ['--user-agent', 'Known/1.0', '--ignore-robots-txt', '--allow-private', site.host];

/** A session with the built server, and the text of a tool's result. */
async function connected(
  { connect }: ClientKind,
  servers: Parameters<ClientKind['connect']>[0]['servers'],
  args = options(),
): Promise<{ session: Session; use: (tool: string, args: Record<string, unknown>) => Promise<string> }> {
  const session = await connect({ servers, program: fetchCli, args });
  const use = async (tool: string, args: Record<string, unknown>): Promise<string> => {
    const result = await session.callTool(tool, args);
    expect([tool, result.isError ?? false, textOf(result)]).toEqual([tool, false, expect.any(String)]);
    return textOf(result);
  };
  return { session, use };
}

/** The clients that run every test. */
const thorough = new Set(['SDK 1.32.2', 'client 2.4.0 (pinned)']);

for (const kind of [...sdks, ...Object.values(modes)]) describeFetch(kind);

function describeFetch(kind: ClientKind): void {
  const { name, revision } = kind;
  const at = `at ${revision}`;
  const own = `/${name.replace(/\W/g, '-')}`;

  describe.concurrent(`${name} with the fetch server ${at}`, () => {
    test(`${name} works as with the official server ${at}`, async ({ servers }) => {
      const { session, use } = await connected(kind, servers);
      expect((await session.listTools()).tools.map((tool) => tool.name)).toContain('fetch');
      const agents: (string | undefined)[] = [];
      site.paths.set(`/private${own}`, (request, response) => {
        agents.push(request.headers['user-agent']);
        response.writeHead(200, { 'content-type': 'text/html', ...KEPT }).end(article(20));
      });
      const url = site.url(`/private${own}`);
      const first = await use('fetch', { url });
      expect(first).toContain('# Kettles');
      const next = Number(/start_index (\d+)/.exec(first)![1]);
      expect(next).toBeLessThanOrEqual(5000);
      expect(await use('fetch', { url, start_index: next, max_length: 300 })).toContain('speaks of kettles');
      expect(await use('fetch', { url, raw: true, max_length: 100 })).toContain('<!doctype html>');
      const { messages } = await session.getPrompt('fetch', { url });
      const text = messages.map(({ content }) => content.text).join('\n');
      expect(text).toContain('Section 19 speaks');
      expect(new Set(agents)).toEqual(new Set(['Known/1.0']));
      const refused = await session.callTool('fetch', { url: 'http://169.254.169.254/latest/meta-data' });
      expect(refused.isError).toBe(true);
    });

    // one client per era is enough here: the others are tested with the filesystem server
    if (!thorough.has(name)) return;

    test(`${name} uses every tool that reads, ${at}`, async ({ servers }) => {
      const { use } = await connected(kind, servers);
      const url = site.page(own, article(5), 'text/html', KEPT);
      expect(await use('fetch_many', { urls: [url, url] })).toContain('Section 0 speaks');
      expect(await use('get_outline', { url })).toContain('1.5 Part 4');
      expect(await use('find_in_page', { url, query: 'section 3' })).toContain('> Section 3');
      expect(await use('list_links', { url })).toContain(site.url('/tea'));
      expect(await use('get_metadata', { url })).toContain('On kettles');
      expect(await use('compare_page', { url })).toMatch(/ since \d{4}-/);
    });

    test(`${name} reads a fetched page as a resource, and is told when it changes, ${at}`, async ({
      servers,
    }) => {
      const { session, use } = await connected(kind, servers, [...options(), '--watch-interval', '1']);
      const url = site.page(`${own}-watched`, article(1));
      await use('fetch', { url });
      const { resources } = await session.listResources();
      const { uri } = resources.find(({ uri }) => uri.startsWith('page:'))!;
      expect((await session.readResource(uri)).contents[0]).toMatchObject({
        uri,
        mimeType: 'text/markdown',
        text: expect.stringContaining('Section 0 speaks'),
      });
      const updated = new Promise<string>((resolve) => session.onUpdated(resolve));
      await session.watch(uri);
      site.page(`${own}-watched`, article(2));
      expect(await updated).toBe(uri);
      expect((await session.readResource(uri)).contents[0]!.text).toContain('Section 1 speaks');
    });

    test(`${name} saves a file below a root and sends a request, which is offered when it is asked for, ${at}`, async ({
      servers,
      workspace,
    }) => {
      const { session, use } = await connected(kind, servers, [...options(), workspace.root]);
      const url = site.page(`${own}-saved.txt`, 'tea for two', 'text/plain');
      expect(await use('download', { url, path: 'inner/tea.txt' })).toContain(
        'saved inner/tea.txt: 11 bytes',
      );
      expect(readFileSync(join(workspace.inner, 'tea.txt'), 'utf8')).toBe('tea for two');
      const again = await session.callTool('download', { url, path: 'inner/tea.txt' });
      expect([again.isError, textOf(again)]).toEqual([true, expect.stringContaining('already exists')]);
      const outside = await session.callTool('download', { url, path: join(workspace.elsewhere, 'tea.txt') });
      expect(outside.isError).toBe(true);
      expect((await session.listTools()).tools.map((tool) => tool.name)).not.toContain('request');
      const writing = await connected(kind, servers, [...options(), '--tools', 'request']);
      echo(`${own}-echo`);
      const sent = { url: site.url(`${own}-echo`), method: 'PUT', json: { cups: 2 } };
      expect(await writing.use('request', sent)).toContain('PUT {"cups":2}');
    });

    test(`${name} sees how far a page is, and closes its connection by cancelling, ${at}`, async ({
      servers,
    }) => {
      const { session } = await connected(kind, servers);
      const closed = new Promise((resolve) => {
        site.paths.set(`${own}-slow`, (_, response) => {
          response.on('close', resolve);
          response.writeHead(200, { 'content-type': 'text/html' });
          response.write(article(10));
        });
      });
      const controller = new AbortController();
      const outcome = session.callTool(
        'fetch',
        { url: site.url(`${own}-slow`) },
        { signal: controller.signal, onprogress: () => controller.abort() },
      );
      await expect(outcome).rejects.toThrow();
      await closed;
    });
  });
}

test('every request goes through the proxy that the command line names', async ({ servers }) => {
  const asked: string[] = [];
  const proxy = createServer((request, response) => {
    asked.push(request.url!);
    response.writeHead(200, { 'content-type': 'text/html' }).end(article(1));
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  const { port } = proxy.address() as AddressInfo; // it listens on a port
  const { use } = await connected(modes.pinned, servers, [
    ...options(),
    '--proxy-url',
    `http://127.0.0.1:${port}`,
  ]);
  expect(await use('fetch', { url: site.url('/through') })).toContain('Section 0 speaks');
  expect(asked).toEqual([site.url('/through')]);
  expect(site.asked).not.toContain('/through');
});

test('the fetch server serves HTTP to both eras: pages, downloads into its root, and requests', async ({
  workspace,
}) => {
  const args = ['--http', '0', ...options(), '--tools', 'read,download,request', workspace.root];
  const child = spawn(process.execPath, [fetchCli, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(child.stderr, 'data')) as [Buffer];
  const url = new URL(/http:\S+/.exec(String(line))![0]);
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const eras = { handshake: 'legacy', stateless: { pin: '2026-07-28' } } as const;
  for (const [era, mode] of Object.entries(eras)) {
    const client = new Client({ name: 'interop', version: '1.0.0' }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(url));
    const page = site.page('/over-http', article(1));
    const result = await client.callTool({ name: 'fetch', arguments: { url: page } });
    expect(JSON.stringify(result.content)).toContain('Section 0 speaks');
    const path = join(workspace.root, `${era}.txt`);
    const saved = await client.callTool({
      name: 'download',
      arguments: { url: site.page('/tea.txt', 'tea for two', 'text/plain'), path },
    });
    expect([saved.isError ?? false, readFileSync(path, 'utf8')]).toEqual([false, 'tea for two']);
    echo('/echo');
    const sent = await client.callTool({
      name: 'request',
      arguments: { url: site.url('/echo'), method: 'POST', body: 'two cups' },
    });
    expect(JSON.stringify(sent.content)).toContain('POST two cups');
    await client.close();
  }
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

/** Adds a path that responds with the method and body of the request. */
function echo(path: string): void {
  site.paths.set(path, (request, response) => {
    let body = '';
    request.on('data', (piece: Buffer) => {
      body += piece.toString();
    });
    request.on('end', () => response.end(`${request.method} ${body}`));
  });
}

function textOf({ content }: ToolResult): string {
  return content.map(({ text }) => text).join('\n');
}
