import type { Scope } from '@rootbound/kit/boundary';
import { toolFor } from '@rootbound/protocol';
import type { Network } from './network.ts';
import { byOwnNames } from './own-names.ts';
import type { Repositories } from './repositories.ts';
import { type FlagFor, failureWithFlags, withFlags } from './switched-off.ts';
import { withUndo } from './undo-text.ts';

/** The context of one call of this server. */
export interface Workspace {
  /** the permitted paths, with denied names, which `scopeOfFiles` leaves out */
  readonly scope: Scope;
  /** bytes of one half of a result at most */
  readonly maxOutput: number;
  readonly repositories: Repositories;
  /** the permitted access to other repositories */
  readonly network: Network;
  /** the owner of the pages */
  readonly owner: string;
  readonly flagFor: FlagFor;
}

const define = toolFor<Workspace>();

/**
 * Defines a tool that takes the usual other names of its arguments, whose text names the undo, too, as older revisions
 * have no structured result, and whose results say how a tool that they name is switched on, where it is not offered.
 */
export const tool: typeof define = (definition) =>
  sayUndo(sayFlags(define({ ...definition, correct: (args) => byOwnNames(definition.input, args) })));

function sayFlags(made: ReturnType<typeof define>): ReturnType<typeof define> {
  return {
    ...made,
    async run(args: never, context: never) {
      const { flagFor } = (context as { scope: Workspace }).scope;
      try {
        return withFlags(await made.run(args, context), flagFor);
      } catch (error) {
        throw failureWithFlags(error, flagFor);
      }
    },
  };
}

function sayUndo(made: ReturnType<typeof define>): ReturnType<typeof define> {
  const { render } = made;
  if (render === undefined) return made;
  return {
    ...made,
    render(output: never, args: never) {
      const rendered = render(output, args);
      return typeof rendered === 'string' ? withUndo(rendered, output) : rendered;
    },
  };
}
