import { ToolError } from '@rootbound/protocol';
import { showName } from '../boundary/names/names.ts';
import { clipText } from '../budget/clip.ts';

/** Characters of one argument that a prompt repeats at most. */
const MOST_QUOTED = 400;

/** Returns the arguments of a prompt; a blank one, as forms send it, counts as omitted. Throws for unknown ones. */
export function readArguments<Name extends string>(
  args: Readonly<Record<string, string>>,
  known: readonly Name[],
): Partial<Record<Name, string>> {
  const found: Partial<Record<Name, string>> = {};
  for (const [name, value] of Object.entries(args)) {
    const own = known.find((one) => one === name);
    if (own === undefined)
      throw new ToolError(`unknown argument ${quoteArgument(name)}`, {
        code: 'invalid-argument',
        hint: `this prompt takes ${known.join(', ')}`,
      });
    if (value.trim() !== '') found[own] = value;
  }
  return found;
}

/** Returns an argument for the text of a prompt: on one line, and cut when it is long. */
export function quoteArgument(value: string): string {
  const { kept, truncated } = clipText(showName(value), MOST_QUOTED);
  return truncated ? `${kept}…` : kept;
}
