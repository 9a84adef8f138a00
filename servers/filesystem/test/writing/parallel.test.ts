import { describe, expect, test } from 'vitest';
import { sampled } from '../../../../test/extent.ts';
import { call, newest, Scene } from '../harness.ts';

const scene = new Scene();

describe.each(sampled([newest, '2025-11-25'] as const, 2))('in %s', (revision) => {
  test('fifty edits and a hundred appends at once are all applied', async () => {
    scene.put('f', Array.from({ length: 50 }, (_, index) => `<${index}>\n`).join(''));
    const client = await scene.client({ revision });
    const edits = Array.from({ length: 50 }, (_, index) =>
      call(client, 'edit_file', { path: 'f', edits: [{ oldText: `<${index}>\n`, newText: `[${index}]\n` }] }),
    );
    const appends = Array.from({ length: 100 }, (_, index) =>
      call(client, 'write_file', { path: './f', content: `+${index}\n`, append: true }),
    );
    const outcomes = await Promise.all([...edits, ...appends]);
    expect(outcomes.filter(({ failed }) => failed).map(({ text }) => text)).toEqual([]);
    const lines = scene.bytes('f').toString().trimEnd().split('\n');
    expect(lines).toEqual([
      ...Array.from({ length: 50 }, (_, index) => `[${index}]`),
      ...Array.from({ length: 100 }, (_, index) => `+${index}`),
    ]);
    expect(scene.names()).toEqual(['f']);
  });

  test.each<[string, string, object]>([
    ['an edit', 'edit_file', { edits: [{ oldText: 'a', newText: 'b' }] }],
    ['an edit in latin1', 'edit_file', { edits: [{ oldText: 'a', newText: 'b' }], encoding: 'latin1' }],
    ['an edit by a table', 'edit_file', { edits: [{ oldText: 'a', newText: 'b' }], encoding: 'shift_jis' }],
    ['a write', 'write_file', { content: 'b' }],
    ['a write in UTF-16', 'write_file', { content: 'b', encoding: 'utf-16le' }],
    ['a write by a table', 'write_file', { content: 'b', encoding: 'windows-1252' }],
    ['an append by a table', 'write_file', { content: 'b', encoding: 'euc-kr', append: true }],
    ['a write of many bytes', 'write_file', { content: 'YmJi'.repeat(1_000_000), encoding: 'base64' }],
  ])('%s is not overtaken by a later move of the file', async (_what, tool, args) => {
    scene.put('f', 'a');
    const client = await scene.client({ revision });
    const outcomes = await Promise.all([
      call(client, tool, { path: 'f', ...args }),
      call(client, 'move_file', { source: 'f', destination: 'moved' }),
    ]);
    expect(outcomes.map(({ failed, text }) => failed && text)).toEqual([false, false]);
    expect([scene.names(), scene.bytes('moved').includes('b')]).toEqual([['moved'], true]);
  });

  test('fifty edits among a hundred writes are applied or fail, and the file has one complete version', async () => {
    scene.put('f', 'start\n');
    const client = await scene.client({ revision });
    const large = 'x'.repeat(1_500_000);
    const calls = Array.from({ length: 150 }, (_, index) =>
      index % 3 === 0
        ? call(client, 'edit_file', {
            path: 'f',
            edits: [{ oldText: 'start\n', newText: `start\n${index}\n` }],
          })
        : call(client, 'write_file', { path: 'f', content: `start\n${index % 50 === 1 ? large : index}\n` }),
    );
    const outcomes = await Promise.all(calls);
    for (const { failed, code } of outcomes) expect([false, 'changed']).toContain(failed && code);
    const content = scene.bytes('f').toString();
    expect(content).toMatch(/^start\n(\d+\n)*(x{1500000}|\d+)\n$/);
    // the last write is in the file, with every edit after it
    expect(content).toContain('149\n');
    expect(scene.names()).toEqual(['f']);
  });

  test('other calls are answered during a large write; cancelled, it leaves the old file', async () => {
    scene.put('f', 'old');
    const client = await scene.client({ revision });
    const controller = new AbortController();
    let seen: () => void;
    const begun = new Promise<void>((resolve) => {
      seen = resolve;
    });
    const writing = call(
      client,
      'write_file',
      { path: 'f', content: 'x'.repeat(24_000_000) },
      { signal: controller.signal, onProgress: () => seen() },
    );
    const ended = expect(writing).rejects.toThrow();
    await begun;
    expect((await call(client, 'read_text_file', { path: 'f' })).text).toBe('old');
    controller.abort();
    await ended;
    await call(client, 'write_file', { path: 'g', content: 'next' });
    await expect.poll(() => scene.names(), { timeout: 120_000 }).toEqual(['f', 'g']);
    expect(scene.bytes('f').toString()).toBe('old');
  });
});
