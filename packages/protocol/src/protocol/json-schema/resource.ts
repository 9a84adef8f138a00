import { isObject } from '../../jsonrpc/message.ts';
import { type Dialect, dialectOf } from './dialect.ts';
import { quoted, SchemaError } from './failure.ts';

/** A schema or subschema of a document. */
export type Schema = boolean | Record<string, unknown>;

/** A schema resource: a schema with its own identifier, to which anchors and relative references belong. */
export interface Resource {
  readonly uri: string;
  readonly dialect: Dialect;
  readonly root: Schema;
  readonly anchors: Map<string, Schema>;
  /** anchors that references may also resolve in the dynamic scope */
  readonly dynamicAnchors: Set<string>;
  readonly recursive: boolean;
}

const MAX_SCHEMAS = 50_000;
const MAX_DEPTH = 200;
/** The URI of a document without `$id`. */
const DEFAULT_URI = 'json-schema:///';

const schemaKeywords = [
  'additionalItems',
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
];
const schemaListKeywords = ['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems'];
const schemaMapKeywords = [
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
];

/**
 * The resources of one schema document. References to other documents are never fetched.
 * Source: https://json-schema.org/draft/2020-12/json-schema-core#section-8.2
 */
export class SchemaDocument {
  readonly root: Resource;
  readonly #resources = new Map<string, Resource>();
  readonly #owners = new WeakMap<object, Resource>();
  #count = 0;
  #evaluates = false;

  constructor(text: unknown) {
    const schema = asSchema(text, 'the schema');
    if (typeof schema === 'boolean') this.root = this.#begin(schema, undefined);
    else {
      this.#scan(schema, undefined, 0);
      this.root = this.resourceOf(schema);
    }
  }

  /** True if any schema uses `unevaluatedItems` or `unevaluatedProperties`. */
  get evaluates(): boolean {
    return this.#evaluates;
  }

