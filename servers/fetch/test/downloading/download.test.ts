import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test, vi } from 'vitest';
import { newest } from '../harness.ts';
import { Downloads, everything, sha256 } from './setting.ts';

const downloads = new Downloads();
const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(5000, 7)]);

test('a file is saved whole, with its sum, its type by its bytes, and a link to it', async () => {
  const root = downloads.folder();
  const url = downloads.site.page('/tea.png', png, 'application/octet-stream');
  const { facts, failed, result } = await downloads.download(await downloads.client([root]), url);
  const uri = pathToFileURL(join(root, 'tea.png')).href;
  expect(failed).toBe(false);
  expect(facts).toMatchObject({
    path: join(root, 'tea.png'),
    uri,
    bytes: png.length,
    sha256: sha256(png),
    media_type: 'image/png',
    content_type: 'application/octet-stream',
    replaced: false,
  });
  expect(result.content).toContainEqual({
    type: 'resource_link',
    uri,
    name: 'tea.png',
    mimeType: 'image/png',
    size: png.length,
  });
  expect(readFileSync(join(root, 'tea.png'))).toEqual(png);
  expect(everything(root)).toEqual(['tea.png']);
});

test('an empty file is saved', async () => {
  const root = downloads.folder();
  const url = downloads.site.page('/empty.txt', '', 'text/plain');
  const { facts } = await downloads.download(await downloads.client([root]), url);
  expect([facts.bytes, facts.sha256, everything(root)]).toEqual([0, sha256(''), ['empty.txt']]);
});

test('a name that the server gives stays within the folder that was asked for', async () => {
  const root = downloads.folder();
  mkdirSync(join(root, 'in'));
  const url = downloads.site.page('/get', 'x', 'text/plain', {
    'content-disposition': 'attachment; filename="../../../../escaped.txt"',
  });
  const { facts } = await downloads.download(await downloads.client([root]), url, { path: join(root, 'in') });
  expect(facts.path).toBe(join(root, 'in', 'escaped.txt'));
  expect(everything(root)).toEqual(['in', 'in/escaped.txt']);
});

test('after redirects the last URL names the file', async () => {
  const root = downloads.folder();
  const end = downloads.site.page('/end/cup.txt', 'x', 'text/plain');
  downloads.site.paths.set('/begin.html', (_, response) => response.writeHead(302, { location: end }).end());
  const { facts } = await downloads.download(
    await downloads.client([root]),
    downloads.site.url('/begin.html'),
  );
  expect([facts.final_url, everything(root)]).toEqual([end, ['cup.txt']]);
});

test('what is there is not replaced, and for a path that was named nothing is even asked', async () => {
  const root = downloads.folder();
  writeFileSync(join(root, 'kept.txt'), 'mine');
  const client = await downloads.client([root]);
  const url = downloads.site.page('/kept.txt', 'theirs', 'text/plain');
  downloads.site.asked.length = 0;
  const named = await downloads.download(client, url, { path: join(root, 'kept.txt') });
  expect([named.failed, named.code, downloads.site.asked]).toEqual([true, 'exists', []]);
  const unnamed = await downloads.download(client, url);
  expect([unnamed.failed, unnamed.code]).toEqual([true, 'exists']);
  expect(readFileSync(join(root, 'kept.txt'), 'utf8')).toBe('mine');
});

test('overwrite replaces the file at path, and no file that only the response names', async () => {
  const root = downloads.folder();
  writeFileSync(join(root, 'kept.txt'), 'mine');
  const client = await downloads.client([root]);
  const url = downloads.site.page('/kept.txt', 'theirs', 'text/plain');
  const unnamed = await downloads.download(client, url, { overwrite: true });
  expect([unnamed.code, readFileSync(join(root, 'kept.txt'), 'utf8')]).toEqual(['invalid-arguments', 'mine']);
  const { facts } = await downloads.download(client, url, { path: join(root, 'kept.txt'), overwrite: true });
  expect([facts.replaced, readFileSync(join(root, 'kept.txt'), 'utf8')]).toEqual([true, 'theirs']);
});

