import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { allRevisions, type Revision } from '@rootbound/protocol';
import { describe, expect, test } from 'vitest';
import { outermost } from '../../../../test/extent.ts';
import { type Message, newest, program, Scene, stateless } from '../harness.ts';

const scene = new Scene();
const MEGABYTE = 1024 * 1024;

/** Writes lines to the built program, ends its input, and returns its output. */
async function answersTo(
  lines: readonly (string | Buffer)[],
): Promise<{ code: number; answers: unknown[]; stderr: string }> {
  const child = spawn(process.execPath, [program, scene.root], { stdio: 'pipe' });
  const answers: unknown[] = [];
  let stderr = '';
  child.stderr.on('data', (bytes: Buffer) => {
    stderr += String(bytes);
  });
  createInterface({ input: child.stdout }).on('line', (line) => answers.push(JSON.parse(line)));
  for (const line of lines) {
    child.stdin.write(line);
    if (!child.stdin.write('\n')) await once(child.stdin, 'drain');
  }
  child.stdin.end();
  const [code] = (await once(child, 'close')) as [number];
  return { code, answers, stderr };
}

function opening(revision: Revision): string[] {
  if (revision === newest) return [];
  const hello = { protocolVersion: revision, capabilities: {}, clientInfo: { name: 't', version: '1' } };
  return [JSON.stringify({ jsonrpc: '2.0', id: 'hello', method: 'initialize', params: hello })];
}

describe.each(outermost(allRevisions))('in %s', (revision) => {
  const meta = revision === newest ? { _meta: stateless() } : {};
  const request = (id: unknown, method: string, params: object = {}): string =>
    JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...meta, ...params } });
  const call = (id: unknown, name: string, args: object): string =>
    request(id, 'tools/call', { name, arguments: args });
  // from 2025-11-25 on, invalid arguments are a tool error
  const asResult = revision >= '2025-11-25';

  test('each kind of invalid message has its own answer, and the session continues', async () => {
    scene.put('a.txt', 'one\n');
    const wrong: [line: string, id: unknown, code: number | 'isError'][] = [
      ['{"jsonrpc":"2.0","id":1,', null, -32_700],
      ['nonsense', null, -32_700],
      ['[]', null, -32_600],
      ['{"jsonrpc":"1.0","id":2,"method":"tools/list"}', 2, -32_600],
      ['{"jsonrpc":"2.0","id":3}', 3, -32_600],
      [JSON.stringify({ jsonrpc: '2.0', id: null, method: 'tools/list', params: meta }), null, -32_600],
      [request(4, 'tools/none'), 4, -32_601],
      [call(5, 'no_such_tool', {}), 5, -32_602],
      [request(6, 'tools/call', { arguments: {} }), 6, -32_602],
      [call(7, 'read_text_file', {}), 7, asResult ? 'isError' : -32_602],
      [call(8, 'read_text_file', { path: 5 }), 8, asResult ? 'isError' : -32_602],
      [call(9, 'read_text_file', { path: 'a.txt', extra: true }), 9, asResult ? 'isError' : -32_602],
      [request(10, 'tools/list', { cursor: 'garbage' }), 10, -32_602],
      [call(11, 'list_directory', { path: '.', cursor: 'garbage' }), 11, 'isError'],
      [call(12, 'read_file', { path: 'none.txt' }), 12, 'isError'],
    ];
    const { code, answers, stderr } = await answersTo([
      ...opening(revision),
      ...wrong.map(([line]) => line),
      call('last', 'read_text_file', { path: 'a.txt' }),
    ]);
    const outcomes = (answers as Message[]).map(({ id, error, result }) => [
      id ?? null,
      error?.code ?? (result?.isError === true ? 'isError' : 'answer'),
    ]);
    const ends = [revision === newest ? [] : [['hello', 'answer']], [['last', 'answer']]] as const;
    const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
    expect(outcomes.toSorted(byText)).toEqual(
      [...ends[0], ...wrong.map(([, id, what]) => [id, what]), ...ends[1]].toSorted(byText),
    );
    expect([code, stderr]).toEqual([0, '']);
  });

  test('a batch is answered in revisions that have batches, and refused in others', async () => {
    const batch = `[${request(1, 'tools/list')},${call(2, 'list_allowed_directories', {})}]`;
    const { answers } = await answersTo([...opening(revision), batch]);
    const answer = answers.at(-1) as Message | Message[];
    if (revision === '2025-03-26') expect((answer as Message[]).map(({ id }) => id)).toEqual([1, 2]);
    else expect((answer as Message).error?.code).toBe(-32_600);
  });

  test('a file of 12 MB is written in one message', async () => {
    const content = 'x'.repeat(12 * MEGABYTE);
    const { answers } = await answersTo([
      ...opening(revision),
      call(1, 'write_file', { path: 'large.txt', content }),
    ]);
    expect((answers.at(-1) as Message).result).toMatchObject({ content: [{ type: 'text' }] });
    expect(statSync(scene.at('large.txt')).size).toBe(content.length);
  });
});

test('requests before initialize, except ping, are refused with the next step', async () => {
  const requests = ['ping', 'tools/list', 'tools/call'].map((method, id) =>
    JSON.stringify({ jsonrpc: '2.0', id, method, params: { name: 'list_allowed_directories' } }),
  );
  const { answers } = await answersTo(requests);
  const [ping, list, call] = answers as Message[];
  expect(ping!.result).toEqual({});
  for (const refused of [list!, call!]) expect(refused.error?.message).toContain('initialize');
});

test('a line over the size limit is answered with an error, and the next one is served', async () => {
  const large = Buffer.alloc(64 * MEGABYTE + 1, 'x');
  const { code, answers } = await answersTo([
    ...opening('2025-11-25'),
    large,
    JSON.stringify({ jsonrpc: '2.0', id: 'last', method: 'ping' }),
  ]);
  const [, tooLong, last] = answers as Message[];
  expect([tooLong!.error?.code, last!.result, code]).toEqual([-32_600, {}, 0]);
});
