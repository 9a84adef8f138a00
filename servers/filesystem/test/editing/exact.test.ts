import { statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, halves, inEveryRevision, Scene, whereStructured } from '../harness.ts';

const scene = new Scene();
const text = 'alpha\nbeta\ngamma\nbeta\ndelta\n';

inEveryRevision((revision) => {
  const edit = async (path: string, edits: object[], more: object = {}, setting: object = {}) =>
    call(await scene.client({ revision, ...setting }), 'edit_file', { path, edits, ...more });

  test('one exact piece is replaced and the text half is the diff', async () => {
    scene.put('a.txt', text);
    const { failed, text: message } = await edit('a.txt', [{ oldText: 'gamma\n', newText: 'GAMMA\nnew\n' }]);
    expect([failed, message.replace(/etag [^)]+/, 'etag E')]).toEqual([
      false,
      'edited a.txt (replaced 1, etag E)\n--- a.txt\n+++ a.txt\n@@ -1,5 +1,6 @@\n alpha\n beta\n-gamma\n+GAMMA\n+new\n beta\n delta\n',
    ]);
    expect(scene.bytes('a.txt').toString()).toBe('alpha\nbeta\nGAMMA\nnew\nbeta\ndelta\n');
    expect(scene.names()).toEqual(['a.txt']);
  });

  test('a piece that occurs twice is refused with its lines', async () => {
    scene.put('a.txt', text);
    const { failed, code, text: message } = await edit('a.txt', [{ oldText: 'beta', newText: 'x' }]);
    expect([failed, code, message]).toEqual([
      true,
      'ambiguous',
      'oldText matches 2 places, on lines 2, 4\ninclude more of the text around it in oldText, or set replaceAll',
    ]);
    expect(scene.bytes('a.txt').toString()).toBe(text);
  });

  test('replaceAll replaces every occurrence, even if the new text contains the old one', async () => {
    scene.put('a.txt', text);
    const { failed } = await edit('a.txt', [{ oldText: 'beta', newText: 'beta beta', replaceAll: true }]);
    expect([failed, scene.bytes('a.txt').toString()]).toEqual([false, text.replaceAll('beta', 'beta beta')]);
  });

  test('a replacement is taken literally', async () => {
    scene.put('a.txt', 'cost: X\n');
    await edit('a.txt', [{ oldText: 'X', newText: '$& $1 $$ $`' }]);
    expect(scene.bytes('a.txt').toString()).toBe('cost: $& $1 $$ $`\n');
  });

  test('a text that is not in the file is refused with the nearest text and its line', async () => {
    scene.put(
      'a.js',
      'function a() {\n    return first(1);\n}\n\nfunction b() {\n    return second(2);\n}\n',
    );
    const {
      failed,
      code,
      text: message,
    } = await edit('a.js', [{ oldText: 'function b() {\n  return second(2);\n}', newText: 'x' }]);
    expect([failed, code]).toEqual([true, 'no-match']);
    expect(message).toContain('oldText was not found; it must match exactly, including white space');
    expect(message.split('\n')).toEqual([
      'oldText was not found; it must match exactly, including white space',
      'the nearest text is on line 5 (- oldText, + file):',
      ' function b() {',
      '-··return second(2);',
      '+····return second(2);',
      ' }',
      'only white space differs: the indentation of line 6',
      'read the file again',
    ]);
  });

  test('a text that resembles no line is refused without a nearest text', async () => {
    scene.put('a.txt', text);
    const { text: message } = await edit('a.txt', [{ oldText: 'omega omega', newText: 'x' }]);
    expect(message).toBe(
      'oldText was not found; it must match exactly, including white space\nread the file again',
    );
  });

  test('several edits are applied, each on the result of the previous one', async () => {
    scene.put('a.txt', text);
    await edit('a.txt', [
      { oldText: 'alpha', newText: 'one' },
      { oldText: 'one\nbeta', newText: 'two' },
      { oldText: 'beta', newText: 'three' },
    ]);
    expect(scene.bytes('a.txt').toString()).toBe('two\ngamma\nthree\ndelta\n');
  });

  test('one failed edit prevents all, and the error names it', async () => {
    scene.put('a.txt', text);
    const before = statSync(scene.at('a.txt'));
    const { failed, text: message } = await edit('a.txt', [
      { oldText: 'alpha', newText: 'one' },
      { oldText: 'none', newText: 'two' },
    ]);
    expect([failed, message.startsWith('edit 2: oldText was not found')]).toEqual([true, true]);
    const after = statSync(scene.at('a.txt'));
    expect([scene.bytes('a.txt').toString(), after.ino, after.mtimeMs]).toEqual([
      text,
      before.ino,
      before.mtimeMs,
    ]);
  });

  test('a dry run writes nothing and returns the diff of the later edit', async () => {
    scene.put('a.txt', text);
    const before = statSync(scene.at('a.txt'));
    const edits = [{ oldText: 'gamma', newText: 'GAMMA' }];
    const dry = await edit('a.txt', edits, { dryRun: true });
    const after = statSync(scene.at('a.txt'));
    expect([scene.bytes('a.txt').toString(), after.ino, after.mtimeMs]).toEqual([
      text,
      before.ino,
      before.mtimeMs,
    ]);
    expect(dry.text.split('\n')[0]).toMatch(
      /^dry run of a\.txt, nothing was written \(replaced 1, etag \S+\)$/,
    );
    const real = await edit('a.txt', edits);
    expect(dry.text.split('\n').slice(1)).toEqual(real.text.split('\n').slice(1));
    expect(scene.bytes('a.txt').toString()).toContain('GAMMA');
  });

  test('a dry run fails with the error of the edit', async () => {
    scene.put('a.txt', text);
    const edits = [{ oldText: 'beta', newText: 'x' }];
    expect((await edit('a.txt', edits, { dryRun: true })).text).toBe((await edit('a.txt', edits)).text);
  });

  test('empty, unchanged and missing edits are refused and the file stays as it is', async () => {
    scene.put('a.txt', text);
    const before = statSync(scene.at('a.txt'));
    expect((await edit('a.txt', [{ oldText: '', newText: 'x' }])).text).toBe(
      'oldText must not be empty\nset oldText to the text to replace, set insertLine to insert (0: at the start), or call write_file for a new file',
    );
    expect((await edit('a.txt', [{ oldText: 'alpha', newText: 'alpha' }])).text).toBe(
      'oldText and newText are the same\nleave this edit out',
    );
    const none = await edit('a.txt', []).then(
      ({ failed }) => failed,
      () => true,
    );
    expect(none).toBe(true);
    expect(statSync(scene.at('a.txt')).ino).toBe(before.ino);
  });

  test('a binary file, a folder and a link to outside are refused', async () => {
    scene.put('a.bin', Buffer.from([97, 0, 98]));
    writeFileSync(join(scene.outside, 'a.txt'), 'outside');
    symlinkSync(join(scene.outside, 'a.txt'), scene.at('link'));
    const edits = [{ oldText: 'a', newText: 'x' }];
    expect((await edit('a.bin', edits)).code).toBe('binary');
    expect((await edit('.', edits)).failed).toBe(true);
    expect((await edit('link', [{ oldText: 'outside', newText: 'x' }])).code).toBe('not-found');
    expect(scene.names(scene.outside)).toEqual(['a.txt']);
  });
});

