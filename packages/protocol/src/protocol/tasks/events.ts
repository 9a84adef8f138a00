import type { TaskStatus } from '../types.ts';

/**
 * Something about a task that an operator may want to see: never its arguments or its outcome.
 * @example
 * const lines: string[] = [];
 * const onEvent = ({ kind, taskId }: TaskEvent): void => void lines.push(`${kind} ${taskId}`);
 * createServer({ name: 'jobs', version: '1.0.0', tasks: { onEvent } });
 */
export interface TaskEvent {
  /** `refused`: beyond a limit; `missed`: no task of this requestor has the id */
  readonly kind: 'created' | 'settled' | 'read' | 'refused' | 'missed' | 'expired';
  /** the principal or the session that the task belongs to, or that asked */
  readonly owner: string;
  readonly taskId?: string;
  readonly status?: TaskStatus;
}
