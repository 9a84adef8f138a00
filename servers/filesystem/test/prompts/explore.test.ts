import { mkdirSync } from 'node:fs';
import { RpcError } from '@rootbound/protocol/client';
import { expect, test } from 'vitest';
import { toolNames } from '../../src/spec.ts';
import { inEveryRevision, Scene } from '../harness.ts';

const scene = new Scene();

inEveryRevision((revision) => {
  const promptText = async (args: Record<string, string>, setting: object = {}): Promise<string> => {
    const client = await scene.client({ revision, ...setting });
    const { messages } = await client.getPrompt('explore', args);
    expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: expect.any(String) } }]);
    return (messages[0]!.content as { text: string }).text;
  };

  test('the prompt is listed with its arguments, none required', async () => {
    const client = await scene.client({ revision });
    const prompts = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['explore', 'review_changes', 'explain_file']);
    expect(prompts[0]?.arguments?.map(({ name, required }) => [name, required])).toEqual([
      ['path', undefined],
      ['question', undefined],
    ]);
  });

  test('without a path it names every root', async () => {
    mkdirSync(scene.at('other'));
    const roots = [
      { path: scene.root, readOnly: false },
      { path: scene.at('other'), readOnly: true },
    ];
    const text = await promptText({}, { roots });
    expect(text).toContain(`Explore ${scene.root} and ${scene.at('other')} with`);
  });

  test('the prompt has the path and the question', async () => {
    mkdirSync(scene.at('src'));
    const text = await promptText({ path: 'src', question: 'where is the entry point?' });
    expect(text).toContain('Explore src with');
    expect(text).toContain('where is the entry point?');
  });

  test('without any root it is refused with the option that adds one', async () => {
    await expect(promptText({}, { roots: [] })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(/^nothing is allowed: .*; name a folder on the server's command line/),
    });
  });

  test('a path that is missing, denied or a file is refused with one line', async () => {
    scene.put('file.txt');
    scene.put('.ssh/config');
    for (const [path, message] of [
      ['none', /^no such file or folder: none; /],
      ['.ssh', /^no such file or folder: .ssh; /],
      ['file.txt', /^not a folder: file.txt; use the prompt explain_file for files$/],
    ] as const)
      await expect(promptText({ path }), path).rejects.toMatchObject({
        code: -32602,
        message: expect.stringMatching(message),
      });
  });

  test('it names only tools of the server', async () => {
    const names = [...(await promptText({})).matchAll(/\b[a-z]+(?:_[a-z]+)+\b/g)].map(([name]) => name);
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect(toolNames).toContain(name);
  });

  test('an unknown prompt and an argument that is not a string are refused', async () => {
    const client = await scene.client({ revision });
    const unknown = await client.getPrompt('none').catch((error: unknown) => error);
    expect(unknown).toBeInstanceOf(RpcError);
    expect(unknown).toMatchObject({ code: -32602 });
    const params = { name: 'explore', arguments: { path: 1 } } as never; // forbidden by the types
    await expect(client.request('prompts/get', params)).rejects.toMatchObject({ code: -32602 });
  });
});
