import { type Ask, confirm, type Facts, ToolError } from '@rootbound/protocol';

/**
 * Asks the user to agree to a question; any other answer ends the call as `declined`, with nothing done. A stateless
 * client sends its answers with the call anew, so a question that may have changed by then has a key of its own.
 */
export async function agree(ask: Ask, question: string, label: string, key = 'sure'): Promise<undefined> {
  const { [key]: sure } = await ask({ [key]: confirm(question, label) });
  if (sure) return undefined;
  throw new ToolError(`the user did not agree: ${question}`, {
    code: 'declined',
    hint: 'nothing was changed; ask the user before trying again',
  });
}

/** Returns whether the client shows forms to its user: since 2025-06-18; an empty capability includes them. */
export function canAsk({ revision, capabilities: { elicitation } }: Facts): boolean {
  if (revision < '2025-06-18' || typeof elicitation !== 'object') return false;
  return elicitation.form !== undefined || elicitation.url === undefined;
}