test.each([
  ['outside of the roots', (outside: string) => join(outside, 'outside.txt')],
  ['above the root', () => '../outside.txt'],
  ['through a link that leads outside', () => 'out/outside.txt'],
  ['at a link that leads outside', () => 'link.txt'],
  ['in a folder that is denied', () => '.git/hooks/post-checkout'],
  ['in the folder of what is not ready', () => '.rootbound-staging/x'],
])('a path %s is refused before a request is sent', async (_what, path) => {
  const root = downloads.folder();
  mkdirSync(join(root, '.git/hooks'), { recursive: true });
  const outside = downloads.folder();
  symlinkSync(outside, join(root, 'out'));
  symlinkSync(join(outside, 'outside.txt'), join(root, 'link.txt'));
  const url = downloads.site.page('/x.txt', 'x', 'text/plain');
  downloads.site.asked.length = 0;
  const { failed } = await downloads.download(await downloads.client([root]), url, {
    path: path(outside),
    overwrite: true,
  });
  expect([failed, downloads.site.asked]).toEqual([true, []]);
  expect([everything(outside), readdirSync(join(root, '.git/hooks'))]).toEqual([[], []]);
});

test('--deny, its ! and --no-default-deny apply to downloads as in the filesystem server', async () => {
  const url = downloads.site.page('/server.key', 'x', 'text/plain');
  const saved = async (extra: object, path?: string) => {
    const root = downloads.folder();
    mkdirSync(join(root, 'build/secrets'), { recursive: true });
    const args = path === undefined ? {} : { path };
    const { code } = await downloads.download(await downloads.client([root], { extra }), url, args);
    return code ?? 'saved';
  };
  expect(await saved({})).toBe('permission');
  expect(await saved({ deny: ['!*.key'] })).toBe('saved');
  expect(await saved({ deny: ['build/secrets'] }, 'build/secrets/x.txt')).toBe('permission');
  expect(await saved({ 'no-default-deny': true })).toBe('saved');
  expect(await saved({ 'no-default-deny': true, deny: ['*.key'] })).toBe('permission');
});

test('without roots nothing is saved', async () => {
  const url = downloads.site.page('/x.txt', 'x', 'text/plain');
  downloads.site.asked.length = 0;
  const { code } = await downloads.download(await downloads.client([]), url);
  expect([code, downloads.site.asked]).toEqual(['no-roots', []]);
});

test('a read-only root is skipped, and the next one is used', async () => {
  const [readOnly, root] = [downloads.folder(), downloads.folder()];
  const client = await downloads.client([{ path: readOnly, readOnly: true }, root]);
  const url = downloads.site.page('/x.txt', 'x', 'text/plain');
  const named = await downloads.download(client, url, { path: join(readOnly, 'x.txt') });
  expect(named.code).toBe('read-only');
  const folder = await downloads.download(client, url, { path: readOnly });
  expect(folder.code).toBe('read-only');
  expect((await downloads.download(client, url)).facts.path).toBe(join(root, 'x.txt'));
  expect(everything(readOnly)).toEqual([]);
});

test('a read-only server does not offer it', async () => {
  const offered = async (readOnly: boolean) => {
    const client = await downloads.client([downloads.folder()], { readOnly });
    return (await client.listTools()).map(({ name }) => name);
  };
  expect(await offered(true)).not.toContain('download');
  expect(await offered(false)).toContain('download');
});

test('the roots of a client restrict the target', async () => {
  const root = downloads.folder();
  mkdirSync(join(root, 'narrow'));
  const client = await downloads.client([root], {
    revision: '2025-11-25',
    offers: () => [{ uri: pathToFileURL(join(root, 'narrow')).href }],
  });
  const url = downloads.site.page('/x.txt', 'x', 'text/plain');
  expect((await downloads.download(client, url, { path: join(root, 'y.txt') })).code).toBe('not-found');
  expect((await downloads.download(client, url)).facts.path).toBe(join(root, 'narrow', 'x.txt'));
});

test('another sha256 than expected saves nothing and is reported', async () => {
  const root = downloads.folder();
  const client = await downloads.client([root]);
  const url = downloads.site.page('/x.txt', 'x', 'text/plain', { etag: '"1"' });
  const wrong = await downloads.download(client, url, { expected_sha256: sha256('y') });
  expect(wrong.facts.failure).toMatchObject({ code: 'checksum-mismatch' });
  expect([wrong.facts.failure?.message.includes(sha256('x')), everything(root)]).toEqual([true, []]);
  const right = await downloads.download(client, url, { expected_sha256: sha256('x').toUpperCase() });
  expect([right.failed, everything(root)]).toEqual([false, ['x.txt']]);
});

