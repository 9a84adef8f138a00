import { methods } from '../../protocol/methods.ts';

/** Methods that have an effect each time they are called. */
const notRepeatable: ReadonlySet<string> = new Set(['tools/call', 'tasks/update']);

/** Returns true if a request of a method may be repeated safely; unknown methods may not. */
export function isRepeatable(method: string): boolean {
  return Object.hasOwn(methods, method) && !notRepeatable.has(method);
}
