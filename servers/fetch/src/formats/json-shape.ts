/** Limits of a shape: its paths, the values that are visited, and its depth. */
const MOST_PATHS = 150;
const MOST_VALUES = 200_000;
const DEEPEST = 12;
/** Keys above which an object counts as a table: all its values share one path. */
const MOST_KEYS = 40;
const SAMPLED_KEYS = 12;

type Type = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object';

interface Place {
  readonly path: string;
  readonly depth: number;
  readonly types: Map<Type, number>;
  readonly keys: Set<string>;
  /** elements of all arrays at this path */
  items: number;
}

/** Describes the shape of a value, a line for each path: its types, their counts, and its keys or items. */
export function shapeOf(value: unknown, root: string): string {
  const places = new Map<string, Place>();
  const waiting: { value: unknown; path: string; depth: number }[] = [{ value, path: root, depth: 0 }];
  let left = MOST_VALUES;
  let isCut = false;
  // breadth first, so that the limits cut off the deepest values
  for (let next = 0; next < waiting.length; next++) {
    const { value: each, path, depth } = waiting[next]!;
    const place = placeOf(places, path, depth);
    left -= 1;
    if (place === undefined || left < 0) {
      isCut = true;
      continue;
    }
    const type = typeOf(each);
    place.types.set(type, (place.types.get(type) ?? 0) + 1);
    if (depth >= DEEPEST) {
      isCut ||= type === 'array' || type === 'object';
      continue;
    }
    if (Array.isArray(each)) {
      place.items += each.length;
      isCut ||= each.length > left;
      for (const item of each.slice(0, left))
        waiting.push({ value: item, path: `${path}[]`, depth: depth + 1 });
    } else if (typeof each === 'object' && each !== null) {
      const entries = Object.entries(each);
      const isTable = entries.length > MOST_KEYS;
      for (const [key] of entries.slice(0, MOST_KEYS)) place.keys.add(key);
      for (const [key, item] of entries.slice(0, left))
        waiting.push({ value: item, path: isTable ? `${path}.*` : `${path}${step(key)}`, depth: depth + 1 });
    }
    if (waiting.length > MOST_VALUES) {
      isCut = true;
      waiting.length = MOST_VALUES;
    }
  }
  const lines = [...places.values()].map(describe);
  return [...lines, ...(isCut ? ['… and more, beyond the limits'] : [])].join('\n');
}

function placeOf(places: Map<string, Place>, path: string, depth: number): Place | undefined {
  const known = places.get(path);
  if (known !== undefined || places.size >= MOST_PATHS) return known;
  const place: Place = { path, depth, types: new Map(), keys: new Set(), items: 0 };
  places.set(path, place);
  return place;
}

function typeOf(value: unknown): Type {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as Type; // parsed JSON has no other types
}

function step(key: string): string {
  return /^[\w$-]{1,60}$/.test(key) ? `.${key}` : `[${JSON.stringify(key.slice(0, 60))}]`;
}

function describe({ path, types, keys, items }: Place): string {
  const single = types.size === 1 && [...types.values()][0] === 1;
  const named = [...types].map(([type, count]) => `${type}${single ? '' : ` × ${count}`}`).join(', ');
  const held = [
    ...(types.has('array') ? [`${items} ${items === 1 ? 'item' : 'items'}`] : []),
    ...(keys.size > 0 ? [`keys ${sampleOf(keys)}`] : []),
  ];
  return `${path}: ${[named, ...held].join('; ')}`;
}

function sampleOf(keys: ReadonlySet<string>): string {
  const sample = [...keys].slice(0, SAMPLED_KEYS).map((key) => key.slice(0, 40).replace(/\s+/g, ' '));
  return `${sample.join(', ')}${keys.size > SAMPLED_KEYS ? ', …' : ''}`;
}
