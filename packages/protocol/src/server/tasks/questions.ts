import type { RunningTask } from '../../protocol/tasks/running.ts';
import type * as t from '../../protocol/types.ts';
import type { Ask } from '../ask.ts';
import type { Facts } from '../context.ts';

/** Responses that arrived before a call became a task. */
interface Known {
  known(key: string, request: t.InputRequest): t.InputResponse | undefined;
}

/** Returns the `ask` of a task: the task waits until the requestor answers. */
export function askInTask(facts: Facts, task: RunningTask, before: Known): Ask {
  return async (needs) => {
    const { assertAnswerable, assertAnswerableNow } = await import('../asking.ts');
    const assert = facts.session === undefined ? assertAnswerable : assertAnswerableNow;
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
    return answers as never; // there is one for each need, converted by its read
  };
}
