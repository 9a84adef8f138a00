import { keysLike } from '../schema/keys.ts';
import { objectsOf } from '../schema/objects.ts';
import type { Verb } from '../verb.ts';

/** Of what names or values are wanted. */
export type KeysArgs =
  | { readonly of: 'tables' }
  /** `typed` has the first values of the key: the last of them as far as it was typed, the others whole */
  | {
      readonly of: 'keys';
      readonly table: string;
      readonly typed: readonly string[];
      readonly count: number;
    };

/** Names of a schema, or keys of a table as texts, for somebody who types. */
export const keys: Verb<KeysArgs, string[][]> = ({ connection }, args) => {
  if (args.of === 'tables')
    return objectsOf(connection).flatMap(({ name, type }) => (type === 'shadow' ? [] : [[name]]));
  return keysLike(connection, args.table, args.typed, args.count);
};
