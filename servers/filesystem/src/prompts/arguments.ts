import { jsonBytes } from '@rootbound/kit/budget';
import { ToolError } from '@rootbound/protocol';

/**
 * The arguments of a prompt, which come back in its words; one left blank, as forms send it, is one left out. Unknown
 * ones, and more than a result has room for, are refused.
 */
export function readArguments<Name extends string>(
  args: Readonly<Record<string, string>>,
  known: readonly Name[],
  maxOutput: number,
): Partial<Record<Name, string>> {
  const found: Partial<Record<Name, string>> = {};
  let room = argumentRoom(maxOutput);
  for (const [name, value] of Object.entries(args)) {
    const own = known.find((one) => one === name);
    if (own === undefined)
      throw badArgument(
        `unknown argument ${JSON.stringify(name.slice(0, MAX_NAME_CHARACTERS))}`,
        `this prompt takes ${known.join(', ')}`,
      );
    room -= jsonBytes(value);
    if (room < 0)
      throw badArgument(`${name} is too long`, `all arguments have ${argumentRoom(maxOutput)} bytes at most`);
    if (value.trim() !== '') found[own] = value;
  }
  return found;
}

/** Characters of an unknown name that are said. */
const MAX_NAME_CHARACTERS = 100;
const SHARE = 4;

/** What the arguments of a prompt may take of its words. */
export function argumentRoom(maxOutput: number): number {
  return Math.floor(maxOutput / SHARE);
}

/** The refusal of an argument, with the fix. */
export function badArgument(what: string, fix: string): ToolError {
  return new ToolError(what, { code: 'invalid-argument', hint: fix });
}