  /** Returns the schemas that references may resolve in the dynamic scope. */
  dynamicTargets(): [Schema, Resource][] {
    return [...this.#resources.values()].flatMap((resource) => {
      const named = [...resource.dynamicAnchors].map((name) => resource.anchors.get(name)!); // dynamic anchors are in `anchors` too
      return [...named, ...(resource.recursive ? [resource.root] : [])].map((schema): [Schema, Resource] => [
        schema,
        resource,
      ]);
    });
  }

  resourceOf(schema: object): Resource {
    return this.#owners.get(schema)!; // every reachable schema has been scanned
  }

  /** Returns the schema that a reference in a resource names, and its anchor if the reference uses one. */
  resolve(reference: unknown, from: Resource): { schema: Schema; anchor: string | undefined; in: Resource } {
    if (typeof reference !== 'string') throw new SchemaError('a reference must be a string');
    const [address, fragment] = split(resolveUri(reference, from.uri));
    const resource = this.#resources.get(address);
    if (resource === undefined) {
      throw new SchemaError(`the reference ${quoted(reference)} is outside the schema; nothing is fetched`);
    }
    if (fragment === '') return { schema: resource.root, anchor: undefined, in: resource };
    if (fragment.startsWith('/'))
      return { ...this.#follow(fragment, resource, reference), anchor: undefined };
    const schema = resource.anchors.get(fragment);
    if (schema === undefined) throw new SchemaError(`the reference ${quoted(reference)} names no anchor`);
    return { schema, anchor: fragment, in: resource };
  }

  #follow(pointer: string, resource: Resource, reference: string): { schema: Schema; in: Resource } {
    let owner = resource;
    let place: unknown = resource.root;
    for (const segment of pointer.slice(1).split('/')) {
      const key = segment.replaceAll('~1', '/').replaceAll('~0', '~');
      const holds =
        typeof place === 'object' && place !== null && Object.hasOwn(place, key) && key !== 'length';
      if (!holds) throw new SchemaError(`the reference ${quoted(reference)} names no schema`);
      place = (place as Record<string, unknown>)[key]; // hasOwn has just returned true
      if (typeof place === 'object' && place !== null) owner = this.#owners.get(place) ?? owner;
    }
    const schema = asSchema(place, `the value at the reference ${quoted(reference)}`);
    if (typeof schema === 'object' && !this.#owners.has(schema)) this.#scan(schema, owner, 0);
    return { schema, in: typeof schema === 'object' ? this.resourceOf(schema) : owner };
  }

  #scan(schema: Schema, parent: Resource | undefined, depth: number): void {
    this.#count += 1;
    if (this.#count > MAX_SCHEMAS) throw new SchemaError(`the schema has more than ${MAX_SCHEMAS} parts`);
    if (depth > MAX_DEPTH) throw new SchemaError(`the schema is nested deeper than ${MAX_DEPTH}`);
    if (typeof schema === 'boolean' || this.#owners.has(schema)) return;
    const resource = this.#own(schema, parent);
    this.#owners.set(schema, resource);
    if (schema.unevaluatedItems !== undefined || schema.unevaluatedProperties !== undefined)
      this.#evaluates = true;
    for (const key of schemaKeywords) {
      const inner = ownMember(schema, key);
      if (isSchema(inner)) this.#scan(inner, resource, depth + 1);
    }
    for (const key of schemaListKeywords) {
      const list = ownMember(schema, key);
      if (!Array.isArray(list)) continue;
      for (const inner of list) if (isSchema(inner)) this.#scan(inner, resource, depth + 1);
    }
    for (const key of schemaMapKeywords) {
      const named = ownMember(schema, key);
      if (!isObject(named)) continue;
      for (const inner of Object.values(named)) if (isSchema(inner)) this.#scan(inner, resource, depth + 1);
    }
  }

  /** Returns the resource that a schema belongs to or starts, and adds the schema's anchors to it. */
  #own(schema: Record<string, unknown>, parent: Resource | undefined): Resource {
    const resource = this.#startOf(schema, parent);
    const { $anchor, $dynamicAnchor } = schema;
    if (!resource.dialect.unevaluated) return resource;
    if (typeof $anchor === 'string') resource.anchors.set($anchor, schema);
    if (typeof $dynamicAnchor === 'string' && resource.dialect.dynamic === '$dynamicRef') {
      resource.anchors.set($dynamicAnchor, schema);
      resource.dynamicAnchors.add($dynamicAnchor);
    }
    return resource;
  }

  #startOf(schema: Record<string, unknown>, parent: Resource | undefined): Resource {
    const { $id: id } = schema;
    const dialect =
      schema.$schema === undefined && parent !== undefined ? parent.dialect : dialectOf(schema.$schema);
    const ignored = dialect.refIgnoresSiblings && schema.$ref !== undefined && parent !== undefined;
    if (typeof id !== 'string' || ignored) return parent ?? this.#begin(schema, undefined);
    const [address, fragment] = split(resolveUri(id, parent?.uri ?? DEFAULT_URI));
    if (fragment === '') return this.#begin(schema, parent, address);
    const resource = parent ?? this.#begin(schema, undefined);
    if (dialect.refIgnoresSiblings) resource.anchors.set(fragment, schema);
    return resource;
  }

  #begin(root: Schema, parent: Resource | undefined, uri = DEFAULT_URI): Resource {
    const named = typeof root === 'object' ? root.$schema : undefined;
    const dialect = named === undefined && parent !== undefined ? parent.dialect : dialectOf(named);
    const recursive = typeof root === 'object' && root.$recursiveAnchor === true;
    const resource: Resource = {
      uri,
      dialect,
      root,
      anchors: new Map(),
      dynamicAnchors: new Set(),
      recursive: recursive && dialect.dynamic === '$recursiveRef',
    };
    this.#resources.set(uri, resource);
    return resource;
  }
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'boolean' || isObject(value);
}

export function asSchema(value: unknown, what: string): Schema {
  if (isSchema(value)) return value;
  throw new SchemaError(`${what} must be an object, true or false`);
}

function ownMember(schema: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(schema, key) ? schema[key] : undefined;
}

function resolveUri(reference: string, base: string): string {
  try {
    return new URL(reference, base).href;
  } catch {
    throw new SchemaError(`${quoted(reference)} is not a URI`);
  }
}

/** Returns the URI without its fragment, and the decoded fragment. */
function split(uri: string): [string, string] {
  const at = uri.indexOf('#');
  if (at < 0) return [uri, ''];
  const fragment = uri.slice(at + 1);
  try {
    return [uri.slice(0, at), decodeURIComponent(fragment)];
  } catch {
    throw new SchemaError(`the fragment ${quoted(fragment)} is not percent-encoded UTF-8`);
  }
}
