import { jsonBytes } from '@rootbound/kit/budget';
import { ToolError } from '@rootbound/protocol';

/**
 * Returns the arguments of a prompt without blank ones, which forms send for omitted ones. Throws a ToolError for
 * unknown arguments and for values that exceed the size limit.
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
        `the arguments of this prompt are ${known.join(', ')}`,
      );
    room -= jsonBytes(value);
    if (room < 0)
      throw badArgument(`${name} is too long`, `keep all arguments below ${argumentRoom(maxOutput)} bytes`);
    if (value.trim() !== '') found[own] = value;
  }
  return found;
}

/** Characters of an unknown argument's name in the error message. */
const MAX_NAME_CHARACTERS = 100;
const SHARE = 4;

/** Returns the bytes that the arguments of a prompt may take in its text. */
export function argumentRoom(maxOutput: number): number {
  return Math.floor(maxOutput / SHARE);
}

/** Returns the error for an argument, with its fix as the hint. */
export function badArgument(what: string, fix: string): ToolError {
  return new ToolError(what, { code: 'invalid-argument', hint: fix });
}
