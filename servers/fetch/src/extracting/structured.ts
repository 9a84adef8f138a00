/** Longer blocks of data are not read, nor more of them. */
const MAX_BLOCK = 512 * 1024;
const MAX_BLOCKS = 20;
/** What is handed on of them, as JSON. */
const MAX_KEPT = 32 * 1024;
const MAX_DEPTH = 8;
const MAX_NESTING = 100;

export type Thing = Readonly<Record<string, unknown>>;

/** The objects in blocks of JSON-LD: broken blocks and those beyond bounds are left out. */
export function readStructured(blocks: readonly string[]): Thing[] {
  return blocks.slice(0, MAX_BLOCKS).flatMap((block) => {
    if (block.length > MAX_BLOCK || isDeep(block)) return [];
    try {
      const value: unknown = JSON.parse(block.trim().replace(/^<!--|-->$|;$/g, ''));
      return (Array.isArray(value) ? value : [value]).filter(isThing);
    } catch {
      // pages hold broken JSON-LD often enough; it says nothing then
      return [];
    }
  });
}

/** Whether brackets nest deeper than data for readers does. */
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

/** As many of the objects as fit the bounds of what is handed on. */
export function boundStructured(things: readonly Thing[]): Thing[] {
  let size = 0;
  return things.filter((thing) => {
    const length = JSON.stringify(thing).length;
    if (size + length > MAX_KEPT) return false;
    size += length;
    return true;
  });
}

/** The objects, and those within `@graph`, `mainEntity` and `mainEntityOfPage`. */
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

/** The words of an object's `@type`. */
export function typesOf(thing: Thing): string[] {
  const type = thing['@type'];
  return (Array.isArray(type) ? type : [type]).filter((name) => typeof name === 'string');
}

/** A text, or the name or address of an object; the first of several. */
export function nameOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() || undefined;
  if (Array.isArray(value)) {
    const names = value.map(nameOf).filter((name) => name !== undefined);
    return names.length > 0 ? [...new Set(names)].slice(0, 10).join(', ') : undefined;
  }
  return isThing(value) ? nameOf(value.name) : undefined;
}

/** The address in a text or in an object that stands for an image or a page. */
export function addressOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() || undefined;
  if (Array.isArray(value)) return addressOf(value[0]);
  return isThing(value) ? addressOf(value.url ?? value.contentUrl ?? value['@id']) : undefined;
}

export function isThing(value: unknown): value is Thing {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
