import { type Ask, confirm, type Facts, ToolError } from '@rootbound/protocol';

/**
 * Has the user say yes to a question; anything else ends the call as `declined`, with nothing done. A stateless client
 * sends its answers with the call anew, so what may be another question by then has a key of its own.
 */
export async function agree(ask: Ask, question: string, label: string, key = 'sure'): Promise<undefined> {
  const { [key]: sure } = await ask({ [key]: confirm(question, label) });
  if (sure) return undefined;
  throw new ToolError(`the user did not agree: ${question}`, {
    code: 'declined',
    hint: 'nothing was changed; ask the user before trying again',
  });
}

/** Whether the client puts forms to its user: they came with 2025-06-18; an empty capability means them. */
export function canAsk({ revision, capabilities: { elicitation } }: Facts): boolean {
  if (revision < '2025-06-18' || typeof elicitation !== 'object') return false;
  return elicitation.form !== undefined || elicitation.url === undefined;
}
