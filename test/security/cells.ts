import type { Layout } from './layouts.ts';
import { leaked, type Operation } from './operations.ts';
import { build, furnish, type Site, snapshot, surroundings, type Thing } from './site.ts';

/** Runs operations on layouts, each on a fresh tree. */
export class Cells {
  readonly site: Site;
  readonly #around: string;
  #built: { layout: Layout; thing: Thing; tree: string } | undefined;

  constructor(site: Site) {
    this.site = site;
    this.#around = surroundings(site);
  }

  /** Returns the outcome, `done` or an error code, and its faults. */
  async try(layout: Layout, operation: Operation): Promise<string> {
    const { site } = this;
    const before = this.#prepare(layout, operation.thing);
    const outcome = await operation.act(site, layout);
    const faults: string[] = [];
    if (outcome.code === 'done' && operation.did?.(site, layout, outcome) === false)
      faults.push('did something else');
    const leak = leaked(site, layout, outcome);
    if (leak !== undefined) faults.push(`told of ${leak}`);
    if (surroundings(site) !== this.#around) {
      faults.push('changed what is outside');
      furnish(site.top);
    }
    const after = snapshot(site.root);
    const left = after.filter((line) => !before.includes(line) && !line.startsWith('source of'));
    if (outcome.code !== 'done' && left.length > 0) faults.push(`left ${left.join()}`);
    // an operation without changes leaves the tree for the next
    if (after.join() !== this.#built?.tree) this.#built = undefined;
    return [outcome.code, ...faults].join('; ');
  }

  #prepare(layout: Layout, thing: Thing): string[] {
    const { site } = this;
    if (this.#built?.layout !== layout || this.#built.thing !== thing) build(site, layout, thing);
    const lines = snapshot(site.root);
    this.#built = { layout, thing, tree: lines.join() };
    return lines;
  }
}

/** Returns whether a layout applies to an operation: a URI without a path is that of the root. */
export function applies(layout: Layout, { name }: Operation): boolean {
  return !layout.unusable || !/^(?:resources|subscribe|completion)/.test(name);
}
