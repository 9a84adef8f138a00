import { describe, expect, test } from 'vitest';
import { everyWay, open } from './ways.ts';

describe.each(everyWay)('over $way, $era', (way) => {
  test('notes are written, with progress, and read back', async () => {
    const client = await open(way);
    const notified: (number | undefined)[][] = [];
    const notes = [
      { name: 'milk', text: 'Buy milk.' },
      { name: 'bread', text: 'Bake bread.' },
    ];
    const { content, structuredContent } = await client.callTool(
      'write_notes',
      { notes },
      { onProgress: ({ progress, total }) => notified.push([progress, total]) },
    );
    expect(content).toEqual([{ type: 'text', text: 'wrote milk, bread' }]);
    expect(structuredContent).toEqual({ written: ['milk', 'bread'], kept: [] });
    expect(notified.at(-1)).toEqual([2, 2]);
    expect((await client.listResources()).map(({ uri }) => uri)).toContain('note:///bread');
    const { contents } = await client.readResource('note:///bread');
    expect(contents).toEqual([{ uri: 'note:///bread', mimeType: 'text/plain', text: 'Bake bread.' }]);
  });

  test.each([
    ['agrees', true, 'Hello.'],
    ['does not agree', false, 'Notes are kept for as long as the server runs.'],
  ])('a note that exists is replaced only when the user agrees: he %s', async (_says, agrees, text) => {
    const questions: string[] = [];
    const client = await open(way, {
      elicitation: ({ message }) => {
        questions.push(message);
        return { action: 'accept', content: { confirm: agrees } };
      },
    });
    await client.callTool('write_notes', { notes: [{ name: 'welcome', text: 'Hello.' }] });
    expect(questions).toEqual(['Replace welcome?']);
    const { contents } = await client.readResource('note:///welcome');
    expect(contents).toMatchObject([{ text }]);
  });

  test('a client that cannot ask its user replaces nothing', async () => {
    const client = await open(way);
    const replacing = client.callTool('write_notes', { notes: [{ name: 'welcome', text: 'Hello.' }] });
    const outcome = await replacing.catch((error: Error) => ({ isError: true, error }));
    expect(outcome.isError).toBe(true);
    const { contents } = await client.readResource('note:///welcome');
    expect(contents).toMatchObject([{ text: 'Notes are kept for as long as the server runs.' }]);
  });

  test('a subscriber is told of the note that was written', async () => {
    const client = await open(way);
    const { promise: notified, resolve } = withResolvers<unknown>();
    await client.subscribe('note:///milk', resolve);
    await client.callTool('write_notes', { notes: [{ name: 'milk', text: 'Buy milk.' }] });
    expect(await notified).toEqual({ kind: 'resource', uri: 'note:///milk' });
  });

  test('names are completed, in the URI and for the prompt', async () => {
    const client = await open(way);
    const template = { type: 'ref/resource', uri: 'note:///{name}' } as const;
    const prompt = { type: 'ref/prompt', name: 'summarize' } as const;
    expect((await client.complete(template, { name: 'name', value: 'we' })).values).toEqual(['welcome']);
    expect((await client.complete(prompt, { name: 'note', value: 'x' })).values).toEqual([]);
  });

  test('the prompt holds the note', async () => {
    const client = await open(way);
    const { messages } = await client.getPrompt('summarize', { note: 'welcome' });
    expect(messages).toMatchObject([
      { role: 'user', content: { text: expect.stringContaining('Notes are kept') } },
    ]);
  });

  test('a note that is not there is not found', async () => {
    const client = await open(way);
    await expect(client.readResource('note:///none')).rejects.toThrow('resource not found');
  });
});

function withResolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
