import { RpcError } from '../../jsonrpc/errors.ts';
import type { TaskRecord } from '../../protocol/tasks/store.ts';
import { declaresTaskExtension, missingTaskExtension, toDetailedTask } from '../../protocol/tasks/wire.ts';
import type * as t from '../../protocol/types.ts';
import type { Call, Registry } from '../registry.ts';
import { ownerOf } from './owner.ts';

/** Tasks that somebody wants to hear of. */
export interface TaskWatch {
  /** those of the wanted ones that there are */
  readonly taskIds: string[];
  /** tells how each of them stands, and every change from then on until the returned function is called */
  start(): () => void;
}

/** Finds the tasks that a listen stream names; throws RpcError for a client without the extension. */
export async function watchTasks<S>(
  server: Registry<S>,
  { facts }: Call,
  wanted: readonly string[],
  tell: (task: t.DetailedTask) => void,
): Promise<TaskWatch> {
  if (!declaresTaskExtension(facts.capabilities)) throw missingTaskExtension();
  const tasks = await server.tasks();
  const owner = ownerOf(facts);
  const found: TaskRecord[] = [];
  for (const taskId of new Set(wanted)) {
    try {
      found.push(await tasks.find(owner, taskId));
    } catch (error) {
      // what there is not is left out of the acknowledgement, which tells the client
      if (!(error instanceof RpcError)) throw error;
    }
  }
  const start = (): (() => void) => {
    const stops = found.map((record) => {
      const task = tasks.running(record.taskId);
      // it may have changed since it was found
      tell(toDetailedTask(task?.record ?? record));
      return task?.onChange((changed) => tell(toDetailedTask(changed)));
    });
    return () => {
      for (const stop of stops) stop?.();
    };
  };
  return { taskIds: found.map(({ taskId }) => taskId), start };
}
