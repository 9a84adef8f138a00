import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@rootbound/protocol/client';
import { streams } from '@rootbound/protocol/client';
import { expect, test } from 'vitest';
import { bundledParts } from '../bundled.ts';
import { inEveryRevision, Scene } from '../harness.ts';

const scene = new Scene();
const parts = bundledParts();
const HOUR = 3_600_000;

/** Writes a file with a modification time in the past, in hours. */
function put(name: string, hours: number, content = 'four'): Date {
  const time = new Date(Date.now() - hours * HOUR);
  utimesSync(scene.put(name, content), time, time);
  return time;
}

inEveryRevision((revision) => {
  const connect = (maxOutput = 102_400): Promise<Client> => {
    const roots = [{ path: scene.root, readOnly: false }];
    return scene.connect(
      streams(() => parts().serve({ roots, maxOutput })),
      { revision },
    );
  };
  const promptText = async (args: Record<string, string>, maxOutput?: number): Promise<string> => {
    const client = await connect(maxOutput);
    const { messages } = await client.getPrompt('review_changes', args);
    expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: expect.any(String) } }]);
    return (messages[0]!.content as { text: string }).text;
  };
  /** Returns the listed paths in order. */
  const listed = (text: string): string[] =>
    text.split('\n').flatMap((line) => /^\d{4}-.*?Z {2}[^/]* {2}(.*)$/.exec(line)?.[1] ?? []);

  test('the most recently changed files are listed with time and size, the newest first', async () => {
    const time = put('deep/er/new.txt', 1, 'x'.repeat(2048));
    put('old.txt', 50);
    const text = await promptText({});
    expect(text).toContain(`${time.toISOString()}  2 KB  ${scene.at('deep/er/new.txt')}`);
    expect(listed(text)).toEqual([scene.at('deep/er/new.txt'), scene.at('old.txt')]);
    expect(text).toContain(`below ${scene.root}: 2 files, newest first`);
  });

  test('path, since and limit narrow the list, and the text has the number of files', async () => {
    for (let n = 0; n < 30; n += 1) put(`work/f${n}`, n);
    put('beside', 0);
    const work = scene.at('work');
    expect(listed(await promptText({ path: work }))).toHaveLength(20);
    expect(await promptText({ path: work })).toContain('20 files (more exist), newest first');
    expect(listed(await promptText({ path: work, limit: '2' }))).toEqual([
      join(work, 'f0'),
      join(work, 'f1'),
    ]);
    const since = new Date(Date.now() - 2.5 * HOUR).toISOString();
    for (const time of ['150m', since])
      expect(listed(await promptText({ path: 'work', since: time })), time).toEqual([
        'work/f0',
        'work/f1',
        'work/f2',
      ]);
    expect(await promptText({ path: 'work', since: '2h', limit: '1' })).toMatch(
      /: 1 file changed since \d{4}-.*Z \(more exist\), newest/,
    );
  });

  test('denied, outside, ignored and .git files are not listed', async () => {
    put('shown', 1);
    put('.gitignore', 2, 'dist\n');
    put('dist/built.js', 0);
    for (const name of ['.env', 'a.key', '.git/HEAD', 'node_modules/m/index.js']) put(name, 0);
    mkdirSync(join(scene.outside, 'far'));
    writeFileSync(join(scene.outside, 'far/secret'), '');
    symlinkSync(join(scene.outside, 'far'), scene.at('leak'));
    expect(listed(await promptText({}))).toEqual([scene.at('shown'), scene.at('.gitignore')]);
  });

  test('without recent changes the prompt says so', async () => {
    put('old', 50);
    expect(await promptText({ since: '1d' })).toMatch(
      /^No file below .* was changed since .*Z\. Report that/,
    );
  });

  test('the list stays within the size limit', async () => {
    for (let n = 0; n < 150; n += 1) put(`${'long '.repeat(30)}${n}`, n);
    const text = await promptText({ limit: '200' }, 4096);
    expect(Buffer.byteLength(JSON.stringify(text))).toBeLessThanOrEqual(4096);
    expect(text).toMatch(/: \d+ files \(more exist\)/);
    expect(listed(text).length).toBeGreaterThan(5);
  });

  test('a name with a line break is escaped', async () => {
    put('two\nlines', 0);
    expect(listed(await promptText({}))).toEqual([scene.at(String.raw`two\nlines`)]);
  });

  test.each([
    [{ since: 'yesterday' }, 'since is not a time: "yesterday"; set it to a date such as'],
    [{ since: '2026-13-45' }, 'since is not a time: "2026-13-45"; set it to a date such as'],
    [{ limit: '0' }, 'limit is not valid: "0"; set it to a number from 1 to 200'],
    [{ limit: 'many' }, 'limit is not valid: "many"; set it to a number from 1 to 200'],
    [{ path: 'none' }, 'no such file or folder: none'],
    [{ path: 'file.txt' }, 'not a folder: file.txt; use the prompt explain_file for files'],
    [{ path: '.git' }, 'no such file or folder: .git'],
    [{ folder: 'x' }, 'unknown argument "folder"; the arguments of this prompt are path, since, limit'],
  ])('%j is refused with one line that has the fix', async (args, message) => {
    scene.put('file.txt');
    scene.put('.git/HEAD');
    const client = await connect();
    await expect(client.getPrompt('review_changes', args as Record<string, string>)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(new RegExp(`^${message.replace(/[.*?]/g, '\\$&')}[^\n]*$`)),
    });
  });

  test('blank arguments count as omitted', async () => {
    put('a', 1);
    expect(listed(await promptText({ path: '', since: ' ', limit: '' }))).toEqual([scene.at('a')]);
  });
});
