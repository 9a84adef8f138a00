import { existsSync, mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Revision } from '@rootbound/protocol';
import type { Client, ClientOptions } from '@rootbound/protocol/client';
import { describe, expect, test } from 'vitest';
import { call, Scene, stateless, whereStructured } from '../harness.ts';

const scene = new Scene();

type Answer = Awaited<ReturnType<Extract<ClientOptions['elicitation'], (...args: never[]) => unknown>>>;

const agrees: Answer = { action: 'accept', content: { confirm: true } };

interface Asked {
  client: Client;
  /** the questions that the user saw */
  questions: string[];
}

async function asking(
  revision: Revision,
  extra: Record<string, unknown>,
  answer: Answer | (() => Answer) = agrees,
): Promise<Asked> {
  const questions: string[] = [];
  const client = await scene.client({
    revision,
    extra,
    elicitation: (params) => {
      questions.push(params.message);
      return typeof answer === 'function' ? answer() : answer;
    },
  });
  return { client, questions };
}

const deletes = { 'allow-delete': true };
const overwrites = { confirm: 'overwrite' };

whereStructured((revision) => {
  test('the user confirms a deletion in a question of one line, and the file is then deleted', async () => {
    const path = scene.put('a\u202eb.txt', 'x');
    const { client, questions } = await asking(revision, deletes);
    const { failed } = await call(client, 'delete_file', { path });
    expect(failed).toBe(false);
    expect(questions).toEqual([`Delete ${scene.at(String.raw`a\u202eb.txt`)}?`]);
    expect(existsSync(path)).toBe(false);
  });

  test.each<[string, Answer, string]>([
    ['declines', { action: 'decline' }, 'declined'],
    ['dismisses the question', { action: 'cancel' }, 'cancelled'],
    ['says no', { action: 'accept', content: { confirm: false } }, 'declined'],
  ])('nothing is deleted if the user %s', async (_what, answer, code) => {
    const path = scene.put('a.txt', 'x');
    const { client, questions } = await asking(revision, { ...deletes, ...overwrites }, answer);
    const deleted = await call(client, 'delete_file', { path });
    const written = await call(client, 'write_file', { path, content: 'y' });
    for (const outcome of [deleted, written]) {
      expect(outcome).toMatchObject({ failed: true, code });
      expect(outcome.words).not.toContain('\n\n');
      expect(outcome.text).toContain(path);
    }
    expect(questions).toEqual([`Delete ${path}?`, `Replace the content of ${path}?`]);
    expect(scene.bytes('a.txt').toString()).toBe('x');
  });

  test('the question names a folder as a folder, and a link to one as a link', async () => {
    scene.put('folder/a.txt', 'x');
    symlinkSync('folder', scene.at('link'));
    const { client, questions } = await asking(revision, deletes);
    expect((await call(client, 'delete_file', { path: 'link' })).failed).toBe(false);
    expect((await call(client, 'delete_file', { path: 'folder', recursive: true })).failed).toBe(false);
    expect(questions).toEqual(['Delete link?', 'Delete the folder folder and everything in it?']);
    expect(scene.names()).toEqual([]);
  });

  test('with --confirm overwrite the user confirms the overwrite of a file, not a new file or an append', async () => {
    const path = scene.put('a.txt', 'x');
    const { client, questions } = await asking(revision, overwrites);
    const write = (args: object) => call(client, 'write_file', { content: 'y', ...args });
    expect((await write({ path: scene.at('new.txt') })).failed).toBe(false);
    expect((await write({ path, append: true })).failed).toBe(false);
    expect((await write({ path, exclusive: true })).code).toBe('exists');
    expect(questions).toEqual([]);
    expect((await write({ path })).failed).toBe(false);
    expect(questions).toEqual([`Replace the content of ${path}?`]);
    expect(scene.bytes('a.txt').toString()).toBe('y');
  });

  test('edits and moves need no confirmation', async () => {
    const path = scene.put('a.txt', 'x');
    const { client, questions } = await asking(revision, overwrites);
    const edits = [{ oldText: 'x', newText: 'y' }];
    expect((await call(client, 'edit_file', { path, edits })).failed).toBe(false);
    const moved = await call(client, 'move_file', { source: path, destination: scene.at('b.txt') });
    expect(moved.failed).toBe(false);
    expect(questions).toEqual([]);
  });

  test('by default an overwrite needs no confirmation, and with --confirm never no change does', async () => {
    const path = scene.put('a.txt', 'x');
    const usual = await asking(revision, deletes);
    expect((await call(usual.client, 'write_file', { path, content: 'y' })).failed).toBe(false);
    const never = await asking(revision, { ...deletes, confirm: 'never' });
    expect((await call(never.client, 'delete_file', { path })).failed).toBe(false);
    expect([...usual.questions, ...never.questions]).toEqual([]);
  });

  test('a client without elicitation deletes without confirmation', async () => {
    const path = scene.put('a.txt', 'x');
    const client = await scene.client({ revision, extra: deletes });
    expect((await call(client, 'delete_file', { path })).failed).toBe(false);
    expect(existsSync(path)).toBe(false);
  });

  test('missing paths, paths outside the roots and denied paths are refused without a question', async () => {
    scene.put('.env', 'x');
    const { client, questions } = await asking(revision, { ...deletes, ...overwrites });
    for (const path of ['none.txt', join(scene.outside, 'x'), '.env'])
      expect((await call(client, 'delete_file', { path })).failed).toBe(true);
    expect((await call(client, 'write_file', { path: '.env', content: '' })).code).toBe('permission');
    expect(questions).toEqual([]);
    expect(scene.bytes('.env').toString()).toBe('x');
  });

  test('a file that is deleted during the question is reported as missing', async () => {
    const path = scene.put('a.txt', 'x');
    const { client } = await asking(revision, deletes, () => {
      mkdirSync(scene.at('kept'), { recursive: true });
      renameSync(path, scene.at('kept/a.txt'));
      return agrees;
    });
    expect((await call(client, 'delete_file', { path })).code).toBe('not-found');
    expect(scene.names(scene.at('kept'))).toEqual(['a.txt']);
  });
});

describe.each<Revision>(['2024-11-05', '2025-03-26'])('in %s', (revision) => {
  test('there is no elicitation, so deletions need no confirmation whatever the client declares', async () => {
    const path = scene.put('a.txt', 'x');
    const wire = scene.wire({ extra: deletes });
    await wire.initialize(revision, { elicitation: {} });
    wire.say({ method: 'notifications/initialized' });
    const { result } = await wire.request('tools/call', { name: 'delete_file', arguments: { path } });
    expect(result?.isError).not.toBe(true);
    expect(existsSync(path)).toBe(false);
  });
});

test.each<[object, boolean]>([
  [{ elicitation: {} }, true],
  [{ elicitation: { form: {} } }, true],
  [{ elicitation: { form: {}, url: {} } }, true],
  [{ elicitation: { url: {} } }, false],
  [{}, false],
])('a stateless client that declares %j is asked by an input request: %s', async (capabilities, asked) => {
  const path = scene.put('a.txt', 'x');
  const wire = scene.wire({ extra: deletes });
  const params = { name: 'delete_file', arguments: { path }, _meta: stateless(capabilities) };
  const { result } = await wire.request('tools/call', params);
  expect(result?.resultType).toBe(asked ? 'input_required' : 'complete');
  expect(existsSync(path)).toBe(asked);
});
