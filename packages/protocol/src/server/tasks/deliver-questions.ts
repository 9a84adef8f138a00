import { RpcError } from '../../jsonrpc/errors.ts';
import type { OpenQuestion, RunningTask } from '../../protocol/tasks/running.ts';
import { related } from '../../protocol/tasks/wire.ts';
import type * as t from '../../protocol/types.ts';
import { ToolError } from '../failure.ts';
import type { Call } from '../registry.ts';

/**
 * Sends the open questions of a task to a handshake client that waits for the task's result. A new wait
 * claims the questions of an earlier one, whose connection may be broken.
 */
export function deliverQuestions(call: Call, task: RunningTask, isNew: boolean): void {
  for (const question of task.questions) {
    if (isNew || !question.claimed) void deliver(call, task, question, question.claim());
  }
}

async function deliver(
  call: Call,
  task: RunningTask,
  question: OpenQuestion,
  claim: AbortSignal,
): Promise<void> {
  const { facts, sink, serving } = call;
  const signal = AbortSignal.any([serving.signal, claim]);
  const { request } = question;
  const params = related({ ...request.params }, task.record.taskId);
  try {
    const { askClient } = await import('../asking.ts');
    const response = await askClient(facts, sink, signal, { ...request, params } as t.InputRequest); // only `_meta` is new
    task.answer({ [question.key]: response });
  } catch (error) {
    // a client that has disconnected may come back for the result, and is asked again then
    if (error instanceof RpcError || error instanceof ToolError) task.refuse(question, error);
    else task.release(question, claim);
  }
}
