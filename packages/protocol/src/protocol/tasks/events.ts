import type { TaskStatus } from '../types.ts';

/**
 * An event of a task for an operator's log. It never contains arguments or results.
 * @example
 * const lines: string[] = [];
 * const onEvent = ({ kind, taskId }: TaskEvent): void => void lines.push(`${kind} ${taskId}`);
 * createServer({ name: 'jobs', version: '1.0.0', tasks: { onEvent } });
 */
export interface TaskEvent {
  /** `refused`: over a limit; `missed`: this requestor has no task with the id */
  readonly kind: 'created' | 'settled' | 'read' | 'refused' | 'missed' | 'expired';
  /** the principal or session that the task belongs to, or that asked for it */
  readonly owner: string;
  readonly taskId?: string;
  readonly status?: TaskStatus;
}
