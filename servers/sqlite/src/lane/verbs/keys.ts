import { keysLike } from '../schema/keys.ts';
import { objectsOf } from '../schema/objects.ts';
import type { Verb } from '../verb.ts';

/** Arguments of `keys`: names of tables, or keys of a table. */
export type KeysArgs =
  | { readonly of: 'tables' }
  /** `typed` holds the first columns of the key; the last of them may be incomplete */
  | {
      readonly of: 'keys';
      readonly table: string;
      readonly typed: readonly string[];
      readonly count: number;
    };

/** Returns names of tables, or keys of a table as texts, for completion. */
export const keys: Verb<KeysArgs, string[][]> = ({ connection }, args) => {
  if (args.of === 'tables')
    return objectsOf(connection).flatMap(({ name, type }) => (type === 'shadow' ? [] : [[name]]));
  return keysLike(connection, args.table, args.typed, args.count);
};
