import { RpcError } from '../../jsonrpc/errors.ts';
import type { OpenQuestion, RunningTask } from '../../protocol/tasks/running.ts';
import { related } from '../../protocol/tasks/wire.ts';
import type * as t from '../../protocol/types.ts';
import type { Ask } from '../ask.ts';
import { askClient, assertAnswerable, assertAnswerableNow } from '../asking.ts';
import type { Facts } from '../context.ts';
import { ToolError } from '../failure.ts';
import type { Call } from '../registry.ts';

/** Answers that came before the work of a call became a task. */
interface Known {
  known(key: string, request: t.InputRequest): t.InputResponse | undefined;
}

/** The `ask` of a task: its questions make it wait until the requestor answers them. */
export function askInTask(facts: Facts, task: RunningTask, before: Known): Ask {
  const assert = facts.session === undefined ? assertAnswerable : assertAnswerableNow;
  return async (needs) => {
    for (const need of Object.values(needs)) assert(facts, need);
    const asked = await Promise.all(
      Object.entries(needs).map(async ([key, need]) => ({ key, need, request: await need.request(facts) })),
    );
    const answers: Record<string, unknown> = {};
    const open = asked.filter(({ key, need, request }) => {
      const response = before.known(key, request);
      if (response !== undefined) answers[key] = need.read(response);
      return response === undefined;
    });
    const read = await task.ask(
      open.map(({ key, need, request }) => ({ key, request, read: (response) => need.read(response) })),
    );
    for (const [index, { key }] of open.entries()) answers[key] = read[index];
    return answers as never; // holds: there is one for each need, read by it
  };
}

/**
 * Brings the open questions of a task to a handshake client, which waits for the task's result. A new wait takes over
 * those that an earlier one carries, whose way to the client may be broken.
 */
export function carryQuestions(call: Call, task: RunningTask, isNew: boolean): void {
  for (const question of task.questions) {
    if (isNew || !question.carried) void carry(call, task, question, question.carry());
  }
}

async function carry(
  call: Call,
  task: RunningTask,
  question: OpenQuestion,
  carrying: AbortSignal,
): Promise<void> {
  const { facts, sink, serving } = call;
  const signal = AbortSignal.any([serving.signal, carrying]);
  const { request } = question;
  const params = related({ ...request.params }, task.record.taskId);
  try {
    const response = await askClient(facts, sink, signal, { ...request, params } as t.InputRequest); // only `_meta` is new
    task.answer({ [question.key]: response });
  } catch (error) {
    // a client that has gone may come back for the result, and is asked again then
    if (error instanceof RpcError || error instanceof ToolError) task.refuse(question, error);
    else task.putDown(question, carrying);
  }
}
