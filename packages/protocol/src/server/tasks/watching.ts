import { RpcError } from '../../jsonrpc/errors.ts';
import type { TaskRecord } from '../../protocol/tasks/store.ts';
import { declaresTaskExtension, missingTaskExtension, toDetailedTask } from '../../protocol/tasks/wire.ts';
import type * as t from '../../protocol/types.ts';
import type { Call, Registry } from '../registry.ts';
import { ownerOf } from './owner.ts';

/** The tasks that a stream watches. */
export interface TaskWatch {
  /** the requested tasks that exist */
  readonly taskIds: string[];
  /** reports the current state of each task and every later change; returns a function that stops this */
  start(): () => void;
}

/** Finds the tasks that a listen stream names; throws RpcError for a client without the extension. */
export async function watchTasks<S>(
  server: Registry<S>,
  { facts }: Call,
  requested: readonly string[],
  notify: (task: t.DetailedTask) => void,
): Promise<TaskWatch> {
  if (!declaresTaskExtension(facts.capabilities)) throw missingTaskExtension();
  const tasks = await server.tasks();
  const owner = ownerOf(facts);
  const found: TaskRecord[] = [];
  for (const taskId of new Set(requested)) {
    try {
      found.push(await tasks.find(owner, taskId));
    } catch (error) {
      // a task that does not exist is left out of the acknowledgement
      if (!(error instanceof RpcError)) throw error;
    }
  }
  const start = (): (() => void) => {
    const stops = found.map((record) => {
      const task = tasks.running(record.taskId);
      // it may have changed since it was found
      notify(toDetailedTask(task?.record ?? record));
      return task?.onChange((changed) => notify(toDetailedTask(changed)));
    });
    return () => {
      for (const stop of stops) stop?.();
    };
  };
  return { taskIds: found.map(({ taskId }) => taskId), start };
}
