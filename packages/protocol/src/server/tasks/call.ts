import { isObject, type JsonText, type Params } from '../../jsonrpc/message.ts';
import { rpcError } from '../../protocol/errors.ts';
import { stringify } from '../../protocol/json-text.ts';
import { metaKeys } from '../../protocol/meta.ts';
import { asksForTasks } from '../../protocol/methods.ts';
import type { RunningTask, TaskOutcome } from '../../protocol/tasks/running.ts';
import {
  declaresTaskExtension,
  missingTaskExtension,
  related,
  toTask,
  toTaskHandle,
} from '../../protocol/tasks/wire.ts';
import type * as t from '../../protocol/types.ts';
import type { Sink } from '../context.ts';
import type { Tool } from '../define.ts';
import { encodeResult } from '../encode.ts';
import type { Call, Registry } from '../registry.ts';
import { Reply } from '../reply.ts';
import { Round } from '../round.ts';
import { ownerOf } from './owner.ts';
import { askInTask } from './questions.ts';

/** The two ways to run a tool. */
export interface ToolRuns<S> {
  /** runs it within the call */
  now(tool: Tool<S>, round?: Round<S>): JsonText | Promise<JsonText>;
  /** runs it as a task, after the call was answered */
  later<T>(call: Call, round: Round<S>, finish: (result: t.CallToolResult) => T): T | Promise<T>;
}

/** Serves a call that may run as a task. */
export async function callWithTasks<S>(
  server: Registry<S>,
  call: Call,
  tool: Tool<S>,
  runs: ToolRuns<S>,
): Promise<JsonText> {
  if (!becomesTask(call, tool)) return runs.now(tool);
  const round = new Round(server, call);
  if (call.facts.session === undefined && tool.askFirst === true) {
    let answered = false;
    const asking: Tool<S> = {
      ...tool,
      run: () => {
        answered = true;
        return new Reply({ content: [] });
      },
    };
    const text = await runs.now(asking, round);
    if (!answered) return text;
  } else if (call.params.requestState !== undefined) await round.verify();
  return beginTask(server, call, tool, round, runs);
}

/**
 * Returns true if a call runs as a task; throws RpcError if the tool does not support the call as made.
 * Source: https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks#tool-level-negotiation
 */
function becomesTask<S>({ facts, params }: Call, { name, taskSupport }: Tool<S>): boolean {
  if (facts.session === undefined) {
    if (taskSupport === undefined) return false;
    if (declaresTaskExtension(facts.capabilities)) return true;
    if (taskSupport === 'required') throw missingTaskExtension();
    return false;
  }
  const { task } = params;
  if (!asksForTasks(facts.revision)) return false;
  if (task === undefined) {
    if (taskSupport === 'required')
      throw rpcError('MethodNotFound', `${name} runs only as a task; call it with task`);
    return false;
  }
  if (!isObject(task)) throw rpcError('InvalidParams', 'task must be an object');
  if (taskSupport === undefined)
    throw rpcError('MethodNotFound', `${name} does not run as a task; call it without task`);
  return true;
}

async function beginTask<S>(
  server: Registry<S>,
  call: Call,
  { taskNotice }: Tool<S>,
  round: Round<S>,
  runs: ToolRuns<S>,
): Promise<JsonText> {
  const { facts, params, serving } = call;
  const requestedTtl = facts.session === undefined ? undefined : (params.task as Params).ttl; // becomesTask has checked it
  const tasks = await server.tasks();
  const task = await tasks.begin(ownerOf(facts), requestedTtl, async (own) => {
    const later = taskCall(call, own);
    return runs.later(later, new Round(server, later, askInTask(facts, own, round)), toOutcome);
  });
  // the client does not know the id
  if (serving.cancelled) task.cancel('the call was cancelled');
  notifySession(call, task);
  if (facts.session === undefined)
    return encodeResult(server, call, { resultType: 'task', ...toTaskHandle(task.record) });
  return encodeResult(server, call, {
    task: toTask(task.record),
    ...(taskNotice !== undefined && { _meta: { [metaKeys.immediateResponse]: taskNotice } }),
  });
}

/** Returns the call for the work of its task: it lasts as long as the task, and its messages go to the session. */
function taskCall(call: Call, task: RunningTask): Call {
  const { facts, params } = call;
  const { taskId } = task.record;
  const meta = isObject(params._meta) ? params._meta : {};
  const { session } = facts;
  const sink: Sink = {
    notify: (method, params) => {
      if (method === 'notifications/progress' && typeof params.message === 'string')
        task.setStatusMessage(params.message);
      // the extension has neither progress nor log messages
      if (session === undefined) return;
      if (method === 'notifications/progress' && meta.progressToken === undefined) return;
      session.notify(method, related(params, taskId));
    },
    get congested() {
      return call.sink.congested;
    },
  };
  // a progress token is required for progress messages to reach the task
  const _meta = { ...meta, progressToken: meta.progressToken ?? taskId };
  return { ...call, params: { ...params, _meta }, sink, serving: task.serving };
}

/** Notifies the session that created a task of its status changes. */
function notifySession({ facts: { session } }: Call, task: RunningTask): void {
  if (session === undefined) return;
  task.onChange((record, before) => {
    if (record.status !== before) session.notify('notifications/tasks/status', { ...toTask(record) });
  });
}

const MAX_STATUS_LENGTH = 200;

function toOutcome(result: t.CallToolResult): TaskOutcome {
  const text = stringify(result);
  const whole =
    typeof text === 'string'
      ? text
      : Buffer.concat(
          text.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)),
        ).toString();
  if (result.isError !== true) return { result: whole };
  const [first] = result.content;
  const message = first?.type === 'text' ? String(first.text) : 'the tool failed';
  return { result: whole, isError: true, statusMessage: message.slice(0, MAX_STATUS_LENGTH) };
}
