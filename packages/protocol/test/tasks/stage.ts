import { onTestFinished } from 'vitest';
import * as z from 'zod';
import {
  confirm,
  createServer,
  form,
  rpcError,
  type Server,
  type ServerOptions,
  type TaskOptions,
  ToolError,
  tool,
} from '../../src/index.ts';
import type { MemoryEnd } from '../../src/transports/memory.ts';
import { serveMemory } from '../../src/transports/memory.ts';
import { everything, type Talk, talkTo } from '../server/talk.ts';
import type { Message } from '../wire/message.ts';

/** The capabilities of a client of the stateless era with tasks. */
export const takingTasks = { ...everything, extensions: { 'io.modelcontextprotocol/tasks': {} } };

export interface Stage {
  server: Server;
  /** the actions of the tools, in order */
  did: string[];
  /** lets the work with a label continue, now or later */
  open(label: string): void;
  faults: unknown[];
}

/** Returns a server whose tools wait for the test. */
export function stage(tasks?: TaskOptions, options: Partial<ServerOptions<unknown>> = {}): Stage {
  const did: string[] = [];
  const faults: unknown[] = [];
  const gates = new Map<string, PromiseWithResolvers>();
  const gate = (label: string): PromiseWithResolvers => {
    let found = gates.get(label);
    if (found === undefined) {
      let resolve = (): void => {};
      const promise = new Promise<void>((done) => {
        resolve = done;
      });
      found = { promise, resolve };
      gates.set(label, found);
    }
    return found;
  };
  const passed = (label: string, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => {
        did.push(`aborted ${label}`);
        reject(signal.reason as Error);
      });
      void gate(label).promise.then(resolve);
    });
  const label = z.object({ label: z.string() });
  const nothing = z.object({});
  const name = z.object({ name: z.string() });
  const server = createServer({
    name: 'stage',
    version: '1.0.0',
    onError: (error) => faults.push(error),
    ...(tasks !== undefined && { tasks: { pollInterval: 10, ...tasks } }),
    tools: [
      tool({ name: 'plain', description: 'Needs no task.', input: nothing, run: () => 'plain' }),
      tool({
        name: 'work',
        description: 'Waits until it may go on.',
        input: label,
        output: z.object({ done: z.string() }),
        taskSupport: 'optional',
        run: async ({ label: at }, { signal }) => {
          did.push(`began ${at}`);
          await passed(at, signal);
          did.push(`ended ${at}`);
          return { done: at };
        },
      }),
      tool({
        name: 'report',
        description: 'Reports how far it is.',
        input: nothing,
        taskSupport: 'optional',
        run: async (_args, { progress, log, signal }) => {
          progress(1, 2, 'half of it');
          log('warning', 'look out');
          await passed('report', signal);
          progress(2, 2);
          return 'reported';
        },
      }),
      tool({
        name: 'stubborn',
        description: 'Does not stop when it is told to.',
        input: nothing,
        taskSupport: 'optional',
        run: async (_args, { progress }) => {
          did.push('began stubborn');
          await gate('stubborn').promise;
          progress(1, 1, 'still here');
          did.push('ended stubborn');
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
        name: 'remove',
        description: 'Asks before it removes.',
        input: z.object({ file: z.string() }),
        taskSupport: 'optional',
        ask: async ({ file }, ask) => (await ask({ sure: confirm(`Remove ${file}?`) })).sure,
        run: ({ file }, { answers }) => {
          did.push(`remove ${file} ${String(answers)}`);
          return answers ? `removed ${file}` : 'left alone';
        },
      }),
      tool({
        name: 'introduce',
        description: 'Asks two things at once, and one again.',
        input: nothing,
        taskSupport: 'optional',
        ask: async (_args, ask) => {
          const { first, last } = await ask({
            first: form('First name?', name),
            last: form('Last name?', name),
          });
          const { first: nick } = await ask({ first: form('Nickname?', name) });
          return [first.name, last.name, nick.name];
        },
        run: (_args, { answers }) => answers.join(' '),
      }),
      tool({
        name: 'must',
        description: 'Runs only as a task.',
        input: nothing,
        taskSupport: 'required',
        taskNotice: 'It runs; ask again later.',
        run: () => 'did it',
      }),
      tool({
        name: 'greet_later',
        description: 'Asks before it becomes a task.',
        input: nothing,
        taskSupport: 'required',
        askFirst: true,
        ask: async (_args, ask) => (await ask({ user_name: form('Who?', name) })).user_name.name,
        run: (_args, { answers }) => {
          did.push(`greet ${answers}`);
          return `Hello, ${answers}!`;
        },
      }),
    ].filter(({ taskSupport }) => tasks !== undefined || taskSupport !== 'required'),
    ...options,
  });
  return { server, did, faults, open: (at) => gate(at).resolve() };
}

interface PromiseWithResolvers {
  promise: Promise<void>;
  resolve: () => void;
}

/** Returns a client of 2025-11-25. */
export function requestor(of: Stage, principal?: string): Promise<Talk> {
  const end = (): MemoryEnd => serveMemory(of.server, principal === undefined ? {} : { principal });
  return talkTo(of.server, '2025-11-25', { capabilities: everything, folders: [], end: end() });
}

/** Returns a client of the extension, or one without it. */
export function modern(of: Stage, capabilities: object = takingTasks, principal?: string): Promise<Talk> {
  const end = serveMemory(of.server, principal === undefined ? {} : { principal });
  return talkTo(of.server, '2026-07-28', { capabilities, end });
}

/** Calls a tool as a task and returns the task. */
export async function begin(
  talk: Talk,
  name: string,
  args: object = {},
  task: object = {},
): Promise<Message> {
  const { result, error } = await talk.call(name, args, talk.stateless ? {} : { task });
  if (error !== undefined) throw new Error(`${name}: ${error.message}`);
  return talk.stateless ? result : result.task;
}

const MOST_LOOKS = 20_000;

/** Polls a task until it has a status. */
export function until(talk: Talk, taskId: string, ...statuses: string[]): Promise<Message> {
  return untilIt(talk, taskId, ({ status }) => statuses.includes(status));
}

/** Polls a task until a condition holds. */
export async function untilIt(
  talk: Talk,
  taskId: string,
  holds: (task: Message) => boolean,
): Promise<Message> {
  let last: Message;
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const { result, error } = await talk.request('tasks/get', { taskId });
    if (error !== undefined) throw new Error(error.message);
    if (holds(result)) return result;
    last = result;
    // talks in memory leave no room for other work
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error(`the task stays as it is: ${JSON.stringify(last)}`);
}

/** Resolves when the tools have done something. */
export async function happens(of: Stage, what: string): Promise<void> {
  await eventually(
    () => of.did.includes(what),
    () => `${what} does not happen; what does: ${of.did.join(', ')}`,
  );
}

/** Resolves when a condition holds; the event loop runs in between. */
export async function eventually(
  holds: () => boolean,
  otherwise = (): string => 'it does not come to hold',
): Promise<void> {
  let over = false;
  onTestFinished(() => {
    over = true;
  });
  while (!holds()) {
    if (over) throw new Error(otherwise());
    await new Promise((resolve) => setImmediate(resolve));
  }
}
