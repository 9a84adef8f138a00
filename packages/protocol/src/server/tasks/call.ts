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

/** The two ways in which a tool can be run. */
export interface ToolRuns<S> {
  /** within the call, whose answer it gives */
  now(tool: Tool<S>, round?: Round<S>): JsonText | Promise<JsonText>;
  /** on behalf of a call that has its answer already */
  later<T>(call: Call, round: Round<S>, finish: (result: t.CallToolResult) => T): T | Promise<T>;
}

/** Serves a call that may have to become a task. */
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
 * Whether a call runs as a task; throws RpcError where it may not be made in this way.
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
  const wish = facts.session === undefined ? undefined : (params.task as Params).ttl; // checked with the call
  const tasks = await server.tasks();
  const task = await tasks.begin(ownerOf(facts), wish, async (own) => {
    const later = ofTask(call, own);
    return runs.later(later, new Round(server, later, askInTask(facts, own, round)), toOutcome);
  });
  // nobody has learned the id
  if (serving.cancelled) task.cancel('the call was cancelled');
  tellSession(call, task);
  if (facts.session === undefined)
    return encodeResult(server, call, { resultType: 'task', ...toTaskHandle(task.record) });
  return encodeResult(server, call, {
    task: toTask(task.record),
    ...(taskNotice !== undefined && { _meta: { [metaKeys.immediateResponse]: taskNotice } }),
  });
}

/** The call as the work of its task sees it: it lasts as long as the task, and speaks where the answer has left. */
function ofTask(call: Call, task: RunningTask): Call {
  const { facts, params } = call;
  const { taskId } = task.record;
  const meta = isObject(params._meta) ? params._meta : {};
  const { session } = facts;
  const sink: Sink = {
    notify: (method, said) => {
      if (method === 'notifications/progress' && typeof said.message === 'string')
        task.setStatusMessage(said.message);
      // the extension has neither progress nor log messages
      if (session === undefined) return;
      if (method === 'notifications/progress' && meta.progressToken === undefined) return;
      session.notify(method, related(said, taskId));
    },
    get congested() {
      return call.sink.congested;
    },
  };
  // with a token, also of our own, the work's words reach the task
  const _meta = { ...meta, progressToken: meta.progressToken ?? taskId };
  return { ...call, params: { ...params, _meta }, sink, serving: task.serving };
}

/** Tells the session that began a task how it fares. */
function tellSession({ facts: { session } }: Call, task: RunningTask): void {
  if (session === undefined) return;
  task.onChange((record, before) => {
    if (record.status !== before) session.notify('notifications/tasks/status', { ...toTask(record) });
  });
}

const MOST_SAID = 200;

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
  const said = first?.type === 'text' ? String(first.text) : 'the tool failed';
  return { result: whole, isError: true, statusMessage: said.slice(0, MOST_SAID) };
}
