/** A change between two lists of lines; both ranges are indexes with exclusive ends. */
export interface Change {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

export interface LineDiff {
  readonly changes: readonly Change[];
  /** the step limit was reached: some of the changed lines may be equal */
  readonly coarse: boolean;
}

/** Steps of a comparison, after which the rest counts as changed: about 50 ms. */
const MOST_STEPS = 4_000_000;

/**
 * Returns the fewest changes between two lists of lines, by Myers' algorithm in linear space. `steps` limits the work.
 */
export function diffLines(old: readonly string[], now: readonly string[], steps = MOST_STEPS): LineDiff {
  const ids = new Map<string, number>();
  const idsOf = (lines: readonly string[]) =>
    lines.map((line) => {
      const id = ids.get(line) ?? ids.size;
      ids.set(line, id);
      return id;
    });
  const oldIds = idsOf(old);
  const newIds = idsOf(now);
  // lines that only one side has are changed in any case; without them there is less to compare
  const oldShared = sharedWith(oldIds, new Set(newIds));
  const newShared = sharedWith(newIds, new Set(oldIds));
  const comparison = new Comparison(
    oldShared.map((index) => oldIds[index]!),
    newShared.map((index) => newIds[index]!),
    steps,
  );
  const pairs = comparison.run().map(([a, b]) => [oldShared[a]!, newShared[b]!] as const);
  return { changes: between(pairs, old.length, now.length), coarse: comparison.coarse };
}

function sharedWith(ids: readonly number[], others: ReadonlySet<number>): number[] {
  return [...ids.keys()].filter((index) => others.has(ids[index]!));
}

/** Returns the changes between pairs of equal lines. */
function between(
  pairs: readonly (readonly [number, number])[],
  oldLength: number,
  newLength: number,
): Change[] {
  const changes: Change[] = [];
  let oldStart = 0;
  let newStart = 0;
  for (const [oldEnd, newEnd] of [...pairs, [oldLength, newLength] as const]) {
    if (oldEnd > oldStart || newEnd > newStart) changes.push({ oldStart, oldEnd, newStart, newEnd });
    oldStart = oldEnd + 1;
    newStart = newEnd + 1;
  }
  return changes;
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A run of equal lines: its start in both lists, and its length. */
interface Run {
  readonly x: number;
  readonly y: number;
  readonly length: number;
}

const UNREACHED = -1_000_000_000;

/** The computation of a longest common subsequence of two lists. */
class Comparison {
  coarse = false;
  readonly #old: readonly number[];
  readonly #now: readonly number[];
  readonly #forward: Int32Array;
  readonly #backward: Int32Array;
  #steps: number;

  constructor(old: readonly number[], now: readonly number[], steps: number) {
    this.#old = old;
    this.#now = now;
    this.#steps = steps;
    const size = 2 * (old.length + now.length) + 3;
    this.#forward = new Int32Array(size);
    this.#backward = new Int32Array(size);
  }

  run(): [number, number][] {
    const pairs: [number, number][] = [];
    const boxes: Box[] = [{ left: 0, top: 0, right: this.#old.length, bottom: this.#now.length }];
    for (let box = boxes.pop(); box !== undefined; box = boxes.pop()) {
      const inner = this.#trim(box, pairs);
      if (inner.left === inner.right || inner.top === inner.bottom) continue;
      const run = this.#middle(inner);
      if (run === undefined) continue;
      const { x, y, length } = run;
      boxes.push({ ...inner, left: x + length, top: y + length }, { ...inner, right: x, bottom: y });
      for (let at = 0; at < length; at++) pairs.push([x + at, y + at]);
    }
    return pairs.sort(([one], [other]) => one - other);
  }

  /** Removes equal lines at both ends. */
  #trim({ left, top, right, bottom }: Box, pairs: [number, number][]): Box {
    while (left < right && top < bottom && this.#old[left] === this.#now[top]) pairs.push([left++, top++]);
    while (left < right && top < bottom && this.#old[right - 1] === this.#now[bottom - 1])
      pairs.push([--right, --bottom]);
    return { left, top, right, bottom };
  }

  /** Returns a run of equal lines in the middle of the shortest edit path through a box. */
  #middle(box: Box): Run | undefined {
    const width = box.right - box.left;
    const height = box.bottom - box.top;
    const most = Math.ceil((width + height) / 2);
    for (const reached of [this.#forward, this.#backward]) {
      reached.fill(UNREACHED, 0, 2 * most + 3);
      reached[most + 2] = 0;
    }
    for (let d = 0; d <= most; d++) {
      this.#steps -= 2 * d + 2;
      if (this.#steps < 0) {
        this.coarse = true;
        return undefined;
      }
      const run = this.#advance(box, d, most, true) ?? this.#advance(box, d, most, false);
      if (run !== undefined) return run;
    }
    return undefined;
  }

  /**
   * Extends the paths of one direction by one change; returns the run in which they meet those of the other direction.
   */
  #advance(box: Box, d: number, most: number, ahead: boolean): Run | undefined {
    const width = box.right - box.left;
    const height = box.bottom - box.top;
    const delta = width - height;
    const base = most + 1;
    const mine = ahead ? this.#forward : this.#backward;
    const theirs = ahead ? this.#backward : this.#forward;
    // only one of the two directions can meet the other
    const meets = (delta & 1) === (ahead ? 1 : 0);
    const reach = ahead ? d - 1 : d;
    const last = d - 2 * Math.max(0, d - width);
    for (let k = 2 * Math.max(0, d - height) - d; k <= last; k += 2) {
      const below = mine[base + k - 1]!;
      const above = mine[base + k + 1]!;
      const startX = k === -d || (k !== d && below < above) ? above : below + 1;
      const x = this.#slide(box, startX, startX - k, ahead);
      mine[base + k] = x;
      const other = delta - k;
      if (meets && Math.abs(other) <= reach && x + theirs[base + other]! >= width) {
        const run = { x: startX, y: startX - k, length: x - startX };
        if (ahead) return { ...run, x: box.left + run.x, y: box.top + run.y };
        return { ...run, x: box.right - x, y: box.bottom - (x - k) };
      }
    }
    return undefined;
  }

  /** Returns the end of the equal lines from a position, counted from the end where this direction begins. */
  #slide({ left, top, right, bottom }: Box, startX: number, startY: number, ahead: boolean): number {
    const width = right - left;
    const height = bottom - top;
    let x = startX;
    for (let y = startY; x < width && y < height; x++, y++) {
      const one = this.#old[ahead ? left + x : right - 1 - x];
      if (one !== this.#now[ahead ? top + y : bottom - 1 - y]) break;
      this.#steps--;
    }
    return x;
  }
}
