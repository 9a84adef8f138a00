import { symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { call, newest, type Outcome, Scene, whereStructured } from '../harness.ts';
import { numbers } from './reference.ts';

const scene = new Scene();
const deep = [1, 2, 3].map((n) => `${n}`.repeat(190)).join('/');

/** Returns the size of both halves in the message. */
function wholeHalves({ result }: Outcome): [content: number, structured: number] {
  return [
    Buffer.byteLength(JSON.stringify(result.content)),
    Buffer.byteLength(JSON.stringify(result.structuredContent ?? null)),
  ];
}

whereStructured((revision) => {
  test.each([1024, 102_400])(
    'each half stays within %i bytes, including links and errors',
    async (maxOutput) => {
      scene.put(`${deep}/text`, 'x"\n'.repeat(100_000));
      scene.put(`${deep}/text.png`, 'no picture\n'.repeat(20_000));
      scene.put(`${deep}/bytes`, Buffer.alloc(200_000));
      scene.put(`${deep}/empty`);
      symlinkSync(scene.at(`${deep}/text`), scene.at(`${deep}/link`));
      const client = await scene.client({ revision, maxOutput });
      for (const name of ['text', 'text.png', 'bytes', 'empty', 'link', 'none', '.env', 'empty/below']) {
        const path = `${deep}/${name}`;
        for (const [tool, args] of [
          ['read_text_file', { path }],
          ['read_text_file', { path, tail: 90_000 }],
          ['read_text_file', { path, startLine: 30, lineNumbers: true }],
          ['read_text_file', { path, encoding: 'utf-16le' }],
          ['read_media_file', { path }],
          ['read_media_file', { path, offset: 0 }],
          ['read_media_file', { path, offset: 7, length: 5 }],
          ['get_file_info', { path }],
          ['read_multiple_files', { paths: [path] }],
          ['read_multiple_files', { paths: [path, path, path, path] }],
        ] as const) {
          const outcome = await call(client, tool, args);
          for (const bytes of wholeHalves(outcome))
            expect(bytes, `${tool} of ${name}: ${outcome.words}`).toBeLessThanOrEqual(maxOutput);
        }
      }
    },
  );
});

test.each([1024, 2048, 102_400])('roots and denied patterns stay within %i bytes', async (maxOutput) => {
  const deny = Array.from({ length: 200 }, (_, at) => `secret-${at}*.txt`);
  for (const length of [5, 100, 170]) {
    const roots = Array.from({ length: 30 }, (_, at) => {
      scene.put(`${'r'.repeat(length)}${at}/a.txt`);
      return { path: scene.at(`${'r'.repeat(length)}${at}`), readOnly: false };
    });
    const client = await scene.client({ revision: newest, maxOutput, roots, extra: { deny } });
    const outcome = await call(client, 'list_allowed_directories');
    for (const bytes of wholeHalves(outcome)) expect(bytes, outcome.words).toBeLessThanOrEqual(maxOutput);
    expect(outcome.facts.roots.length).toBeGreaterThan(0);
  }
});

test('several files and errors stay within any limit, and each path is read or listed as remaining', async () => {
  const below = numbers(7919);
  for (let round = 0; round < 60; round++) {
    const maxOutput = 1024 + below(4000);
    const client = await scene.client({ revision: newest, maxOutput });
    const paths = Array.from({ length: 1 + below(8) }, (_, at) => {
      const name = `${at}${'漢"a'[below(3)]!.repeat(1 + below(60))}`;
      if (below(2) === 0) scene.put(name, 'a"\n'.repeat(below(2000)));
      return below(4) === 0 ? `${name}/${'x'.repeat(below(250))}` : name;
    });
    const outcome = await call(client, 'read_multiple_files', { paths });
    const { files, remaining = [] } = outcome.facts;
    const description = `round ${round} at ${maxOutput}: ${JSON.stringify(paths)}`;
    for (const bytes of wholeHalves(outcome)) expect(bytes, description).toBeLessThanOrEqual(maxOutput);
    expect(files.length, description).toBeGreaterThan(0);
    const count = (outcome.facts as { remainingCount?: number }).remainingCount ?? remaining.length;
    expect(files.length + count, description).toBe(paths.length);
  }
});
