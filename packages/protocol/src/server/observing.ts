import type { Params } from '../jsonrpc/message.ts';

/**
 * Runs the work of a request and returns its result. Every request of an observed server goes through it. It
 * must not throw errors of its own.
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
