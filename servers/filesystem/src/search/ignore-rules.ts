import { type IgnoreRule, parseIgnoreFile } from './ignore-pattern.ts';
import type { NameTest } from './segment.ts';
import { type Steps, statesBelow } from './steps.ts';

/** Returns the rule that decides about an entry of one directory, if any. */
export type Decide = (name: string, isDirectory: boolean) => IgnoreRule | undefined;

interface TestedRule {
  rule: IgnoreRule;
  test: NameTest;
}

interface PathRule {
  rule: IgnoreRule;
  steps: Steps;
}

/** The rules of one ignore file, indexed so that most names cost two look-ups. */
export class IgnoreRules {
  readonly text: string;
  readonly #names = new Map<string, IgnoreRule[]>();
  readonly #suffixes = new Map<string, IgnoreRule[]>();
  /** Rules for names, the last rule first. */
  readonly #tests: TestedRule[] = [];
  /** Rules for paths: those of one part, those with a literal first part by that part, and all others. */
  readonly #top: PathRule[] = [];
  readonly #below = new Map<string, PathRule[]>();
  readonly #paths: PathRule[] = [];

  constructor(text: string) {
    this.text = text;
    for (const rule of parseIgnoreFile(text)) {
      if (rule.shape.kind === 'name') append(this.#names, rule.shape.name, rule);
      else if (rule.shape.kind === 'suffix') append(this.#suffixes, rule.shape.suffix, rule);
      else if (rule.shape.kind === 'test') this.#tests.push({ rule, test: rule.shape.test });
      else this.#addPath(rule, rule.shape.steps, rule.shape.first);
    }
    this.#tests.reverse();
  }

  /** Returns the decision function for the directory `below` that of the file ('' or a path that ends in '/'). */
  inside(below: string): Decide {
    const active = this.#active(below);
    const tested =
      active.length === 0
        ? this.#tests
        : [...this.#tests, ...active].sort((a, b) => b.rule.order - a.rule.order);
    return (name, isDirectory) => {
      let last = latest(this.#names.get(name), isDirectory, undefined);
      if (this.#suffixes.size > 0) {
        const dot = name.lastIndexOf('.');
        if (dot !== -1) last = latest(this.#suffixes.get(name.slice(dot)), isDirectory, last);
      }
      for (const { rule, test } of tested) {
        if (last !== undefined && rule.order < last.order) break;
        if ((isDirectory || !rule.directoryOnly) && test(name)) return rule;
      }
      return last;
    };
  }

  #addPath(rule: IgnoreRule, steps: Steps, first: string | undefined): void {
    if (steps.length === 1) this.#top.push({ rule, steps });
    else if (first === undefined) this.#paths.push({ rule, steps });
    else append(this.#below, first, { rule, steps });
  }

  /** Returns the rules for paths whose last segment applies to entries of that directory. */
  #active(below: string): TestedRule[] {
    const end = below.indexOf('/');
    const begun = end === -1 ? this.#top : (this.#below.get(below.slice(0, end)) ?? []);
    return [...this.#paths, ...begun].flatMap(({ rule, steps }) => {
      const test = steps.at(-1);
      const asked = test !== undefined && statesBelow(steps, below).includes(steps.length - 1);
      return asked ? [{ rule, test }] : [];
    });
  }
}

function append<T>(map: Map<string, T[]>, key: string, rule: T): void {
  const rules = map.get(key);
  if (rules === undefined) map.set(key, [rule]);
  else rules.push(rule);
}

function latest(
  rules: readonly IgnoreRule[] | undefined,
  isDirectory: boolean,
  other: IgnoreRule | undefined,
): IgnoreRule | undefined {
  const last = rules?.findLast((rule) => isDirectory || !rule.directoryOnly);
  return last !== undefined && (other === undefined || last.order > other.order) ? last : other;
}
