import { type ChildProcess, spawn } from 'node:child_process';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { type Program, program } from '../../../packages/protocol/test/wire/program.ts';
import { all, between, handshake, stateless } from '../revisions.ts';
import { Talk } from './talk.ts';
import { everything, person } from './tour.ts';
import { over, shakeHands, type World } from './world.ts';

let built: Program;
beforeAll(async () => {
  built = await program('../../../../test/requirements/server/stdio-program.ts');
});
afterAll(() => built.remove());

interface Running {
  child: ChildProcess;
  talk: Talk;
  /** resolves with the exit code or signal */
  ended: Promise<number | string>;
  words: string[];
}

/** Starts the fixture server as a process, after the handshake if the revision has one. */
async function start(
  { revision, stateless: modern }: World,
  capabilities: object = {},
  env: Record<string, string> = {},
): Promise<Running> {
  const child = spawn(process.execPath, [built.path], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = new Promise<number | string>((resolve) =>
    child.once('exit', (code, signal) => resolve(code ?? signal ?? '')),
  );
  const words: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => words.push(text));
  const talk = new Talk({ input: child.stdout, output: child.stdin }, revision, capabilities);
  if (!modern) {
    await shakeHands(talk, capabilities);
    talk.notify('notifications/initialized');
  }
  return { child, talk, ended, words };
}

over(all, 'a process writes one message per line, and nothing else', async (world) => {
  const { proves, revision } = world;
  const { talk, ended, words } = await start(world, { sampling: {} });
  const text = 'one\ntwo\r\n\u2028three';
  const { result } = await talk.call('echo', { text });
  await talk.call('crash');
  const { answer } = await talk.settleCall('think', {}, person);
  proves('2024-11-05/transport-stdio/server-reads-stdin-writes-stdout', () =>
    expect(result.content[0].text).toBe(text),
  );
  proves('2024-11-05/transport-stdio/newline-delimits-messages', () =>
    expect(answer.result.isError).toBeUndefined(),
  );
  // a message in several chunks, and two in one
  const line = talk.line('pieces', 'tools/call', { name: 'echo', arguments: { text: 'x' } });
  talk.write(line.slice(0, 20));
  talk.write(
    `${line.slice(20)}\n${talk.line('second', 'tools/call', { name: 'echo', arguments: { text: 'y' } })}\n`,
  );
  const split = [await talk.answer('pieces'), await talk.answer('second')].map(
    ({ result: echoed }) => echoed.content[0].text,
  );
  proves('2024-11-05/transport-stdio/no-embedded-newlines', () => {
    expect(split).toEqual(['x', 'y']);
    for (const line of talk.lines) expect(JSON.parse(line)).toBeTypeOf('object');
  });
  proves('2024-11-05/transport-stdio/server-stdout-carries-only-mcp', () => {
    // each line was validated; errors of bugs are on stderr
    expect(talk.heard).toHaveLength(talk.lines.length);
    expect(words.join()).toContain('secret of the bug');
  });
  proves('2025-06-18/transport-stdio/line-is-an-individual-message', () =>
    expect(talk.heard.filter(Array.isArray)).toEqual([]),
  );
  if (revision === '2025-03-26') {
    const batch = await talk.ask(`[${talk.line('a', 'ping')},${talk.line('b', 'ping')}]`);
    proves('2025-03-26/transport-stdio/line-may-carry-a-batch', () =>
      expect(batch.map(({ id }: { id: string }) => id)).toEqual(['a', 'b']),
    );
  }
  proves('2026-07-28/transport-stdio/server-writes-no-requests', () =>
    expect(
      world.stateless ? talk.heard.filter(({ id, method }) => id !== undefined && method !== undefined) : [],
    ).toEqual([]),
  );
  await talk.finish();
  const code = await ended;
  proves('2024-11-05/transport-stdio/server-exits-when-stdin-closes', () => expect(code).toBe(0));
});

over(handshake, 'a process with a pending call exits', async (world) => {
  const { talk, ended } = await start(world, everything);
  talk.start('tools/call', { name: 'hold', arguments: {} });
  await talk.request('ping');
  await talk.finish();
  const code = await ended;
  if (world.revision === '2024-11-05')
    world.proves('2024-11-05/lifecycle/handles-shutdown-timeout', () => expect(code).toBe(0));
  else expect(code).toBe(0);
});

over(stateless, 'all facts of a request are in its body', async (world) => {
  const { talk } = await start(world);
  const { error } = await talk.ask('{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
  const { result } = await talk.request('tools/list');
  world.proves('2026-07-28/transport-stdio/stdio-metadata-only-in-body', () =>
    expect([error.code, result.resultType]).toEqual([-32602, 'complete']),
  );
});

over(between('2025-03-26'), 'credentials of a process are only in its environment', async (world) => {
  const { talk } = await start(world, {}, { PROGRAM_TOKEN: 'hunter22' });
  const message = world.stateless ? await talk.request('server/discover') : talk.heard[0];
  world.proves('2025-03-26/authorization/stdio-credentials-from-environment', () => {
    expect(message.result.instructions).toBe('The token has 8 letters.');
    expect(talk.lines.join()).not.toContain('hunter22');
  });
});
