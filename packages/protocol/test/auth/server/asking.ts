import type { Authorizer, Identity, Refusal } from '../../../src/auth.ts';

/** Returns the decision of an authorizer for a request with these headers. */
export async function ask(
  authorizer: Authorizer,
  authorization: string | undefined,
): Promise<Identity | Refusal> {
  return authorizer.authorize({
    method: 'POST',
    path: '/mcp',
    header: (name) => (name === 'authorization' ? authorization : undefined),
  });
}

export async function identify(authorizer: Authorizer, token: string): Promise<Identity> {
  const outcome = await ask(authorizer, `Bearer ${token}`);
  if ('status' in outcome) throw new Error(`refused with ${outcome.status}: ${outcome.message}`);
  return outcome;
}

/** Returns the status and the message of a refusal. */
export async function refusal(authorizer: Authorizer, token: string): Promise<string> {
  const outcome = await ask(authorizer, `Bearer ${token}`);
  return 'status' in outcome ? `${outcome.status} ${outcome.message}` : 'admitted';
}
