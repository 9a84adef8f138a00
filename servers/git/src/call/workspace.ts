import type { Scope } from '@rootbound/kit/boundary';
import { toolFor } from '@rootbound/protocol';
import type { Network } from './network.ts';
import { byOwnNames } from './own-names.ts';
import type { Repositories } from './repositories.ts';
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
}

const define = toolFor<Workspace>();

/**
 * Defines a tool that takes the usual other names of its arguments, and whose text names the undo, too: older revisions
 * have no structured result.
 */
export const tool: typeof define = (definition) =>
  sayUndo(define({ ...definition, correct: (args) => byOwnNames(definition.input, args) }));

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
