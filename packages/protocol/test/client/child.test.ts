import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ChildOptions, type ClientOptions, childProcess, connect } from '../../src/client.ts';
import { type Program, program } from '../wire/program.ts';

let folder: string;
let parent: Program;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rootbound-child-'));
  parent = await program('../client/parent.ts');
});
afterAll(() => {
  parent.remove();
  rmSync(folder, { recursive: true, force: true });
});

let scripts = 0;

/** Starts a server process with this JavaScript, which may use `answer(message, result)` and `say(value)`. */
function server(body: string, options: Partial<ChildOptions> = {}): ReturnType<typeof childProcess> {
  return childProcess({
    command: process.execPath,
    args: [script(body)],
    stderr: 'ignore',
    endGrace: 300,
    ...options,
  });
}

function script(body: string): string {
  scripts += 1;
  const path = join(folder, `server-${scripts}.mjs`);
  writeFileSync(
    path,
    `import { closeSync, existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
const say = (value) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...value }) + '\\n');
const answer = ({ id }, result) => say({ id, result });
const lines = createInterface({ input: process.stdin });
const hear = (act) => lines.on('line', (line) => {
  const message = JSON.parse(line);
  if (message.method === 'initialize') answer(message, { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } });
  else act?.(message);
});
${body}`,
  );
  return path;
}

const me: ClientOptions = { name: 'tester', version: '1.0.0', era: 'handshake' };

test('a program that does not exist is a local error', async () => {
  await expect(connect(childProcess({ command: 'no-such-program-anywhere' }), me)).rejects.toMatchObject({
    name: 'ConnectionError',
    reason: 'closed',
    message: 'cannot start no-such-program-anywhere: no such program, or no such working directory',
  });
});

test('a server that dies is reported with its exit code and the end of stderr', async () => {
  const transport = server(`
    hear(() => { process.stderr.write('one\\ntwo\\n\\nthree\\nfour: disk full\\n', () => process.exit(3)); });
  `);
  const client = await connect(transport, me);
  await expect(client.callTool('x')).rejects.toMatchObject({
    name: 'ConnectionError',
    reason: 'closed',
    message: `${process.execPath} ended with code 3; end of stderr: two | three | four: disk full`,
  });
  await client.close();
});

// a dead process that was not waited for is found in /proc
test.runIf(existsSync('/proc/self/stat'))(
  'messages of a server before its exit arrive, although its client was busy since',
  async () => {
    const go = join(folder, 'go');
    const client = await connect(
      server(`hear(({ id, method, params }) => {
        if (method !== 'tools/call') return;
        if (params.name === 'pid') return answer({ id }, { content: [{ type: 'text', text: String(process.pid) }] });
        while (!existsSync(${JSON.stringify(go)}));
        const last = JSON.stringify({ jsonrpc: '2.0', id, result: { content: [] } });
        process.stdout.write(last + '\\n', () => process.exit(0));
      });`),
      me,
    );
    const { content } = await client.callTool('pid');
    const pid = (content[0] as { text: string }).text;
    const waiting = client.callTool('last');
    await new Promise(setImmediate);
    const other = spawn('sh', ['-c', 'echo'], { stdio: ['ignore', 'pipe', 'ignore'] });
    // the exit of the server is reported together with that of this process, before its messages arrive
    other.stdout.once('data', () => {
      writeFileSync(go, '');
      busyUntilDead(pid);
      setImmediate(busyFor, 800);
    });
    busyUntilDead(String(other.pid));
    expect(await waiting).toMatchObject({ content: [] });
    await client.close();
  },
);

/** Blocks this process until another has exited, with all of its threads. */
function busyUntilDead(pid: string): void {
  const at = `/proc/${pid}`;
  while (!/\) [ZX] /.test(readFileSync(`${at}/stat`, 'latin1')) || readdirSync(`${at}/task`).length > 1);
}

