import { join } from 'node:path';
import { Scope } from '@rootbound/kit/boundary';
import { isAscii, toText } from './order.ts';
import type { Job } from './query.ts';
import type { NameTest } from './segment.ts';

/** The test, by directory, for names that the boundary denies; undefined when it denies none. */
export function deniedBelow({ root, scope: facts }: Job): ((prefix: string) => NameTest) | undefined {
  if (facts?.deny === undefined || facts.deny.length === 0) return undefined;
  const scope = new Scope(facts);
  return (prefix) => {
    const denied = scope.hiddenIn(join(root.path, toText(prefix)));
    return (name) => denied(isAscii(name) ? name : toText(name));
  };
}
