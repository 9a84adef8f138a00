import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { type ListeningHttp, serveHttp } from '../../src/http.ts';
import { createServer, roots, tool } from '../../src/index.ts';

import { fixtureServer } from '../wire/fixture.ts';
import { Desk, run } from './stage.ts';

const folder = mkdtempSync(join(tmpdir(), 'rootbound-inspect-'));
const odd = createServer({
  name: 'odd\u001b[31m',
  version: '1.0.0',
  instructions: 'one\ntwo \u202e three',
  tools: [
    tool({
      name: 'typed',
      description: 'Says what it was given.',
      input: z.object({
        count: z.number().int().optional(),
        sure: z.boolean().optional(),
        words: z.array(z.string()).optional(),
        sizes: z.array(z.number()).optional(),
        deep: z.object({ a: z.number() }).optional(),
        either: z.union([z.number(), z.string()]).optional(),
        text: z.string().optional(),
      }),
      run: (args) => JSON.stringify(args),
    }),
    tool({
      name: 'folders',
      description: 'Says what the roots are.',
      input: z.object({}),
      ask: async (_args, ask) => (await ask({ folders: roots() })).folders.map(({ uri }) => uri),
      run: (_args, { answers }) => JSON.stringify(answers),
    }),
  ],
});
let served: ListeningHttp;
let servedOdd: ListeningHttp;
beforeAll(async () => {
  served = await serveHttp(fixtureServer(), { port: 0 });
  servedOdd = await serveHttp(odd, { port: 0 });
});
afterAll(async () => {
  await served.close();
  await servedOdd.close();
  rmSync(folder, { recursive: true, force: true });
});

const call = (...argv: string[]) => run([...argv, '--', servedOdd.url]);

describe.each(['2024-11-05', '2025-11-25', '2026-07-28'])('in revision %s', (revision) => {
  const of = (...argv: string[]) => run([...argv, '--revision', revision, '--', served.url]);

  test('it prints the lists of the server as text', async () => {
    const { status, out } = await of();
    expect(status).toBe(0);
    expect(out).toContain(`speaks ${revision} (`);
    expect(out).toContain('\nAdd numbers.\n');
    expect(out).toMatch(
      /\nTools \(17\)\n {2}add \[.*\]\n {4}Adds two numbers\.\n {4}takes a: number, b: number\n/,
    );
    expect(out).toContain('\nResources (2)\n  memo://today  today  text/plain\n');
    expect(out).toContain('\nTemplates (1)\n  memo://days/{day}  day  text/plain\n');
    expect(out).toContain('\nPrompts (1)\n  greet\n    Greets somebody.\n    takes who\n');
  });

  test('it prints the same as JSON', async () => {
    const { out } = await of('--json');
    const inventory = JSON.parse(out) as Record<string, { name: string }[]>;
    expect(inventory).toMatchObject({
      revision,
      serverInfo: { name: 'fixture' },
      instructions: 'Add numbers.',
    });
    expect(inventory.tools).toHaveLength(17);
    expect(inventory.resourceTemplates?.map(({ name }) => name)).toEqual(['day']);
  });

  test('it calls a tool and prints text and structured content', async () => {
    const { status, out } = await of('--call', 'add', '--arg', 'a=1', '--arg', 'b=2');
    expect([status, out.split('\n')[0]]).toEqual([0, '{"sum":3}']);
    if (revision >= '2025-06-18') expect(out).toContain('\nstructured: {"sum":3}\n');
  });

  test('a failed tool ends it with 1', async () => {
    const { status, out, err } = await of('--call', 'fail');
    expect([status, err]).toEqual([1, 'fail says that it has failed\n']);
    expect(out).toContain('it does not work\n');
  });

  test('a protocol error ends it with 1 and is one line', async () => {
    const { status, out, err } = await of('--read', 'memo://none');
    expect([status, out]).toEqual([1, '']);
    expect(err).toMatch(
      /^inspect: the server responded with error -32\d+: resource not found \{"uri":"memo:\/\/none"\}\n$/,
    );
  });

  test('it reads resources, gets prompts and completes', async () => {
    expect((await of('--read', 'memo://today')).out).toBe('water the plants\n');
    expect((await of('--read', 'memo://bytes')).out).toContain('3 bytes]\n');
    expect((await of('--prompt', 'greet', '--arg', 'who=Ada')).out).toBe('user: Greet Ada.\n');
    expect((await of('--complete', 'greet', '--arg', 'who=x')).out).toBe('xa\nxb\n');
    expect((await of('--complete', 'memo://days/{day}', '--arg', 'day=m')).out).toBe('monday\n');
  });

  test('progress is one line per report on a pipe', async () => {
    const { status, err } = await of('--call', 'steps', '--args', '{"values":[1,2]}');
    expect(status).toBe(0);
    expect(err).toMatch(/^progress 1\/1( at 1)?\nprogress 2\/2( at 2)?\n$/);
  });
});

