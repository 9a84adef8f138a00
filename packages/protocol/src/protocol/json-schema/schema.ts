import { Budget } from './budget.ts';
import { Evaluated } from './evaluated.ts';
import { describeProblem, SchemaError } from './failure.ts';
import { type CompileContext, checksOf } from './keywords.ts';
import { apply, never, type SchemaNode, type Scope } from './node.ts';
import { compilePattern, type Pattern } from './pattern.ts';
import { asSchema, type Resource, type Schema, SchemaDocument } from './resource.ts';

/** A compiled JSON Schema. */
export interface CompiledSchema {
  /**
   * returns one line with the path and the reason if the value is invalid, otherwise undefined; throws
   * SchemaError if the check takes too long
   */
  mismatch(value: unknown): string | undefined;
}

/**
 * Compiles a JSON Schema: 2020-12, or 2019-09, draft-07 or draft-06 if `$schema` says so. `format` and
 * `content*` are annotations, and references must stay inside the document. Throws SchemaError for a schema
 * that cannot be checked.
 * Source: https://json-schema.org/draft/2020-12
 */
export function compileSchema(schema: unknown): CompiledSchema {
  const compiler = new Compiler(schema);
  const root = compiler.compile();
  return {
    mismatch(value) {
      const found = apply(
        root,
        value,
        new Budget(),
        undefined,
        compiler.evaluates ? new Evaluated() : undefined,
      );
      return found && describeProblem(found);
    },
  };
}

/** Compiles each schema of one document into a node, once. */
class Compiler {
  readonly #document: SchemaDocument;
  readonly #nodes = new Map<object, SchemaNode>();
  readonly #patterns = new Map<string, Pattern>();
  readonly #unmade: [Record<string, unknown>, SchemaNode][] = [];

  constructor(schema: unknown) {
    this.#document = new SchemaDocument(schema);
  }

  get evaluates(): boolean {
    return this.#document.evaluates;
  }

  compile(): SchemaNode {
    const { root } = this.#document;
    const node = this.#node(root.root, root);
    for (const [schema, resource] of this.#document.dynamicTargets()) this.#node(schema, resource);
    // a loop, so that a deep schema needs no deep call stack
    for (let next = this.#unmade.pop(); next !== undefined; next = this.#unmade.pop()) {
      const [schema, unmade] = next;
      unmade.checks.push(...checksOf(schema, this.#contextOf(unmade.resource)));
    }
    return node;
  }

  #node(schema: Schema, resource: Resource): SchemaNode {
    if (typeof schema === 'boolean') return { resource, checks: schema ? [] : [never] };
    const known = this.#nodes.get(schema);
    if (known !== undefined) return known;
    const node: SchemaNode = { resource: this.#document.resourceOf(schema), checks: [] };
    this.#nodes.set(schema, node);
    this.#unmade.push([schema, node]);
    return node;
  }

  #contextOf(resource: Resource): CompileContext {
    return {
      resource,
      document: this.#document,
      node: (schema, what) => this.#node(asSchema(schema, what), resource),
      pattern: (source) => this.#pattern(source),
      reference: (reference) => {
        const target = this.#document.resolve(reference, resource);
        return this.#node(target.schema, target.in);
      },
      dynamicReference: (reference) => this.#dynamicReference(reference, resource),
    };
  }

  /** Returns a function that resolves a reference in the dynamic scope of a check. */
  #dynamicReference(reference: unknown, from: Resource): (scope: Scope) => SchemaNode {
    const { schema, anchor, in: target } = this.#document.resolve(reference, from);
    const fixed = this.#node(schema, target);
    if (from.dialect.dynamic === '$recursiveRef') {
      if (!target.recursive) return () => fixed;
      return (scope) =>
        this.#outermost(
          scope,
          ({ recursive }) => recursive,
          ({ root }) => root,
        ) ?? fixed;
    }
    if (anchor === undefined || !target.dynamicAnchors.has(anchor)) return () => fixed;
    return (scope) =>
      this.#outermost(
        scope,
        ({ dynamicAnchors }) => dynamicAnchors.has(anchor),
        ({ anchors }) => anchors.get(anchor)!, // dynamic anchors are in `anchors` too
      ) ?? fixed;
  }

  #outermost(
    scope: Scope,
    offers: (resource: Resource) => boolean,
    pick: (resource: Resource) => Schema,
  ): SchemaNode | undefined {
    let found: Resource | undefined;
    for (let at: Scope | undefined = scope; at !== undefined; at = at.outer)
      if (offers(at.resource)) found = at.resource;
    return found && this.#node(pick(found), found);
  }

  #pattern(source: unknown): Pattern {
    if (typeof source !== 'string') throw new SchemaError('a pattern must be a string');
    const known = this.#patterns.get(source);
    if (known !== undefined) return known;
    const pattern = compilePattern(source);
    this.#patterns.set(source, pattern);
    return pattern;
  }
}
