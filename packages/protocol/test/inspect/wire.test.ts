import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ListeningHttp, serveHttp } from '../../src/http.ts';
import { renderHeaders } from '../../src/inspect/wire.ts';
import { fixtureServer } from '../wire/fixture.ts';
import { run } from './stage.ts';

let served: ListeningHttp;
beforeAll(async () => {
  served = await serveHttp(fixtureServer(), { port: 0 });
});
afterAll(() => served.close());

describe.each(['2025-11-25', '2026-07-28'])('the messages of a server of %s', (revision) => {
  const call = (...argv: string[]) =>
    run(['--call', 'add', '--arg', 'a=1', '--arg', 'b=2', '--revision', revision, ...argv, '--', served.url]);

  test('are not printed without --wire', async () => {
    expect((await call()).err).toBe('');
  });

  test('are printed with their direction, and results stay unchanged', async () => {
    const { out, err } = await call('--wire');
    expect(out).toContain('{"sum":3}');
    const messages = err.split('\n').filter((line) => /^[<>] \{/.test(line));
    const called = messages.findIndex((line) => line.startsWith('> ') && line.includes('"tools/call"'));
    expect(called).toBeGreaterThan(0);
    expect(messages[called + 1]).toMatch(/^< \{.*"sum":3/);
  });

  test('include the headers of HTTP, without secret values', async () => {
    const secret = 'not to be seen';
    const { err } = await call(
      '--wire',
      '--header',
      `Authorization: Bearer ${secret}`,
      '--header',
      'X-Own: shown',
    );
    expect(err).toContain(`> POST ${served.url} `);
    expect(err).toContain('authorization: [redacted]');
    expect(err).toContain('x-own: shown');
    expect(err).toMatch(/^< 200 .*content-type: application\/json/m);
    expect(err).not.toContain(secret);
  });
});

test.each([
  ['Authorization', '[redacted]'],
  ['Cookie', '[redacted]'],
  ['Set-Cookie', '[redacted]'],
  ['Mcp-Session-Id', '[redacted]'],
  ['X-Api-Key', '[redacted]'],
  ['X-Refresh-Token', '[redacted]'],
  ['Accept', 'value'],
])('the header %s is printed as %s', (name, printed) => {
  expect(renderHeaders([[name, 'value']])).toBe(`${name}: ${printed}`);
});
