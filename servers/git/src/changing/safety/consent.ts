import { createHash } from 'node:crypto';
import { agree, canAsk } from '@rootbound/kit/call';
import { type Ask, type Facts, ToolError } from '@rootbound/protocol';

/** Data that a change would lose for good. */
export interface Loss {
  /** the question to the user, which names the data */
  readonly question: string;
  /** the label of the box to tick, such as `Delete them` */
  readonly label: string;
  /** a text of all data that is lost: another one when other data would be */
  readonly facts: unknown;
}

/** The question to which the user agreed; undefined where nobody was asked. */
export type Agreed = string | undefined;

/** Asks the user to agree to a loss where the client can ask; throws when the user refuses. */
export async function consent(ask: Ask, facts: Facts, loss: Loss | undefined): Promise<Agreed> {
  if (loss === undefined || !canAsk(facts)) return undefined;
  const digest = digestOf(loss);
  await agree(ask, loss.question, loss.label, digest);
  return digest;
}

/** Throws unless the loss is the one that was agreed to: by the user, or by the caller where nobody can be asked. */
export function requireConsent(loss: Loss | undefined, agreed: Agreed, confirmed: boolean | undefined): void {
  if (loss === undefined || agreed === digestOf(loss)) return;
  if (agreed !== undefined) {
    throw new ToolError('the data that would be lost has changed since the user agreed', {
      code: 'changed',
      retryable: true,
      hint: 'nothing was done; call again to ask anew',
    });
  }
  if (confirmed === true) return;
  throw new ToolError(`the user has to agree: ${loss.question}`, {
    code: 'needs-confirmation',
    hint: 'nothing was done; ask the user, then repeat the call with confirm: true',
  });
}

function digestOf({ question, facts }: Loss): string {
  return createHash('sha256')
    .update(JSON.stringify([question, facts]))
    .digest('base64url');
}
