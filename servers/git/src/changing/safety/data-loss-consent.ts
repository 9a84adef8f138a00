import { canAsk } from '@rootbound/kit/call';
import type { Ask, CallContext } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import type { Workspace } from '../../call/workspace.ts';
import { type Agreed, consent, type Loss } from './consent.ts';

/** Asks the user to agree to the present losses of a change, where the client can ask. */
export async function askToLose(
  ask: Ask,
  { facts, signal, scope: { scope, repositories } }: CallContext<Workspace, undefined>,
  path: string | undefined,
  lossOf: (opened: Opened) => Promise<Loss | undefined>,
): Promise<Agreed> {
  if (!canAsk(facts)) return undefined;
  const loss = await repositories.use(scope, path, signal, async (opened) =>
    // the call itself refuses that
    opened.repository.readOnly ? undefined : lossOf(opened),
  );
  return consent(ask, facts, loss);
}
