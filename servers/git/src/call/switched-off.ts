import { Reply, ToolError } from '@rootbound/protocol';

/** How a tool is switched on that is not offered; undefined for one that is offered, and for what is no tool. */
export type FlagFor = (tool: string) => string | undefined;

/** A result: strings in these members name the tools that come next. */
type Naming = { undo?: string | undefined; next?: string | readonly string[] | undefined };

/** Returns a result in which each tool that is not offered comes with the flag that switches it on. */
export function withFlags<T>(result: T, flagFor: FlagFor): T {
  if (result instanceof Reply) return replyWithFlags(result, flagFor) as T & Reply;
  return isNaming(result) ? outputWithFlags(result, flagFor) : result;
}

/** The same for the hint of a failure. */
export function failureWithFlags(error: unknown, flagFor: FlagFor): unknown {
  if (!(error instanceof ToolError) || error.hint === undefined) return error;
  const { message, code, retryable, hint } = error;
  const flagged = textWithFlags(hint, flagFor);
  return flagged === hint ? error : new ToolError(message, { code, retryable, hint: flagged, cause: error });
}

function replyWithFlags(answer: Reply, flagFor: FlagFor): Reply {
  const { structured, content } = answer.parts;
  if (!isNaming(structured)) return answer;
  const flagged = outputWithFlags(structured, flagFor);
  if (flagged === structured) return answer;
  const flags = [...flagsIn([structured.undo ?? '', structured.next ?? ''].flat().join(' '), flagFor)];
  const text = typeof content === 'string' ? { content: `${content}\noff: ${flags.join('; ')}` } : {};
  return new Reply({ ...answer.parts, structured: flagged, ...text });
}

function outputWithFlags<T extends Naming>(output: T, flagFor: FlagFor): T {
  const { undo, next } = output;
  const flagged = (text: string): string => textWithFlags(text, flagFor);
  const added = {
    ...(undo !== undefined && { undo: flagged(undo) }),
    ...(next !== undefined && { next: typeof next === 'string' ? flagged(next) : next.map(flagged) }),
  };
  const isSame = added.undo === undo && [added.next].flat().every((text, at) => text === [next].flat()[at]);
  return isSame ? output : { ...output, ...added };
}

function textWithFlags(text: string, flagFor: FlagFor): string {
  const flags = [...flagsIn(text, flagFor)];
  return flags.length === 0 ? text : `${text} (off: ${flags.join('; ')})`;
}

function* flagsIn(text: string, flagFor: FlagFor): Generator<string> {
  for (const tool of new Set(text.match(/\bgit_[a-z_]+/g))) {
    const flag = flagFor(tool);
    if (flag !== undefined) yield `${tool}, until the server starts ${flag}`;
  }
}

function isNaming(value: unknown): value is Naming {
  return typeof value === 'object' && value !== null && ('undo' in value || 'next' in value);
}
