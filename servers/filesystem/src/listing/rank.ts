/**
 * Returns the indices of `keys` in ascending order of the keys, stable for equal ones. It sorts the numbers natively
 * and places each index by its rank: a comparator would block the event loop several times as long.
 */
export function rankBy(keys: Float64Array): Uint32Array {
  const sorted = keys.slice().sort();
  const placed = new Uint32Array(keys.length);
  const order = new Uint32Array(keys.length);
  for (let index = 0; index < keys.length; index++) {
    const rank = lowerBound(sorted, keys[index]!);
    order[rank + placed[rank]!++] = index;
  }
  return order;
}

function lowerBound(sorted: Float64Array, key: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
