import { isObject } from '../../jsonrpc/message.ts';
import type { Budget } from './budget.ts';

/** Returns a text that is the same for two JSON values exactly if they are equal; member order is ignored. */
export function canonical(value: unknown, budget: Budget): string {
  budget.spend(1);
  if (typeof value === 'string') {
    budget.spend(value.length >> 6);
    return JSON.stringify(value);
  }
  budget.enter();
  const text = canonicalOf(value, budget);
  budget.leave();
  return text;
}

function canonicalOf(value: unknown, budget: Budget): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, budget)).join(',')}]`;
  if (!isObject(value)) return String(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key], budget)}`);
  return `{${members.join(',')}}`;
}
