import type { Message } from './message.ts';

/** One key of a `_meta` object with its parts. */
export interface MetaKey {
  key: string;
  /** with its slash, or empty */
  prefix: string;
  labels: string[];
  name: string;
  /** whether it is valid by the specification */
  valid: boolean;
}

const form =
  /^(?:[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*\/)?(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?$/;

/** Returns the keys of every `_meta` object in messages, at any depth. */
export function metaKeysOf(value: Message): MetaKey[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    ...(name === '_meta' && typeof member === 'object' && member !== null
      ? Object.keys(member).map(takeApart)
      : []),
    ...metaKeysOf(member),
  ]);
}

function takeApart(key: string): MetaKey {
  const slash = key.lastIndexOf('/');
  const prefix = key.slice(0, slash + 1);
  const labels = prefix === '' ? [] : prefix.slice(0, -1).split('.');
  return { key, prefix, labels, name: key.slice(slash + 1), valid: form.test(key) };
}