whereStructured((revision) => {
  test('the structured half has the diff, the counts and the new etag', async () => {
    scene.put('a.txt', text);
    const client = await scene.client({ revision });
    const edits = [
      { oldText: 'beta', newText: 'b', replaceAll: true },
      { oldText: 'alpha', newText: 'a' },
    ];
    const { facts, text: message } = await call(client, 'edit_file', { path: 'a.txt', edits });
    const read = await call(client, 'read_text_file', { path: 'a.txt' });
    expect(message.split('\n')[0]).toBe(`edited a.txt (replaced 2 + 1, etag ${facts.etag})`);
    expect(facts).toEqual({
      path: 'a.txt',
      diff: message.slice(message.indexOf('\n') + 1),
      replacements: [2, 1],
      applied: true,
      etag: read.facts.etag,
      truncated: false,
    });
  });

  test('ifMatch refuses a file that changed, also in a dry run', async () => {
    scene.put('a.txt', text);
    const client = await scene.client({ revision });
    const { etag } = (await call(client, 'read_text_file', { path: 'a.txt' })).facts;
    scene.put('a.txt', `${text}more\n`);
    const edits = [{ oldText: 'alpha', newText: 'x' }];
    for (const dryRun of [true, false]) {
      const { failed, code } = await call(client, 'edit_file', {
        path: 'a.txt',
        edits,
        ifMatch: etag,
        dryRun,
      });
      expect([failed, code]).toEqual([true, 'changed']);
    }
    const now = (await call(client, 'read_text_file', { path: 'a.txt' })).facts.etag;
    expect((await call(client, 'edit_file', { path: 'a.txt', edits, ifMatch: now })).failed).toBe(false);
  });

  test('a long diff is cut to the size limit in each half and marked as truncated, and the edit is applied', async () => {
    scene.put('a.txt', 'old line "\\\n'.repeat(3000));
    const client = await scene.client({ revision, maxOutput: 4096 });
    const edits = [{ oldText: 'old', newText: 'new', replaceAll: true }];
    const { facts, result, text: message } = await call(client, 'edit_file', { path: 'a.txt', edits });
    expect([
      facts.truncated,
      facts.replacements,
      message.split('\n')[0]!.includes('the diff is cut'),
    ]).toEqual([true, [3000], true]);
    expect(scene.bytes('a.txt').toString()).toBe('new line "\\\n'.repeat(3000));
    const { content, structured } = halves(result);
    expect([content <= 4096, structured <= 4096], `${content} and ${structured} bytes`).toEqual([true, true]);
  });

  test('the error for a missing text next to a very long line stays within the size limit', async () => {
    scene.put('a.txt', `a line that is known\n${'x'.repeat(500_000)}\n`);
    const client = await scene.client({ revision, maxOutput: 4096 });
    const edits = [{ oldText: 'a line that is known\nand another', newText: 'x' }];
    const { failed, result } = await call(client, 'edit_file', { path: 'a.txt', edits });
    expect(failed).toBe(true);
    expect(halves(result).content).toBeLessThanOrEqual(4096);
  });

  test('fifty concurrent edits of one file are all applied', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `<${index}>`);
    scene.put('a.txt', `${names.join('\n')}\n`);
    const one = await scene.client({ revision });
    const outcomes = await Promise.all(
      names.map((name) =>
        call(one, 'edit_file', { path: 'a.txt', edits: [{ oldText: name, newText: `${name} done` }] }),
      ),
    );
    expect(outcomes.map((outcome) => outcome.failed)).toEqual(names.map(() => false));
    expect(scene.bytes('a.txt').toString()).toBe(names.map((name) => `${name} done\n`).join(''));
    expect(scene.names()).toEqual(['a.txt']);
  });

  test('fifty concurrent edits by two clients of one server are all applied', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `<${index}>`);
    scene.put('a.txt', `${names.join('\n')}\n`);
    const filesystem = scene.filesystem();
    const clients = [
      await scene.join(filesystem, { revision }),
      await scene.join(filesystem, { revision: '2025-06-18' }),
    ];
    const outcomes = await Promise.all(
      names.map((name, index) =>
        call(clients[index % 2]!, 'edit_file', {
          path: 'a.txt',
          edits: [{ oldText: name, newText: `${name} done` }],
        }),
      ),
    );
    expect(outcomes.map((outcome) => outcome.failed)).toEqual(names.map(() => false));
    expect(scene.bytes('a.txt').toString()).toBe(names.map((name) => `${name} done\n`).join(''));
  });
});
