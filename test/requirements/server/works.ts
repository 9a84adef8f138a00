import {
  asTask,
  confirm,
  createServer,
  roots,
  rpcError,
  type Server,
  type ServerOptions,
  sample,
  type TaskOptions,
  ToolError,
  tool,
} from '@rootbound/protocol';
import { serveMemory } from '@rootbound/protocol/testing';
import * as z from 'zod';
import type { LedgerRevision } from '../ledger.ts';
import type { Message } from '../message.ts';
import { isStateless } from '../revisions.ts';
import { Talk } from './talk.ts';
import { shakeHands } from './world.ts';

const nothing = z.object({});
const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: 'Why?' } }];

/** All client capabilities, with tasks. */
export const patient = {
  sampling: {},
  elicitation: { form: {}, url: {} },
  tasks: { list: {}, cancel: {}, requests: { sampling: { createMessage: {} }, elicitation: { create: {} } } },
};
/** The capabilities of a client of the stateless era that accepts tasks. */
export const modern = {
  elicitation: { form: {} },
  sampling: {},
  extensions: { 'io.modelcontextprotocol/tasks': {} },
};

/** The log and the controls of a server with tasks. */
export class Works {
  readonly did: string[] = [];
  readonly faults: unknown[] = [];
  readonly server: Server;
  readonly #gates = new Map<string, PromiseWithResolvers>();

  /** `tasks`: undefined for a server without them */
  constructor(tasks: TaskOptions | undefined = {}, more: Partial<ServerOptions<unknown>> = {}) {
    this.server = createServer({
      name: 'works',
      version: '1.0.0',
      onError: (error) => this.faults.push(error),
      tasks: { pollInterval: 10, ...tasks },
      tools: [...this.#tools(), ...askingTools(this)],
      ...more,
    });
  }

  open(label: string): void {
    this.#gate(label).resolve();
  }

  /** Resolves when the work of a label may continue; rejects when it is cancelled. */
  passed(label: string, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => {
        this.did.push(`aborted ${label}`);
        reject(signal.reason as Error);
      });
      void this.#gate(label).promise.then(resolve);
    });
  }

  /** Resolves at the next step of the tools. */
  async happens(what: string): Promise<void> {
    while (!this.did.includes(what)) await turn();
  }

  /** Connects a client after the handshake. */
  async talk(revision: LedgerRevision, capabilities: object, principal?: string): Promise<Talk> {
    const end = serveMemory(this.server, principal === undefined ? {} : { principal });
    const talk = new Talk(end, revision, capabilities);
    if (isStateless(revision)) return talk;
    await shakeHands(talk, capabilities);
    talk.notify('notifications/initialized');
    return talk;
  }

  #gate(label: string): PromiseWithResolvers {
    let gate = this.#gates.get(label);
    if (gate === undefined) {
      let resolve = (): void => {};
      const promise = new Promise<void>((done) => {
        resolve = done;
      });
      gate = { promise, resolve };
      this.#gates.set(label, gate);
    }
    return gate;
  }

  #tools() {
    return [
      tool({ name: 'plain', description: 'Needs no task.', input: nothing, run: () => 'plain' }),
      tool({
        name: 'work',
        description: 'Waits until it may go on.',
        input: z.object({ label: z.string() }),
        output: z.object({ done: z.string() }),
        taskSupport: 'optional',
        run: async ({ label }, { signal }) => {
          this.did.push(`began ${label}`);
          await this.passed(label, signal);
          return { done: label };
        },
      }),
      tool({
        name: 'report',
        description: 'Says how far it is.',
        input: nothing,
        taskSupport: 'optional',
        run: async (_args, { progress, log, signal }) => {
          progress(1, 2, 'half of it');
          log('warning', 'look out');
          await this.passed('report', signal);
          return 'reported';
        },
      }),
      tool({
        name: 'stubborn',
        description: 'Does not stop when it is told to.',
        input: nothing,
        taskSupport: 'optional',
        run: async (_args, { progress }) => {
          this.did.push('began stubborn');
          await this.passed('stubborn');
          progress(1, 1, 'still here');
          this.did.push('ended stubborn');
          return 'too late';
        },
      }),
      tool({
        name: 'fail',
        description: 'Fails.',
        input: nothing,
        taskSupport: 'optional',
        run: () => {
          throw new ToolError('no luck', { hint: 'try tomorrow' });
        },
      }),
      tool({
        name: 'break',
        description: 'Breaks.',
        input: nothing,
        taskSupport: 'optional',
        run: () => {
          throw rpcError('InternalError', 'it broke', { part: 'spring' });
        },
      }),
      tool({
        name: 'must',
        description: 'Runs only as a task.',
        input: nothing,
        taskSupport: 'required',
        taskNotice: 'It runs; ask again later.',
        run: () => 'did it',
      }),
    ];
  }
}

interface PromiseWithResolvers {
  promise: Promise<void>;
  resolve: () => void;
}

function askingTools(works: Works) {
  return [
    tool({
      name: 'remove',
      description: 'Asks before it removes.',
      input: z.object({ file: z.string() }),
      taskSupport: 'optional',
      ask: async ({ file }, ask) => (await ask({ sure: confirm(`Remove ${file}?`) })).sure,
      run: async ({ file }, { answers, signal }) => {
        works.did.push(`remove ${file} ${String(answers)}`);
        await works.passed(file, signal);
        return answers ? 'removed' : 'left alone';
      },
    }),
    tool({
      name: 'chat',
      description: 'Asks what may take its time.',
      input: nothing,
      ask: async (_args, ask) => {
        const { sampled } = await ask({ sampled: asTask(sample({ messages, maxTokens: 9 }), { ttl: 5000 }) });
        const { sure } = await ask({ sure: asTask(confirm('Sure?')) });
        return `${sampled.model} ${String(sure)}`;
      },
      run: (_args, { answers }) => answers,
    }),
    tool({
      name: 'where',
      description: 'Asks for the roots, as a task if that were possible.',
      input: nothing,
      ask: async (_args, ask) => (await ask({ folders: asTask(roots()) })).folders,
      run: (_args, { answers }) => String(answers.length),
    }),
  ];
}

/** Calls a tool as a task in the handshake era and returns the response. */
export function callAsTask(talk: Talk, name: string, args: object = {}, task: object = {}): Promise<Message> {
  return talk.request('tools/call', { name, arguments: args, task });
}

/** Starts a task with the method of the era and returns its id. */
export async function begin(talk: Talk, name: string, args: object = {}, task: object = {}): Promise<string> {
  const { result } = isStateless(talk.revision)
    ? await talk.call(name, args)
    : await callAsTask(talk, name, args, task);
  return isStateless(talk.revision) ? result.taskId : result.task.taskId;
}

/** Polls a task until it has one of the statuses. */
export async function until(talk: Talk, taskId: string, ...statuses: string[]): Promise<Message> {
  for (;;) {
    const { result } = await talk.request('tasks/get', { taskId });
    if (statuses.includes(result.status)) return result;
    await turn();
  }
}

/** Waits for one turn of the event loop. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

export const relatedTask = 'io.modelcontextprotocol/related-task';

/** Returns the task id in a message. */
export function relatedTo({ params, result }: Message): string | undefined {
  return (params ?? result)?._meta?.[relatedTask]?.taskId;
}
