import { readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { connections, open } from './open.ts';

const milk = { name: 'milk', text: 'Buy milk.' };
const bread = { name: 'bread', text: 'Bake bread.' };

describe.each(connections)('over $transport, $era', (connection) => {
  test('the result of a tool has a structure, and the same as text', async () => {
    const { client, read } = await open(connection);
    const { content, structuredContent } = await client.callTool('write_notes', { notes: [milk, bread] });
    expect(structuredContent).toEqual({ written: ['milk', 'bread'], kept: [] });
    expect(content).toEqual([{ type: 'text', text: 'wrote milk, bread' }]);
    expect(read('bread')).toBe('Bake bread.');
    const found = await client.callTool('find_notes', { text: 'MILK' });
    expect(found.structuredContent).toEqual({ notes: [{ name: 'milk', uri: 'note:///milk' }] });
  });

  test('a call reports its progress', async () => {
    const { client } = await open(connection);
    const reports: unknown[] = [];
    await client.callTool(
      'write_notes',
      { notes: [milk, bread] },
      { onProgress: ({ progress, total }) => reports.push([progress, total]) },
    );
    expect(reports.at(-1)).toEqual([2, 2]);
  });

  test.each([
    ['agrees', true, 'New.', 'wrote welcome'],
    ['does not agree', false, 'Hello.', 'kept welcome as before'],
  ])('an existing note is replaced only if the user agrees: the user %s', async (_, agrees, text, result) => {
    const questions: string[] = [];
    const { client, read } = await open(connection, {
      elicitation: ({ message }) => {
        questions.push(message);
        return { action: 'accept', content: { confirm: agrees } };
      },
    });
    const notes = [{ name: 'welcome', text: 'New.' }];
    expect(await client.callTool('write_notes', { notes })).toMatchObject({ content: [{ text: result }] });
    expect(questions).toEqual(['Replace welcome?']);
    expect(read('welcome')).toBe(text);
  });

  test('a client that cannot ask its user replaces nothing', async () => {
    const { client, read } = await open(connection);
    const replacing = client.callTool('write_notes', { notes: [{ name: 'welcome', text: 'New.' }] });
    const outcome = await replacing.catch(() => ({ isError: true }));
    expect(outcome.isError).toBe(true);
    expect(read('welcome')).toBe('Hello.');
  });

  test('a call that is cancelled writes no more notes', async () => {
    const { client, folder } = await open(connection);
    const notes = Array.from({ length: 5000 }, (_, index) => ({ name: `note-${index}`, text: 'text' }));
    const controller = new AbortController();
    const call = client.callTool(
      'write_notes',
      { notes },
      { signal: controller.signal, onProgress: () => controller.abort() },
    );
    await expect(call).rejects.toThrow();
    // the server answers these after it has read the cancellation and finished the note in progress
    for (let request = 0; request < 2; request += 1) await client.callTool('find_notes');
    const written = readdirSync(folder).length;
    expect(written).toBeLessThan(notes.length);
    await client.callTool('find_notes');
    expect(readdirSync(folder).length).toBe(written);
  });

  test('a subscriber is notified when a note changes, by the server or another program', async () => {
    const { client, save } = await open(connection);
    const changes: unknown[] = [];
    let notify = (): void => {};
    const subscription = await client.subscribe('note:///welcome', (change) => {
      changes.push(change);
      notify();
    });
    const noticed = new Promise<void>((resolve) => {
      notify = resolve;
    });
    save('welcome', 'Changed by another program.');
    await noticed;
    expect(changes[0]).toEqual({ kind: 'resource', uri: 'note:///welcome' });
    const { contents } = await client.readResource('note:///welcome');
    expect(contents).toMatchObject([{ text: 'Changed by another program.' }]);
    await subscription.close();
  });

  test('a client is notified when the list of notes changes', async () => {
    const { client } = await open(connection);
    expect((await client.listResources()).map(({ uri }) => uri)).toEqual(['note:///welcome']);
    const noticed = new Promise<void>((resolve) => {
      void client.onListChanged('resources', resolve).then(async () => {
        await client.callTool('write_notes', { notes: [milk] });
      });
    });
    await noticed;
    expect((await client.listResources()).map(({ name }) => name)).toEqual(['milk', 'welcome']);
  });

  test('paths outside the roots are reported as missing', async () => {
    const { client, folder } = await open(connection);
    writeFileSync(join(dirname(folder), 'outside.md'), 'secret');
    for (const name of ['..%2Foutside', 'none', '.env'])
      await expect(client.readResource(`note:///${name}`)).rejects.toThrow('not found');
  });

  test('names are completed, and the prompt contains the note', async () => {
    const { client } = await open(connection);
    const template = { type: 'ref/resource', uri: 'note:///{name}' } as const;
    expect((await client.complete(template, { name: 'name', value: 'we' })).values).toEqual(['welcome']);
    const { messages } = await client.getPrompt('summarize', { note: 'welcome' });
    expect(messages).toMatchObject([{ content: { text: expect.stringContaining('Hello.') } }]);
  });
});
