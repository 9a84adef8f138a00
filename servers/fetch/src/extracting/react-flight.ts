import { type ChildNode, Text } from 'domhandler';
import { elementOf, parseTree } from './dom-tree.ts';

const MAX_NODES = 50_000;
const MAX_DEPTH = 200;
const PUSHES = /^(?:\(?self\.__next_f\s*=\s*self\.__next_f\s*\|\|\s*\[\]\)?|self\.__next_f)\.push\((?=\[)/;
const PROPS: Readonly<Record<string, string>> = {
  className: 'class',
  id: 'id',
  href: 'href',
  src: 'src',
  alt: 'alt',
  role: 'role',
};

/** Returns the nodes that React's server-component rows describe in inline scripts; none if there are none. */
export function readFlight(scripts: readonly string[]): ChildNode[] {
  const stream = scripts.map(pushedBy).join('');
  if (stream === '') return [];
  return new Flight(rowsOf(stream)).nodes();
}

/** Returns the part of the stream in `self.__next_f.push([1,"…"])`. */
function pushedBy(script: string): string {
  const call = script.trim();
  const begin = PUSHES.exec(call)?.[0].length;
  const end = call.lastIndexOf('])');
  if (begin === undefined || end < begin || !/^\s*;?$/.test(call.slice(end + 2))) return '';
  try {
    const pushed: unknown = JSON.parse(call.slice(begin, end + 1));
    return Array.isArray(pushed) && typeof pushed[1] === 'string' ? pushed[1] : '';
  } catch {
    // a call whose argument is not plain data
    return '';
  }
}

/** Splits the stream into rows by id: `1f:JSON`, or `1f:T` with a byte length for text. */
function rowsOf(stream: string): Map<string, unknown> {
  const rows = new Map<string, unknown>();
  const bytes = Buffer.from(stream);
  let at = 0;
  while (at < bytes.length) {
    const colon = bytes.indexOf(':', at);
    if (colon < 0) break;
    const id = bytes.toString('latin1', at, colon).trim();
    const text =
      bytes[colon + 1] === 0x54
        ? /^T([\da-f]+),/.exec(bytes.toString('latin1', colon + 1, colon + 20))
        : null;
    if (text !== null) {
      const start = colon + 1 + text[0].length;
      at = start + Number.parseInt(text[1]!, 16);
      rows.set(id, bytes.toString('utf8', start, at));
      continue;
    }
    const newline = bytes.indexOf('\n', colon);
    const end = newline < 0 ? bytes.length : newline;
    const row = bytes.toString('utf8', colon + 1, end);
    if (/^[[{"]/.test(row)) rows.set(id, parsed(row));
    at = end + 1;
  }
  return rows;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // a row that is cut off or of an unknown kind
    return undefined;
  }
}

class Flight {
  readonly #rows: ReadonlyMap<string, unknown>;
  readonly #seen = new Set<string>();
  #count = 0;

  constructor(rows: ReadonlyMap<string, unknown>) {
    this.#rows = rows;
  }

  nodes(): ChildNode[] {
    return [...this.#rows.keys()].flatMap((id) => this.#row(id, 0));
  }

  #row(id: string, depth: number): ChildNode[] {
    if (this.#seen.has(id)) return [];
    this.#seen.add(id);
    return this.#value(this.#rows.get(id), depth, false);
  }

  #value(value: unknown, depth: number, isChild: boolean): ChildNode[] {
    if (depth > MAX_DEPTH || this.#count > MAX_NODES) return [];
    if (typeof value === 'string') return this.#text(value, depth, isChild);
    if (typeof value === 'number' && isChild) return [new Text(String(value))];
    if (Array.isArray(value)) {
      if (value[0] === '$' && typeof value[1] === 'string') return this.#element(value[1], value[3], depth);
      return value.flatMap((one) => this.#value(one, depth + 1, isChild));
    }
    if (typeof value !== 'object' || value === null) return [];
    return Object.values(value).flatMap((one) =>
      typeof one === 'object' ? this.#value(one, depth + 1, false) : [],
    );
  }

  #text(value: string, depth: number, isChild: boolean): ChildNode[] {
    if (!isChild) return [];
    const reference = /^\$L?([\da-f]+)$/.exec(value);
    if (reference !== null) {
      const row = this.#rows.get(reference[1]!);
      return typeof row === 'string' ? [new Text(row)] : this.#row(reference[1]!, depth + 1);
    }
    if (value.startsWith('$') && !value.startsWith('$$')) return [];
    this.#count++;
    return [new Text(value.startsWith('$$') ? value.slice(1) : value)];
  }

  #element(name: string, props: unknown, depth: number): ChildNode[] {
    this.#count++;
    if (typeof props !== 'object' || props === null) return [];
    const { children, dangerouslySetInnerHTML: inner, ...rest } = props as Record<string, unknown>; // an object, by the line above
    const nodes = this.#value(children, depth + 1, true);
    if (name.startsWith('$')) return [...nodes, ...this.#value(rest, depth + 1, false)];
    if (!/^[a-z][a-z\d-]*$/.test(name)) return nodes;
    const html =
      typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>).__html : undefined;
    const attribs: Record<string, string> = {};
    for (const [prop, attrib] of Object.entries(PROPS)) {
      const value = rest[prop];
      if (typeof value === 'string' && !value.startsWith('$')) attribs[attrib] = value;
    }
    return [elementOf(name, attribs, [...nodes, ...this.#html(html)])];
  }

  #html(html: unknown): ChildNode[] {
    if (typeof html !== 'string') return [];
    const row = /^\$([\da-f]+)$/.exec(html);
    const text = row === null ? html : this.#rows.get(row[1]!);
    return typeof text === 'string' ? parseTree(text).document.children : [];
  }
}
