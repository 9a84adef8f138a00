import { ToolError } from '@rootbound/protocol';
import type { Call } from '../remotes/transfer-call.ts';
import { type Chosen, chosenOf } from './chosen.ts';
import { synchronise } from './configured.ts';
import type { Arguments, SubmoduleChange } from './submodule-schema.ts';
import { DEEPEST, type Level } from './update.ts';

/** Writes the declared addresses to the configuration of each level, in the queue of its repository. */
export async function synchroniseAll(
  call: Call,
  { top, prefix, depth }: Level,
  args: Arguments,
): Promise<SubmoduleChange[]> {
  if (depth > DEEPEST)
    throw new ToolError('there are too many submodules in each other', { code: 'unsupported' });
  const { scope, repositories } = call.scope;
  let inner: readonly Chosen[] = [];
  const own = await repositories.change(scope, top, call.signal, async (opened) => {
    if (args.recursive) inner = (await chosenOf(opened, args.paths)).chosen;
    return synchronise(opened, call, args);
  });
  const done = own.map((each) => ({ ...each, path: prefix + each.path }));
  for (const { path, top: next, facts } of inner) {
    if (facts.state !== 'checked-out') continue;
    const level = { top: next, prefix: `${prefix}${path}/`, depth: depth + 1 };
    done.push(...(await synchroniseAll(call, level, { ...args, paths: undefined })));
  }
  return done;
}
