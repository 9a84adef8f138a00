import type { Params } from '../jsonrpc/message.ts';

/**
 * Runs the work of a request and returns its result; every request of a server that is observed goes through it. It must
 * not throw by itself.
 * @example
 * const begun: string[] = [];
 * const observer: CallObserver = ({ method }, work) => {
 *   begun.push(method);
 *   return work();
 * };
 * server.observeCalls(observer);
 */
export type CallObserver = <T>(
  call: { readonly method: string; readonly params: Params },
  work: () => T | Promise<T>,
) => T | Promise<T>;
