import { sep } from 'node:path';
import { below, from, type Part, rulesOf } from './deny-rules.ts';
import { foldName, withoutTail } from './name-glob.ts';

/** The test of the names of one folder. */
export type DeniedNames = (name: string) => boolean;

interface FolderRule {
  readonly denied: DeniedNames;
  /** the parts of patterns with a slash that may match here */
  readonly parts: readonly Part[];
  /** whether most folders inside have the same rule: all parts come from `**`, and no anchor lies here */
  readonly lasting: boolean;
}

/** Folders that are cached at a time. */
const FOLDERS = 4096;

/**
 * The paths that a list of patterns denies below some folders. A pattern without a slash is a name at any depth, one
 * with a slash a path below an anchor; everything below a denied path is denied, too, and an anchor itself never is.
 */
export class Denial {
  readonly #globs: readonly string[];
  readonly #anchors: readonly string[];
  /** the folders that contain an anchor */
  readonly #holders: ReadonlySet<string>;
  readonly #folders = new Map<string, FolderRule>();
  #folder = '';
  #denied: DeniedNames | undefined;
  #real = '';
  #hidden = false;

  constructor(globs: readonly string[], anchors: readonly string[]) {
    this.#globs = globs;
    this.#anchors = anchors.map(bare);
    this.#holders = new Set(this.#anchors.map((anchor) => anchor.slice(0, anchor.lastIndexOf(sep))));
  }

  /** Returns whether this absolute path, or a folder above it up to its anchor, is denied. */
  hides(real: string): boolean {
    // an open asks twice: by its name before, and by its handle after
    if (real === this.#real) return this.#hidden;
    const cut = real.lastIndexOf(sep);
    if (this.#denied === undefined || cut !== this.#folder.length || !real.startsWith(this.#folder)) {
      this.#folder = real.slice(0, cut);
      this.#denied = this.#ruleOf(this.#folder).denied;
    }
    this.#hidden = this.#denied(real.slice(cut + 1));
    this.#real = real;
    return this.#hidden;
  }

  /** Returns the test for the names in one folder. */
  hiddenIn(folder: string): DeniedNames {
    return this.#ruleOf(bare(folder)).denied;
  }

  /** Returns whether the content of a folder stays denied when the folder moves. */
  holdsAfterMove(from: string, to: string): boolean {
    const here = this.#ruleOf(bare(from)).parts;
    const there = this.#ruleOf(bare(to)).parts;
    return (
      here.every((part) => part.lifts || there.includes(part)) &&
      there.every((part) => !part.lifts || here.includes(part))
    );
  }

  #ruleOf(folder: string): FolderRule {
    let rule = this.#folders.get(folder);
    if (rule === undefined) {
      rule = this.#makeRule(folder);
      if (this.#folders.size >= FOLDERS) this.#folders.clear();
      this.#folders.set(folder, rule);
    }
    return rule;
  }

  #makeRule(folder: string): FolderRule {
    const cut = folder.lastIndexOf(sep);
    const above = cut < 0 ? outside : this.#ruleOf(folder.slice(0, cut));
    const isAnchor = this.#anchors.includes(folder);
    if (!isAnchor && above === outside) return outside;
    const rules = rulesOf(this.#globs);
    const name = folder.slice(cut + 1);
    const folded = foldName(name);
    const holdsAnchor = this.#holders.has(folder);
    if (!isAnchor && !holdsAnchor && above.lasting && !above.denied(name) && !leadsOn(above, folded))
      return above;
    const reached = above.parts.flatMap((part) => [
      ...below(part, folded),
      ...below(part, withoutTail(folded)),
    ]);
    if (isAnchor) reached.push(...rules.paths.flatMap(from));
    const parts = [...new Set(reached)];
    const denied = !isAnchor && above.denied(name) ? everything : rules.testOf(parts);
    if (!holdsAnchor) return { parts, lasting: isLasting(parts), denied };
    const deniedBeside = (own: string): boolean => !this.#anchors.includes(folder + sep + own) && denied(own);
    return { parts, lasting: false, denied: deniedBeside };
  }
}

const everything: DeniedNames = () => true;
const outside: FolderRule = { denied: () => false, parts: [], lasting: true };

/** Returns whether a folder of this name is a part of a longer pattern. */
function leadsOn({ parts }: FolderRule, folded: string): boolean {
  const short = withoutTail(folded);
  return parts.some((part) => part.next !== undefined && (part.fits?.(folded) || part.fits?.(short)));
}

function isLasting(parts: readonly Part[]): boolean {
  const kept = new Set(parts.filter((part) => part.fits === undefined).flatMap(from));
  return parts.every((part) => kept.has(part));
}

/** Returns a folder without the separator that only the top of a file system ends in. */
function bare(folder: string): string {
  return folder.endsWith(sep) ? folder.slice(0, -1) : folder;
}
