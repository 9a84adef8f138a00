import { type Change, type ListName, listFields, listNames } from '../client/changes.ts';
import type { Client } from '../client/client.ts';
import type * as t from '../protocol/types.ts';
import { visible } from '../protocol/visible.ts';
import type { Io } from './io.ts';
import type { InspectOptions } from './options.ts';
import { Problem } from './problem.ts';

const CLEAR_DOWN = '\u001b[J';

/** Prints changes until `count`, the end of the subscription or an interrupt; returns 1 if a resource is refused. */
export async function follow(
  client: Client,
  io: Io,
  { uris, count }: { uris: readonly string[]; count: number | undefined },
  { printJson, over }: Pick<InspectOptions, 'printJson'> & { over: Promise<string> },
): Promise<number> {
  const filter = filterOf(client, uris);
  if (Object.keys(filter).length === 0) throw new Problem('the server reports no changes');
  const view = new View(io, printJson);
  let enough: () => void = () => {};
  const counted = new Promise<void>((resolve) => {
    enough = resolve;
  });
  let seen = 0;
  const subscription = await client.subscribe(filter, (change) => {
    if (count !== undefined && seen >= count) return;
    seen += 1;
    view.show(change);
    if (seen === count) enough();
  });
  const refused = uris.filter(
    (uri) => subscription.acknowledged.resourceSubscriptions?.includes(uri) !== true,
  );
  for (const uri of refused) io.err(`the server does not report changes of ${visible(uri)}\n`);
  for (const { message } of subscription.refusals) io.err(`${visible(message)}\n`);
  const { resourceSubscriptions = [], ...lists } = subscription.acknowledged;
  const subjects = [
    ...resourceSubscriptions,
    ...listNames.filter((name) => lists[listFields[name]] === true),
  ];
  io.err(`following ${visible(subjects.join(', '))}\n`);
  const interrupted = interruptOf(io);
  const ended = await Promise.race([
    counted.then(() => undefined),
    interrupted.promise.then(() => undefined),
    subscription.ended.then((error) => error?.message ?? 'the server ended the subscription'),
    over,
  ]);
  interrupted.stop();
  if (ended !== undefined) io.err(`${visible(ended)}\n`);
  else await subscription.close();
  return refused.length > 0 || ended !== undefined ? 1 : 0;
}

/** Returns a filter of the server's list changes and the given resources. */
function filterOf({ capabilities = {} }: Client, uris: readonly string[]): t.SubscriptionFilter {
  const lists = listNames.filter((name: ListName) => capabilities[name]?.listChanged === true);
  return {
    ...Object.fromEntries(lists.map((name) => [listFields[name], true])),
    ...(uris.length > 0 && { resourceSubscriptions: [...uris] }),
  };
}

function interruptOf(io: Io): { promise: Promise<void>; stop: () => void } {
  let stop: () => void = () => {};
  const promise = new Promise<void>((resolve) => {
    stop = io.onInterrupt(resolve);
  });
  return { promise, stop };
}

/** Prints changes: on a pipe a line per change, on a terminal a line per subject that is updated. */
class View {
  readonly #io: Io;
  readonly #json: boolean;
  readonly #counts = new Map<string, { count: number; at: Date }>();
  #drawn = 0;

  constructor(io: Io, json: boolean) {
    this.#io = io;
    this.#json = json;
  }

  show(change: Change): void {
    const subject = change.kind === 'list' ? `list ${change.list}` : `resource ${change.uri}`;
    if (this.#json) this.#io.out(`${visible(JSON.stringify(change))}\n`);
    else if (this.#io.outIsTerminal) this.#redraw(subject);
    else this.#io.out(`changed ${visible(subject)}\n`);
  }

  #redraw(subject: string): void {
    const { count } = this.#counts.get(subject) ?? { count: 0 };
    this.#counts.set(subject, { count: count + 1, at: new Date() });
    const lines = [...this.#counts].map(
      ([name, known]) =>
        `${visible(name)}  ${known.count} times, last ${known.at.toTimeString().slice(0, 8)}\n`,
    );
    const up = this.#drawn === 0 ? '' : `\u001b[${this.#drawn}A${CLEAR_DOWN}`;
    this.#io.out(`${up}${lines.join('')}`);
    this.#drawn = lines.length;
  }
}
