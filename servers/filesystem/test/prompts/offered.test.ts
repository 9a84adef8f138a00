import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { streams } from '@rootbound/protocol/client';
import { expect, test } from 'vitest';
import { sampled } from '../../../../test/extent.ts';
import { toolNames } from '../../src/spec.ts';
import { bundledParts } from '../bundled.ts';
import { inEveryRevision, newest, Scene } from '../harness.ts';

const scene = new Scene();
const parts = bundledParts();

/** Returns the tool names in a text. */
function named(text: string): string[] {
  const known = new Set<string>(toolNames);
  return [...text.matchAll(/[a-z]+(?:_[a-z]+)+/g)].flatMap(([name]) => (known.has(name) ? [name] : []));
}

inEveryRevision((revision) => {
  test.each([[[]], [['read_text_file']], [['search_content', 'write_file']], [['delete_file']]])(
    'with the tools %j the instructions and prompts name no other tool',
    async (tools) => {
      scene.put('dir/long.txt', 'line\n'.repeat(2000));
      const roots = [{ path: scene.root, readOnly: false }];
      for (const readOnly of [false, true]) {
        const setting = { roots, tools, readOnly, maxOutput: 4096, extra: { 'allow-delete': true } };
        const client = await scene.connect(
          streams(() => parts().serve(setting)),
          { revision },
        );
        const instructions =
          revision === newest
            ? (await client.request('server/discover', {})).instructions
            : client.instructions;
        const offered = (await client.listTools()).map(({ name }) => name);
        const texts = [instructions ?? ''];
        for (const [name, args] of [
          ['explore', {}],
          ['review_changes', { path: 'dir' }],
          ['explain_file', { path: 'dir/long.txt' }],
        ] as const)
          texts.push(JSON.stringify((await client.getPrompt(name, args)).messages));
        for (const text of texts)
          expect(
            named(text).filter((name) => !offered.includes(name)),
            text,
          ).toEqual([]);
      }
    },
  );
});

test.each(sampled([1024, 8192], 2))(
  'the text of a prompt fits %i bytes, or its arguments are refused',
  async (maxOutput) => {
    scene.put('dir/long.txt', 'line\n'.repeat(4000));
    const roots = Array.from({ length: 100 }, (_, at) => ({
      path: join(scene.root, `root ${at} ${'r'.repeat(100)}`),
      readOnly: false,
    }));
    for (const { path } of roots) mkdirSync(path);
    const setting = { roots: [{ path: scene.root, readOnly: false }, ...roots], maxOutput };
    const client = await scene.connect(
      streams(() => parts().serve(setting)),
      { revision: newest },
    );
    const refusals: string[] = [];
    for (const length of [10, 200, 2000, 20_000]) {
      const question = 'why "so"? '.repeat(length / 10);
      for (const [name, args] of [
        ['explore', {}],
        ['explore', { question }],
        ['explore', { question, path: 'dir' }],
        ['review_changes', {}],
        ['review_changes', { since: question }],
        ['explain_file', { path: 'dir/long.txt', question }],
        ['explain_file', { path: question }],
        ['explain_file', { [question]: 'x' }],
      ] as const) {
        const outcome = await client.getPrompt(name, args as Record<string, string>).then(
          ({ messages }) => JSON.stringify(messages),
          (error: unknown) => {
            refusals.push(String(error));
            return JSON.stringify(String(error));
          },
        );
        expect(Buffer.byteLength(outcome), `${name} ${length}`).toBeLessThanOrEqual(maxOutput);
      }
    }
    expect(refusals.some((text) => text.includes('question is too long; keep all arguments below'))).toBe(
      true,
    );
  },
);
