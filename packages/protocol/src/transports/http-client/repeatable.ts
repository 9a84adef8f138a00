import { methods } from '../../protocol/methods.ts';

/** What does something each time that it comes. */
const acting: ReadonlySet<string> = new Set(['tools/call', 'tasks/update']);

/** Whether a message of a method can come twice without harm; of methods that are not in the protocol nobody knows. */
export function isRepeatable(method: string): boolean {
  return Object.hasOwn(methods, method) && !acting.has(method);
}