describe.each(['2025-11-25', '2026-07-28'])('asked by a server of %s', (revision) => {
  const deploy = (desk: Desk) =>
    run(['--call', 'deploy', '--arg', 'env=prod', '--revision', revision, '--', served.url], desk);

  test('it declines without a terminal, and prints that', async () => {
    const { out, err } = await deploy(new Desk());
    expect(out).toContain('the user declined the question');
    expect(err).toContain(
      'the server asks: Deploy to prod?\n  declined: there is no terminal to ask the user\n',
    );
  });

  test('it asks the user at the terminal, until the answer has its type', async () => {
    const desk = new Desk();
    const questions = desk.answering('yes', 'perhaps', 'true');
    const { out } = await deploy(desk);
    expect(out).toBe('deployed\n');
    expect(questions).toHaveLength(3);
    expect(desk.streams.err).toContain('confirm must be boolean, got perhaps\n');
  });

  test('a no declines and nothing more is asked', async () => {
    const desk = new Desk();
    const questions = desk.answering('no');
    expect((await deploy(desk)).out).toContain('the user declined the question');
    expect(questions).toHaveLength(1);
  });

  test('it offers the given roots', async () => {
    const argv = ['--call', 'folders', '--root', folder, '--revision', revision, '--', servedOdd.url];
    expect((await run(argv)).out).toBe(`${JSON.stringify([pathToFileURL(folder).href])}\n`);
  });
});

test('progress is one bar that is updated on a terminal, and cleared at the end', async () => {
  const desk = new Desk();
  desk.errIsTerminal = true;
  const out = vi.spyOn(desk, 'out');
  out.mockImplementation(() => expect(desk.streams.err.endsWith('2/2 at 2\r\u001b[K')).toBe(true));
  await run(['--call', 'steps', '--args', '{"values":[1,2]}', '--', served.url], desk);
  expect(out).toHaveBeenCalled();
  const bar = `[${'#'.repeat(24)}]`;
  expect(desk.streams.err).toBe(`\r\u001b[K${bar} 1/1 at 1\r\u001b[K${bar} 2/2 at 2\r\u001b[K`);
});

test('arguments have the types of the schema', async () => {
  const given = [
    'count=3',
    'sure=true',
    'words=a',
    'words=b',
    'sizes=[1,2]',
    'deep={"a":1}',
    'either=7',
    'text=7',
  ];
  const { out } = await call('--call', 'typed', ...given.flatMap((one) => ['--arg', one]));
  expect(JSON.parse(out)).toEqual({
    count: 3,
    sure: true,
    words: ['a', 'b'],
    sizes: [1, 2],
    deep: { a: 1 },
    either: 7,
    text: '7',
  });
});

test('arguments are JSON on the command line, in a file or on stdin, and flags add to them', async () => {
  const file = join(folder, 'args.json');
  writeFileSync(file, '{"text":"from a file"}');
  expect((await call('--call', 'typed', '--args', '{"count":1}', '--arg', 'text=x')).out).toBe(
    '{"count":1,"text":"x"}\n',
  );
  expect((await call('--call', 'typed', '--args', `@${file}`)).out).toBe('{"text":"from a file"}\n');
  const desk = new Desk();
  desk.input = '{"text":"from stdin"}';
  const { out } = await run(['--call', 'typed', '--args', '-', '--', servedOdd.url], desk);
  expect(out).toBe('{"text":"from stdin"}\n');
});

test('text of a server cannot move the cursor or reorder text', async () => {
  const { out } = await call();
  expect(out).toContain('odd\\u001b[31m 1.0.0\n');
  expect(out).toContain('\none\ntwo \\u202e three\n');
});

test.each([
  [['--arg', 'count=three'], 'count must be integer, got three'],
  [['--args', '[1]'], '--args must be a JSON object'],
  [['--args', '@/no/such/file.json'], 'no such file'],
])('arguments %j end it with 2', async (argv, why) => {
  const { status, err } = await call('--call', 'typed', ...argv);
  expect([status, err]).toEqual([2, expect.stringContaining(why)]);
});

test.each([
  [[], 'name a command or a URL after --'],
  [['--bogus', '--', 'x'], "Unknown option '--bogus'"],
  [['--call', 'a', '--read', 'b:c', '--', 'x'], 'one of --call, --read'],
  [['--header', 'A: b', '--', 'node'], '--header is for URLs'],
  [['--env', 'A=b', '--', 'http://127.0.0.1/'], '--env is for commands'],
  [['--revision', '2020-01-01', '--', 'x'], '--revision must be one of 2024-11-05'],
  [['--count', '3', '--', 'x'], '--count is for --subscribe'],
  [['--strict', '--', 'x'], '--strict and --quiet are for --check'],
  [['--check', '--read', 'b:c', '--', 'x'], '--check may be combined only with --call'],
  [['--check', '--revision', '2024-11-05', '--', 'http://127.0.0.1/'], 'Streamable HTTP'],
  [['--call', 'x', '--arg', 'none', '--', 'x'], '--arg must be name=value'],
  [['--timeout', 'soon', '--', 'x'], '--timeout must be an integer'],
  [['--', 'http://127.0.0.1/', 'more'], 'a URL has no arguments'],
])('the command line %j is refused with 2', async (argv, why) => {
  const { status, out, err } = await run(argv);
  expect([status, out, err]).toEqual([2, '', expect.stringContaining(why)]);
});