function busyFor(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

test('a server that dies before its response fails the connection', async () => {
  await expect(connect(server('process.exit(7);'), me)).rejects.toThrow('ended with code 7');
});

test('a server that is killed is reported with the signal', async () => {
  const client = await connect(server(`hear(() => process.kill(process.pid, 'SIGKILL'));`), me);
  await expect(client.callTool('x')).rejects.toThrow('ended by SIGKILL');
  await client.close();
});

test('responses that a server wrote just before it exited still arrive', async () => {
  const client = await connect(
    server(
      `hear((message) => { if (message.id !== undefined) { answer(message, { content: [] }); process.stdin.destroy(); } });`,
    ),
    me,
  );
  expect((await client.callTool('x')).content).toEqual([]);
  await client.close();
});

test('a server that exits at the probe is started again', async () => {
  const transport = server(`
    lines.once('line', (line) => { if (JSON.parse(line).method === 'server/discover') process.exit(1); });
    hear((message) => message.id !== undefined && answer(message, { content: [] }));
  `);
  const client = await connect(transport, { ...me, era: 'auto' });
  expect(client.era).toBe('handshake');
  expect((await client.callTool('x')).content).toEqual([]);
  await client.close();
});

test('text on stdout that is not a message is reported, and the session continues', async () => {
  const faults: string[] = [];
  const transport = server(`
    console.log('Server started on stdio');
    hear((message) => message.id !== undefined && answer(message, { content: [] }));
  `);
  const client = await connect(transport, { ...me, onError: ({ message }) => faults.push(message) });
  await client.callTool('x');
  expect(faults).toEqual(['the server sent an invalid message: "Server started on stdio"']);
  await client.close();
});

test("the server's stderr goes to its destination", async () => {
  let words = '';
  const transport = server(
    `process.stderr.write('über'); hear((message) => message.id !== undefined && answer(message, { content: [] }));`,
    {
      stderr: (text) => {
        words += text;
      },
    },
  );
  const client = await connect(transport, me);
  await client.close();
  expect(words).toBe('über');
});

test('a line longer than the limit is reported and skipped', async () => {
  const faults: string[] = [];
  const transport = server(
    `hear((message) => { if (message.id === undefined) return; process.stdout.write('x'.repeat(50000) + '\\n'); answer(message, { content: [] }); });`,
    { messageLimit: 10_000 },
  );
  const client = await connect(transport, { ...me, onError: ({ message }) => faults.push(message) });
  await client.callTool('x');
  expect(faults).toEqual(['the server sent a line longer than 10000 bytes; raise messageLimit to read it']);
  await client.close();
});

test('variables of this process are not passed on, except the few that programs need and those given', async () => {
  process.env.SECRET_OF_THE_TEST = 'x';
  const transport = server(
    `hear((message) => message.id !== undefined && answer(message, { content: [{ type: 'text', text: JSON.stringify([process.env.SECRET_OF_THE_TEST, process.env.GIVEN, typeof process.env.PATH, process.cwd()]) }] }));`,
    { env: { GIVEN: 'given' }, cwd: folder },
  );
  const client = await connect(transport, me);
  const { content } = await client.callTool('x');
  delete process.env.SECRET_OF_THE_TEST;
  expect(content).toEqual([{ type: 'text', text: JSON.stringify([null, 'given', 'string', folder]) }]);
  await client.close();
});

test.each([
  ['ends with its input', ''],
  ['needs SIGTERM', 'setInterval(() => {}, 1e6);'],
  ['needs SIGKILL', `setInterval(() => {}, 1e6); process.on('SIGTERM', () => {});`],
])('close ends a server that %s, and resolves when it is gone', async (_how, body) => {
  const client = await connect(
    server(
      `${body} hear((message) => message.id !== undefined && answer(message, { content: [{ type: 'text', text: String(process.pid) }] }));`,
    ),
    me,
  );
  const { content } = await client.callTool('x');
  const pid = Number((content[0] as { text: string }).text);
  expect(alive(pid)).toBe(true);
  await Promise.all([client.close(), client.close()]);
  expect(alive(pid)).toBe(false);
});

test('a server that closes its output without exiting is ended', async () => {
  const closed: string[] = [];
  const transport = server(
    `setInterval(() => {}, 1e6); hear((message) => message.id !== undefined && closeSync(1));`,
  );
  const client = await connect(transport, { ...me, onClose: (reason) => closed.push(reason) });
  await expect(client.callTool('x')).rejects.toThrow('ended by SIGTERM');
  expect(closed).toHaveLength(1);
});

test('a server does not outlive the process that started it, even if it ignores signals', async () => {
  const deaf = script(
    `setInterval(() => {}, 1e6); process.on('SIGTERM', () => {}); hear((message) => message.id !== undefined && answer(message, { content: [{ type: 'text', text: String(process.pid) }] }));`,
  );
  const running = spawn(process.execPath, [parent.path, deaf], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface({ input: running.stdout }), 'line')) as [string];
  await once(running, 'exit');
  const pid = Number(line);
  expect(pid).toBeGreaterThan(0);
  while (alive(pid)) await new Promise((resolve) => setImmediate(resolve));
});

test('many large concurrent calls all arrive at a server that reads slowly', async () => {
  const transport = server(`
    hear((message) => { if (message.id === undefined) return; lines.pause(); answer(message, { content: [{ type: 'text', text: String(message.params.arguments.text.length) }] }); setImmediate(() => lines.resume()); });
  `);
  const client = await connect(transport, me);
  const text = 'x'.repeat(200_000);
  const results = await Promise.all(Array.from({ length: 50 }, () => client.callTool('x', { text })));
  expect(results.every(({ content }) => (content[0] as { text: string }).text === '200000')).toBe(true);
  await client.close();
});

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false; // no such process
  }
}
