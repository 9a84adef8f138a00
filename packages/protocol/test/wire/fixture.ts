import * as z from 'zod';
import {
  confirm,
  createServer,
  form,
  prompt,
  reply,
  resource,
  roots,
  type Server,
  sample,
  ToolError,
  template,
  tool,
  url,
} from '../../src/index.ts';

const nothing = z.object({});

/** Controls a server in the process of the test. */
export class Stage {
  readonly #watched = new Map<string, Set<() => void>>();
  /** number of runs of the tool with a question */
  deployed = 0;
  release: () => void = () => {};
  /** aborts that running tools have received */
  aborted: string[] = [];
  faults: unknown[] = [];

  watch(uri: string, changed: () => void): () => void {
    const listeners = this.#watched.get(uri) ?? new Set();
    this.#watched.set(uri, listeners.add(changed));
    return () => listeners.delete(changed);
  }

  touch(uri: string): void {
    for (const changed of this.#watched.get(uri) ?? []) changed();
  }

  watchers(uri: string): number {
    return this.#watched.get(uri)?.size ?? 0;
  }
}

const days: Readonly<Record<string, string>> = { monday: 'water the plants', tuesday: 'rest' };

/** Returns a server with one of everything. */
export function fixtureServer(stage = new Stage()): Server {
  const held: (() => void)[] = [];
  stage.release = () => {
    for (const go of held.splice(0)) go();
  };
  const server = createServer({
    name: 'fixture',
    version: '1.2.3',
    title: 'Fixture',
    description: 'One of everything',
    websiteUrl: 'https://example.com/',
    icons: [{ src: 'data:image/png;base64,AA==', mimeType: 'image/png' }],
    instructions: 'Add numbers.',
    onError: (error) => stage.faults.push(error),
    listChanges: { tools: true, resources: true, prompts: true },
    watch: async (uri, _context, changed) => {
      if (!uri.startsWith('memo://')) throw new ToolError('no such memo', { code: 'not-found' });
      return stage.watch(uri, changed);
    },
    tools: [
      tool({
        name: 'add',
        title: 'Add',
        description: 'Adds two numbers.',
        input: z.object({ a: z.number(), b: z.number() }),
        output: z.object({ sum: z.number() }),
        annotations: { readOnlyHint: true },
        run: ({ a, b }) => ({ sum: a + b }),
      }),
      tool({
        name: 'echo',
        description: 'Says what it is told.',
        input: z.object({ text: z.string() }),
        run: ({ text }) => text,
      }),
      tool({
        name: 'length',
        description: 'Counts the characters of a text.',
        input: z.object({ text: z.string() }),
        output: z.object({ length: z.number() }),
        run: ({ text }) => ({ length: text.length }),
      }),
      tool({
        name: 'big',
        description: 'Says much.',
        input: z.object({ size: z.number() }),
        run: ({ size }) => 'x'.repeat(size),
      }),
      tool({
        name: 'later',
        description: 'Answers after a turn of the event loop.',
        input: z.object({ text: z.string() }),
        run: ({ text }) => new Promise<string>((resolve) => setImmediate(resolve, text)),
      }),
      tool({
        name: 'hold',
        description: 'Answers when it is released, or never.',
        input: z.object({ text: z.string().default('') }),
        run: ({ text }, { signal }) =>
          new Promise<string>((resolve, reject) => {
            held.push(() => resolve(text));
            signal.addEventListener('abort', () => {
              stage.aborted.push(text);
              reject(signal.reason as Error);
            });
          }),
      }),
      tool({
        name: 'release',
        description: 'Lets held calls answer.',
        input: nothing,
        run: () => {
          stage.release();
          return 'released';
        },
      }),
      tool({
        name: 'steps',
        description: 'Makes progress.',
        input: z.object({ values: z.array(z.number()) }),
        run: async ({ values }, { progress }) => {
          for (const value of values) progress(value, value, `at ${value}`);
          return 'done';
        },
      }),
      tool({
        name: 'say',
        description: 'Logs at every level.',
        input: nothing,
        run: async (_args, { log }) => {
          log('debug', 'low', 'fixture');
          log('warning', { high: true });
          return 'said';
        },
      }),
      tool({
        name: 'fail',
        description: 'Fails.',
        input: nothing,
        run: () => {
          throw new ToolError('it does not work', { hint: 'do not try again' });
        },
      }),
      tool({
        name: 'crash',
        description: 'Has a bug.',
        input: nothing,
        run: () => {
          throw new Error('secret of the bug');
        },
      }),
      tool({
        name: 'touch',
        description: 'Changes a memo.',
        input: z.object({ uri: z.string() }),
        run: ({ uri }) => {
          stage.touch(uri);
          return 'touched';
        },
      }),
      tool({
        name: 'announce',
        description: 'Says that a list has changed.',
        input: z.object({ list: z.enum(['tools', 'resources', 'prompts']) }),
        run: ({ list }) => {
          server.listChanged(list);
          return 'announced';
        },
      }),
      tool({
        name: 'deploy',
        description: 'Deploys after a confirmation.',
        input: z.object({ env: z.string() }),
        ask: async ({ env }, ask) => (await ask({ sure: confirm(`Deploy to ${env}?`) })).sure,
        run: (_args, { answers }) => {
          if (!answers) return 'not deployed';
          stage.deployed += 1;
          return 'deployed';
        },
      }),
      tool({
        name: 'survey',
        description: 'Asks everything, in two rounds.',
        input: nothing,
        ask: async (_args, ask) => {
          const Person = z.object({
            name: z.string().min(1),
            age: z.number().int().min(0).default(42),
            colour: z.enum(['red', 'green']).optional(),
          });
          const { person } = await ask({ person: form('Who are you?', Person) });
          const { model, folders } = await ask({
            model: sample({
              messages: [{ role: 'user', content: { type: 'text', text: person.name } }],
              maxTokens: 9,
            }),
            folders: roots(),
          });
          return { person, model: model.model, folders: folders.map(({ uri }) => uri) };
        },
        run: (_args, { answers }) => JSON.stringify(answers),
      }),
      tool({
        name: 'visit',
        description: 'Sends the user to a page.',
        input: nothing,
        ask: async (_args, ask) => {
          await ask({ page: url('Sign in', 'https://example.com/login') });
          return 'visited';
        },
        run: (_args, { answers }) => answers,
      }),
      tool({
        name: 'everything',
        description: 'Returns every kind of content.',
        input: nothing,
        run: () =>
          reply({
            content: [
              {
                type: 'text',
                text: 'text',
                annotations: { audience: ['user'], lastModified: '2026-01-01T00:00:00Z' },
              },
              { type: 'image', data: 'AA==', mimeType: 'image/png' },
              { type: 'audio', data: 'AA==', mimeType: 'audio/wav' },
              { type: 'resource_link', uri: 'memo://today', name: 'today', title: 'Today' },
              { type: 'resource', resource: { uri: 'memo://today', text: 'water the plants' } },
            ],
            _meta: { own: 1 },
          }),
      }),
    ],
    resources: [
      resource({
        uri: 'memo://today',
        name: 'today',
        title: 'Today',
        mimeType: 'text/plain',
        annotations: { priority: 1, lastModified: '2026-01-01T00:00:00Z' },
        read: () => 'water the plants',
      }),
      resource({ uri: 'memo://bytes', name: 'bytes', read: () => new Uint8Array([1, 2, 3]) }),
      template({
        uriTemplate: 'memo://days/{day}',
        name: 'day',
        title: 'A day',
        mimeType: 'text/plain',
        complete: { day: (value) => Object.keys(days).filter((day) => day.startsWith(value)) },
        read: (_uri, _context, { day = '' }) => {
          const text = Object.hasOwn(days, day) ? days[day] : undefined;
          if (text === undefined) throw new ToolError('no such day', { code: 'not-found' });
          return text;
        },
      }),
    ],
    prompts: [
      prompt({
        name: 'greet',
        title: 'Greet',
        description: 'Greets somebody.',
        arguments: [
          { name: 'who', title: 'Who', required: true, complete: (value) => [`${value}a`, `${value}b`] },
        ],
        get: ({ who }) => `Greet ${who}.`,
      }),
    ],
  });
  return server;
}
