import { ToolError } from '@rootbound/protocol';
import { showName } from '../boundary/names/names.ts';
import { clipText } from '../budget/clip.ts';

/** As much of one argument comes back in the words of a prompt. */
const MOST_QUOTED = 400;

/** The arguments of a prompt; one left blank, as forms send it, is one left out. Unknown ones are refused. */
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

/** An argument for the words of a prompt: on one line, and not long. */
export function quoteArgument(value: string): string {
  const { kept, truncated } = clipText(showName(value), MOST_QUOTED);
  return truncated ? `${kept}…` : kept;
}
