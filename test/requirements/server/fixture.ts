import {
  confirm,
  createServer,
  form,
  optional,
  prompt,
  reply,
  resource,
  roots,
  type Server,
  type ServerOptions,
  sample,
  ToolError,
  template,
  tool,
  url,
} from '@rootbound/protocol';
import * as z from 'zod';

const nothing = z.object({});

/** The log and the controls of a fixture server. */
export class Stage {
  /** names of the tools that ran, in order */
  readonly ran: string[] = [];
  /** held calls that were aborted, by their text */
  readonly aborted: string[] = [];
  readonly faults: unknown[] = [];
  readonly #held: (() => void)[] = [];
  readonly #watched = new Map<string, Set<() => void>>();

  hold(go: () => void): void {
    this.#held.push(go);
  }

  release(): void {
    for (const go of this.#held.splice(0)) go();
  }

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

/** The PNG of icons and pictures. */
export const pixel = 'data:image/png;base64,AA==';
export const days: Readonly<Record<string, string>> = { monday: 'water the plants', tuesday: 'rest' };

/** Creates a server with one of each feature; `more` replaces options. */
export function fixture(stage = new Stage(), more: Partial<ServerOptions<unknown>> = {}): Server {
  const server: Server = createServer({
    name: 'fixture',
    version: '1.2.3',
    title: 'Fixture',
    description: 'One of everything',
    websiteUrl: 'https://example.com/',
    icons: [{ src: pixel, mimeType: 'image/png', sizes: ['48x48'] }],
    instructions: 'Add numbers.',
    onError: (error) => stage.faults.push(error),
    listChanges: { tools: true, resources: true, prompts: true },
    watch: async (uri, _context, changed) => {
      if (!uri.startsWith('memo://')) throw new ToolError('no such memo', { code: 'not-found' });
      return stage.watch(uri, changed);
    },
    tools: [
      ...plainTools(stage),
      ...askingTools(stage),
      ...announcers(stage, (list) => server.listChanged(list)),
    ],
    resources: [
      resource({
        uri: 'memo://today',
        name: 'today',
        title: 'Today',
        description: 'What is to be done',
        mimeType: 'text/plain',
        size: 16,
        icons: [{ src: pixel }],
        annotations: { audience: ['user'], priority: 1, lastModified: '2026-01-01T00:00:00Z' },
        read: () => 'water the plants',
      }),
      resource({
        uri: 'memo://bytes',
        name: 'bytes',
        mimeType: 'application/octet-stream',
        read: () => new Uint8Array([1, 2, 3]),
      }),
      template({
        uriTemplate: 'memo://days/{day}',
        name: 'day',
        title: 'A day',
        description: 'What is to be done on a day',
        mimeType: 'text/plain',
        annotations: { priority: 0.5 },
        icons: [{ src: pixel }],
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
        icons: [{ src: pixel }],
        arguments: [
          {
            name: 'who',
            title: 'Who',
            description: 'Whom to greet',
            required: true,
            complete: (value, _context, { tone = '' }) => [`${value}a${tone}`, `${value}b${tone}`],
          },
          { name: 'tone', description: 'How' },
        ],
        get: ({ who, tone }) => `Greet ${who}${tone === undefined ? '' : ` in a ${tone} tone`}.`,
      }),
      prompt({
        name: 'show',
        get: () => [
          { role: 'user', content: { type: 'image', data: 'AA==', mimeType: 'image/png' } },
          { role: 'user', content: { type: 'audio', data: 'AA==', mimeType: 'audio/wav' } },
          {
            role: 'assistant',
            content: {
              type: 'resource',
              resource: { uri: 'memo://today', mimeType: 'text/plain', text: 'water the plants' },
            },
          },
          { role: 'assistant', content: { type: 'resource_link', uri: 'memo://today', name: 'today' } },
        ],
      }),
    ],
    ...more,
  });
  return server;
}

function plainTools(stage: Stage) {
  return [
    tool({
      name: 'add',
      title: 'Add',
      description: 'Adds two numbers.',
      input: z.object({ a: z.number().describe('one'), b: z.number().describe('other') }),
      output: z.object({ sum: z.number() }),
      annotations: { readOnlyHint: true, openWorldHint: false },
      icons: [{ src: pixel }],
      run: ({ a, b }) => {
        stage.ran.push('add');
        return { sum: a + b };
      },
    }),
    tool({
      name: 'echo',
      description: 'Says what it is told.',
      input: z.object({ text: z.string() }),
      run: ({ text }) => {
        stage.ran.push(`echo ${text}`);
        return text;
      },
    }),
    tool({
      name: 'later',
      description: 'Answers after two turns of the event loop.',
      input: z.object({ text: z.string().default('') }),
      run: async ({ text }) => {
        for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
        return text;
      },
    }),
    tool({
      name: 'hold',
      description: 'Answers when it is released, or never.',
      input: z.object({ text: z.string().default('') }),
      run: ({ text }, { signal, progress, log }) =>
        new Promise<string>((resolve, reject) => {
          stage.ran.push(`hold ${text}`);
          stage.hold(() => {
            progress(99, 100, 'too late');
            log('error', 'too late');
            resolve(text);
          });
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
      input: z.object({ values: z.array(z.number()), total: z.number().optional() }),
      run: async ({ values, total }, { progress }) => {
        for (const value of values) progress(value, total, `at ${value}`);
        return 'done';
      },
    }),
    tool({
      name: 'say',
      description: 'Logs at a level.',
      input: z.object({
        level: z.enum(['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']),
        logger: z.string().optional(),
        data: z.unknown(),
      }),
      run: async ({ level, data, logger }, { log }) => {
        log(level, data, logger);
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
      name: 'everything',
      description: 'Returns every kind of content.',
      input: nothing,
      run: () =>
        reply({
          content: [
            { type: 'text', text: 'text', annotations: { audience: ['user'], priority: 0.5 } },
            { type: 'image', data: 'AA==', mimeType: 'image/png' },
            { type: 'audio', data: 'AA==', mimeType: 'audio/wav' },
            { type: 'resource_link', uri: 'memo://today', name: 'today', title: 'Today' },
            { type: 'resource', resource: { uri: 'memo://today', mimeType: 'text/plain', text: 'rest' } },
          ],
          _meta: { 'example.com/own': 1 },
        }),
    }),
  ];
}

function askingTools(stage: Stage) {
  return [
    tool({
      name: 'deploy',
      description: 'Deploys after a confirmation.',
      input: z.object({ env: z.string() }),
      ask: async ({ env }, ask) => (await ask({ sure: confirm(`Deploy to ${env}?`) })).sure,
      run: (_args, { answers }) => {
        stage.ran.push(`deploy ${String(answers)}`);
        return answers ? 'deployed' : 'not deployed';
      },
    }),
    tool({
      name: 'register',
      description: 'Asks who somebody is.',
      input: nothing,
      ask: async (_args, ask) => (await ask({ person: form('Who are you?', Person) })).person,
      run: (_args, { answers }) => JSON.stringify(answers),
    }),
    tool({
      name: 'choose',
      description: 'Goes on when the user does not answer.',
      input: nothing,
      ask: async (_args, ask) => (await ask({ sure: optional(confirm('Shall I?')) })).sure,
      run: (_args, { answers }) => answers.action,
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
      name: 'think',
      description: "Asks the client's model.",
      input: z.object({ text: z.string().default('Why?') }),
      ask: async ({ text }, ask) => {
        const { sampled } = await ask({
          sampled: sample({
            messages: [{ role: 'user', content: { type: 'text', text } }],
            maxTokens: 9,
            systemPrompt: 'Be short.',
            modelPreferences: {
              hints: [{ name: 'small' }],
              costPriority: 1,
              speedPriority: 0.5,
              intelligencePriority: 0,
            },
            temperature: 0.5,
            stopSequences: ['.'],
          }),
        });
        return sampled;
      },
      run: (_args, { answers }) => JSON.stringify(answers),
    }),
    tool({
      name: 'where',
      description: 'Asks for the roots.',
      input: nothing,
      ask: async (_args, ask) => (await ask({ folders: roots() })).folders,
      run: (_args, { answers }) => answers.map(({ uri }) => uri).join(' '),
    }),
  ];
}

export const Person = z.object({
  name: z.string().min(1).describe('Full name'),
  mail: z.email().optional(),
  age: z.int().min(0).max(150).default(42),
  colour: z.enum(['red', 'green']).optional(),
  member: z.boolean().optional(),
});

function announcers(stage: Stage, announce: (list: 'tools' | 'resources' | 'prompts') => void) {
  return [
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
        announce(list);
        return 'announced';
      },
    }),
  ];
}
