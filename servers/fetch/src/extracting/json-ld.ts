/** Limits of JSON-LD: characters of a block, and blocks. */
const MAX_BLOCK = 512 * 1024;
const MAX_BLOCKS = 20;
/** Characters of JSON-LD that a result has. */
const MAX_KEPT = 32 * 1024;
const MAX_DEPTH = 8;
const MAX_NESTING = 100;

export type Thing = Readonly<Record<string, unknown>>;

/** Parses blocks of JSON-LD to objects; invalid blocks and those beyond the limits are left out. */
export function readStructured(blocks: readonly string[]): Thing[] {
  return blocks.slice(0, MAX_BLOCKS).flatMap((block) => {
    if (block.length > MAX_BLOCK || isDeep(block)) return [];
    try {
      const value: unknown = JSON.parse(block.trim().replace(/^<!--|-->$|;$/g, ''));
      return (Array.isArray(value) ? value : [value]).filter(isThing);
    } catch {
      // invalid JSON-LD is frequent
      return [];
    }
  });
}

/** Returns whether brackets nest too deeply. */
function isDeep(json: string): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === 0x5b || code === 0x7b) depth++;
    else if (code === 0x5d || code === 0x7d) depth--;
    if (depth > MAX_NESTING) return true;
  }
  return false;
}

/** Returns as many of the objects as fit the limit of a result. */
export function boundStructured(things: readonly Thing[]): Thing[] {
  let size = 0;
  return things.filter((thing) => {
    const length = JSON.stringify(thing).length;
    if (size + length > MAX_KEPT) return false;
    size += length;
    return true;
  });
}

/** Yields the objects, and those within `@graph`, `mainEntity` and `mainEntityOfPage`. */
export function* thingsIn(things: readonly unknown[], depth = 0): Generator<Thing> {
  for (const thing of things) {
    if (!isThing(thing) || depth > MAX_DEPTH) continue;
    yield thing;
    for (const key of ['@graph', 'mainEntity', 'mainEntityOfPage']) {
      const inner = thing[key];
      if (inner !== undefined) yield* thingsIn(Array.isArray(inner) ? inner : [inner], depth + 1);
    }
  }
}

/** Returns the names in an object's `@type`. */
export function typesOf(thing: Thing): string[] {
  const type = thing['@type'];
  return (Array.isArray(type) ? type : [type]).filter((name) => typeof name === 'string');
}

/** Returns a text, or the name of an object; the names of several are joined. */
export function nameOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() || undefined;
  if (Array.isArray(value)) {
    const names = value.map(nameOf).filter((name) => name !== undefined);
    return names.length > 0 ? [...new Set(names)].slice(0, 10).join(', ') : undefined;
  }
  return isThing(value) ? nameOf(value.name) : undefined;
}

/** Returns a URL, or the URL of an object that describes an image or a page. */
export function addressOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() || undefined;
  if (Array.isArray(value)) return addressOf(value[0]);
  return isThing(value) ? addressOf(value.url ?? value.contentUrl ?? value['@id']) : undefined;
}

export function isThing(value: unknown): value is Thing {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
