import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RequestOptions } from '@rootbound/protocol/client';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Browsers } from '../../src/rendering/browsers.ts';
import { buildFolder } from '../bundle.ts';
import { bundleServer, startCalling } from '../downloading/program.ts';
import { call } from '../harness.ts';
import { browsersOf, isMain, isRenderer, isRunning } from './processes.ts';
import { browser, type RenderedFacts, Stage, scripted } from './stage.ts';

const stage = new Stage();
const { site } = stage;
const until = (holds: () => boolean): Promise<unknown> => vi.waitUntil(holds, { timeout: 120_000 });
/** requests that never get a response */
const open = new Set<string>();

/** Returns a page that waits for a response that never comes. */
function stuck(path: string): string {
  site.paths.set(`${path}.json`, (_, response) => {
    open.add(path);
    response.on('close', () => open.delete(path));
  });
  return site.page(
    path,
    scripted(`fetch(${JSON.stringify(`${path}.json`)}).then(() => write('x', 'answered'))`),
  );
}

const kept = (): number[] =>
  browsersOf(process.pid)
    .filter(isMain)
    .map(({ pid }) => pid);

describe('a browser', () => {
  test('is started with the first page and reused for the next', async () => {
    expect(kept()).toEqual([]);
    const url = site.page('/page', scripted("write('page')"));
    await stage.render(url);
    const [first] = kept();
    expect(first).toBeGreaterThan(0);
    await stage.render(url, { max_age: 0 });
    expect(kept()).toEqual([first]);
  });

  test('that is unused is closed after a while, and another is started then', async () => {
    const before = kept();
    const own = (): number[] => kept().filter((pid) => !before.includes(pid));
    const browsers = new Browsers({ path: browser, unsandboxed: false }, 1);
    const first = await browsers.take();
    expect(own().length).toBe(1);
    browsers.give(first);
    await until(() => own().length === 0);
    expect((await browsers.take()).isAlive).toBe(true);
    await browsers.close();
    await until(() => own().length === 0);
  });

  test.each([
    ['browser', isMain],
    ['page', isRenderer],
  ] as const)('that crashes, the %s, is a retryable failure, and then works', async (what, which) => {
    const url = stuck(`/crash-${what}`);
    const outcome = stage.render(url, { wait_for: '#answered', timeout_ms: 60_000 });
    await until(() => open.size === 1);
    for (const { pid } of browsersOf(process.pid).filter(which)) process.kill(pid, 'SIGKILL');
    const { facts } = await outcome;
    expect(facts.failure).toMatchObject({ code: 'browser-failed', retryable: true });
    expect(facts.failure?.message).toContain(what);
    await until(() => open.size === 0);
    const after = await stage.render(site.page(`/after-${what}`, scripted("write('after')")));
    expect(after.facts.content).toBe('after');
  });
});

test('a cancelled call closes its page and the connections of that at once', async () => {
  const url = stuck('/cancelled');
  const controller = new AbortController();
  const outcome = stage.render(
    url,
    { wait_for: '#answered', timeout_ms: 60_000 },
    { signal: controller.signal },
  );
  outcome.catch(() => {});
  await until(() => open.size === 1);
  controller.abort();
  await expect(outcome).rejects.toThrow();
  await until(() => open.size === 0);
  const after = await stage.render(site.page('/next', scripted("write('next')")));
  expect(after.facts.content).toBe('next');
});

describe('a server', () => {
  let folder: string;
  let program: string;
  beforeAll(async () => {
    folder = buildFolder('rendering');
    program = await bundleServer(folder);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each(['SIGKILL', 'SIGTERM'] as const)(
    'that ends by %s within a page leaves no browser',
    async (signal) => {
      const url = stuck(`/left-${signal}`);
      const command = [process.execPath, program, '--allow-private', site.host, '--browser', browser];
      const child = startCalling(command, 'fetch', { url, render: true, wait_for: '#answered' });
      await until(() => open.size === 1);
      const started = browsersOf(child.pid!).map(({ pid }) => pid);
      expect(started.length).toBeGreaterThan(2);
      child.kill(signal);
      await until(() => !started.some(isRunning));
      await until(() => open.size === 0);
    },
  );

  test('whose browser can have no sandbox reports this and the fix, and renders without one if the operator allows it', async () => {
    // user namespaces are not allowed in this one
    const rules = 'echo 0 > /proc/sys/user/max_user_namespaces; exec "$@"';
    const confined = ['unshare', '--user', '--map-user=1000', '--keep-caps', 'sh', '-c', rules, 'sh'];
    const url = site.page('/confined', scripted("write('confined')"));
    const ask = async (...flags: string[]): Promise<string> => {
      const command = [process.execPath, program, '--allow-private', site.host, '--browser', browser];
      const child = startCalling([...confined, ...command, ...flags], 'fetch', { url, render: true });
      const [line] = (await once(child.stdout!, 'data')) as [Buffer];
      const ended = once(child, 'exit');
      child.kill();
      await ended;
      return line.toString();
    };
    expect(await ask()).toMatch(/"code":"browser-failed".*sandbox.*--browser-unsandboxed/);
    expect(await ask('--browser-unsandboxed')).toContain('"content":"confined"');
  });

  test('without the browser driver reports what to install', async () => {
    const alone = mkdtempSync(join(tmpdir(), 'rootbound-alone-'));
    cpSync(folder, alone, { recursive: true });
    const command = [
      process.execPath,
      join(alone, 'cli.js'),
      '--allow-private',
      site.host,
      '--browser',
      browser,
    ];
    const child = startCalling(command, 'fetch', { url: site.page('/alone', '<p>alone</p>'), render: true });
    const [line] = (await once(child.stdout!, 'data')) as [Buffer];
    child.kill('SIGKILL');
    rmSync(alone, { recursive: true });
    expect(line.toString()).toContain('npm install playwright-core@1.65.1');
    expect(line.toString()).toContain('"isError":true');
  });

  test('that closes ends its browsers and their pages', async () => {
    const client = await stage.client();
    const outcome = call<RenderedFacts>(client, 'fetch', {
      url: stuck('/closing'),
      render: true,
      wait_for: '#answered',
    });
    outcome.catch(() => {});
    await until(() => open.size === 1);
    expect(kept().length).toBeGreaterThan(0);
    await stage.served.close();
    await until(() => open.size === 0 && kept().length === 0);
  });
});

test('a page that waits for others reports this, and not that a browser starts', async () => {
  // the test before has closed the server of all others
  const client = await stage.client();
  const render = (url: string, args: Record<string, unknown>, options?: RequestOptions) =>
    call<RenderedFacts>(client, 'fetch', { url, render: true, ...args }, options);
  const ends = ['/first', '/second'].map((path) => {
    const ending = new AbortController();
    const outcome = render(
      stuck(`/turns${path}`),
      { wait_for: '#answered', timeout_ms: 120_000 },
      { signal: ending.signal },
    );
    return { ending, outcome: outcome.catch(() => undefined) };
  });
  await until(() => open.size === 2);
  const { facts } = await render(site.page('/turns/third', scripted("write('x')")), { timeout_ms: 1 });
  expect(facts.failure?.message).toContain('the last wait was for a free browser');
  for (const { ending } of ends) ending.abort();
  await Promise.all(ends.map(({ outcome }) => outcome));
});