test.each([
  ['by its call, with a length', { max_bytes: 999 }, {}, true],
  ['by its call, without a length', { max_bytes: 999 }, {}, false],
  ['by the operator, whatever the call allows', { max_bytes: 5000 }, { 'max-download': 999 }, true],
])('a file larger than allowed %s is not saved', async (_what, args, extra, hasLength) => {
  const root = downloads.folder();
  downloads.site.paths.set('/large.bin', (_, response) => {
    response.writeHead(200, hasLength ? { 'content-length': 1000 } : {});
    response.write(Buffer.alloc(500));
    response.end(Buffer.alloc(500));
  });
  const client = await downloads.client([root], { extra });
  const { facts } = await downloads.download(client, downloads.site.url('/large.bin'), args);
  expect([facts.failure?.code, everything(root)]).toEqual(['too-large', []]);
  expect(facts.failure?.hint).toContain('max_bytes');
  const { failed } = await downloads.download(
    client,
    downloads.site.page('/small.bin', Buffer.alloc(999)),
    args,
  );
  expect(failed).toBe(false);
});

test('a response without a file saves nothing and reports its text', async () => {
  const root = downloads.folder();
  const client = await downloads.client([root]);
  const missing = await downloads.download(client, downloads.site.url('/missing'));
  expect(missing.facts.failure).toMatchObject({ code: 'http-status', status: 404, retryable: false });
  expect(missing.text).toContain('nothing is here');
  downloads.site.paths.set('/none', (_, response) => response.writeHead(204).end());
  const none = await downloads.download(client, downloads.site.url('/none'), { path: join(root, 'none') });
  expect([none.facts.failure?.code, none.facts.failure?.status]).toEqual(['http-status', 204]);
  expect(everything(root)).toEqual([]);
});

test('a private host that the operator has not named is refused before a request is sent', async () => {
  const root = downloads.folder();
  const url = downloads.site.page('/x.txt', 'x', 'text/plain');
  downloads.site.asked.length = 0;
  const client = await downloads.served.client({ roots: [root] });
  const { facts } = await downloads.download(client, url);
  expect([facts.failure?.code, downloads.site.asked]).toEqual(['address-refused', []]);
});

test('a file that robots.txt forbids is not downloaded', async () => {
  const root = downloads.folder();
  const client = await downloads.client([root]);
  downloads.site.page('/robots.txt', 'User-agent: *\nDisallow: /private/', 'text/plain');
  const { facts } = await downloads.download(client, downloads.site.page('/private/x.txt', 'x'));
  downloads.site.paths.delete('/robots.txt');
  expect([facts.failure?.code, everything(root)]).toEqual(['robots-refused', []]);
});

test('progress reports the saved bytes of the whole', async () => {
  const root = downloads.folder();
  const received: { progress: number; total?: number | undefined }[] = [];
  const client = await downloads.client([root], { revision: newest });
  const length = { 'content-length': '2000000' };
  const url = downloads.site.page('/large.bin', Buffer.alloc(2_000_000), 'text/plain', length);
  await downloads.download(client, url, {}, { onProgress: (one) => received.push(one) });
  expect(received.length).toBeGreaterThan(0);
  expect(new Set(received.map(({ total }) => total))).toEqual(new Set([2_000_000]));
  expect(received.map(({ progress }) => progress)).toEqual(
    received.map(({ progress }) => progress).sort((a, b) => a - b),
  );
});

test('a cancelled download closes the connection and leaves nothing', async () => {
  const root = downloads.folder();
  const client = await downloads.client([root]);
  let closed = false;
  let asked = false;
  downloads.site.paths.set('/endless', (_, response) => {
    response.writeHead(200, { 'content-length': 1_000_000, etag: '"1"' }).write(Buffer.alloc(100_000));
    response.on('close', () => {
      closed = true;
    });
    asked = true;
  });
  const ending = new AbortController();
  const saving = downloads.download(client, downloads.site.url('/endless'), {}, { signal: ending.signal });
  await vi.waitUntil(() => asked && everything(root).some((name) => name.endsWith('.tmp')), {
    timeout: 120_000,
  });
  ending.abort();
  await expect(saving).rejects.toThrow();
  await vi.waitUntil(() => closed && everything(root).length === 0, { timeout: 120_000 });
});

test('a server that stops sending is aborted', async () => {
  const root = downloads.folder();
  const client = await downloads.client([root], { extra: { 'fetch-timeout': 1 } });
  downloads.site.paths.set('/silent', (_, response) => {
    response.writeHead(200, { 'content-length': 1000 }).write('x');
  });
  const { facts } = await downloads.download(client, downloads.site.url('/silent'));
  expect([facts.failure?.code, facts.failure?.retryable, everything(root)]).toEqual(['timeout', true, []]);
});
