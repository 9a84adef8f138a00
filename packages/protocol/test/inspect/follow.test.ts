import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ListeningHttp, serveHttp } from '../../src/http.ts';
import { createServer, type Server } from '../../src/index.ts';
import { fixtureServer, Stage } from '../wire/fixture.ts';
import { Desk, run } from './stage.ts';

let stage: Stage;
let server: Server;
let served: ListeningHttp;
beforeEach(async () => {
  stage = new Stage();
  server = fixtureServer(stage);
  served = await serveHttp(server, { port: 0 });
  return () => served.close();
});

describe.each(['2025-11-25', '2026-07-28'])('following a server of %s', (revision) => {
  const follow = (desk: Desk, ...argv: string[]) =>
    run([...argv, '--revision', revision, '--', served.url], desk);

  /** Starts to follow today's memo, and waits until the server watches it. */
  async function begun(desk: Desk, ...argv: string[]): Promise<ReturnType<typeof run>[]> {
    const running = follow(desk, '--subscribe', 'memo://today', ...argv);
    await desk.until('following memo://today, tools, prompts, resources');
    await vi.waitUntil(() => stage.watchers('memo://today') === 1, { timeout: 120_000 });
    return [running];
  }

  test('changes are one line each on a pipe, and it ends after --count', async () => {
    const desk = new Desk();
    const [running] = await begun(desk, '--count', '2');
    stage.touch('memo://today');
    await desk.until('changed resource memo://today\n');
    server.listChanged('tools');
    const { status, out } = await running!;
    expect([status, out]).toEqual([0, 'changed resource memo://today\nchanged list tools\n']);
    await vi.waitUntil(() => stage.watchers('memo://today') === 0, { timeout: 120_000 });
  });

  test('changes are JSON with --json', async () => {
    const desk = new Desk();
    const [running] = await begun(desk, '--count', '1', '--json');
    stage.touch('memo://today');
    expect((await running!).out).toBe('{"kind":"resource","uri":"memo://today"}\n');
  });

  test('on a terminal there is one line per subject, which is updated', async () => {
    const desk = new Desk();
    desk.outIsTerminal = true;
    const [running] = await begun(desk, '--count', '2');
    stage.touch('memo://today');
    await desk.until('1 times');
    stage.touch('memo://today');
    const { out } = await running!;
    const line = (count: number): string =>
      `resource memo://today  ${count} times, last \\d\\d:\\d\\d:\\d\\d\\n`;
    expect(out).toMatch(new RegExp(`^${line(1)}\u001b\\[1A\u001b\\[J${line(2)}$`));
  });

  test('Ctrl-C ends it with 0', async () => {
    const desk = new Desk();
    const [running] = await begun(desk);
    desk.interrupt();
    expect((await running!).status).toBe(0);
    await vi.waitUntil(() => stage.watchers('memo://today') === 0, { timeout: 120_000 });
  });

  test('a resource whose changes the server does not report is printed, and ends it with 1', async () => {
    const desk = new Desk();
    const running = follow(desk, '--subscribe', 'other://one', '--count', '1');
    await desk.until('following tools');
    server.listChanged('prompts');
    const { status, out, err } = await running;
    expect([status, out]).toEqual([1, 'changed list prompts\n']);
    expect(err).toContain('the server does not report changes of other://one\n');
  });
});

describe('a server that reports no changes', () => {
  let silent: ListeningHttp;
  beforeAll(async () => {
    silent = await serveHttp(createServer({ name: 'silent', version: '1.0.0' }), { port: 0 });
  });
  afterAll(() => silent.close());

  test('cannot be followed', async () => {
    const { status, err } = await run(['--follow', '--', silent.url]);
    expect([status, err]).toEqual([2, 'inspect: the server reports no changes\n']);
  });
});
