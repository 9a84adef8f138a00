import { isObject } from '../../jsonrpc/message.ts';
import { Budget } from './budget.ts';
import { canonical } from './equal.ts';
import { Evaluated } from './evaluated.ts';
import { below, problem, quoted, SchemaError } from './failure.ts';
import { apply, applyInPlace, type Check, type SchemaNode } from './node.ts';
import type { Pattern } from './pattern.ts';
import type { Resource } from './resource.ts';

type Members = Record<string, unknown>;

/** The parts of the compiler that keywords use. */
export interface CompileContext {
  readonly resource: Resource;
  /** true if evaluated members and elements must be recorded */
  readonly document: { readonly evaluates: boolean };
  node(schema: unknown, what: string): SchemaNode;
  pattern(source: unknown): Pattern;
  reference(reference: unknown): SchemaNode;
  dynamicReference(reference: unknown): (scope: Parameters<Check>[2]) => SchemaNode;
}

/** Returns the check for one keyword, or for a few keywords that interact. */
type Keyword = (schema: Members, context: CompileContext) => Check | undefined;

/** Returns the checks of a schema; `unevaluated*` comes last. */
export function checksOf(schema: Members, context: CompileContext): Check[] {
  const { dialect } = context.resource;
  const keywords = dialect.refIgnoresSiblings && schema.$ref !== undefined ? [reference] : all;
  return keywords.flatMap((keyword) => keyword(schema, context) ?? []);
}

// --- any value ---------------------------------------------------------------------------------------------

const types = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);

function type({ type: wanted }: Members): Check | undefined {
  if (wanted === undefined) return undefined;
  const names: unknown[] = Array.isArray(wanted) ? wanted : [wanted];
  if (!names.every((name) => typeof name === 'string' && types.has(name)))
    throw new SchemaError(`type ${quoted(wanted)} is none of ${[...types].join(', ')}`);
  return (value) => {
    const actual = typeOf(value);
    if (
      names.includes(actual) ||
      (actual === 'number' && names.includes('integer') && Number.isInteger(value))
    )
      return undefined;
    return problem(`expected ${names.join(' or ')}, received ${actual}`);
  };
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function enumeration({ enum: allowed }: Members): Check | undefined {
  if (allowed === undefined) return undefined;
  const fits = equalToOne(listOf('enum', allowed));
  return (value, budget) => (fits(value, budget) ? undefined : problem(`expected one of ${quoted(allowed)}`));
}

function constant(schema: Members): Check | undefined {
  if (!Object.hasOwn(schema, 'const')) return undefined;
  const fits = equalToOne([schema.const]);
  return (value, budget) => (fits(value, budget) ? undefined : problem(`expected ${quoted(schema.const)}`));
}

/** Returns a test for equality with one of the values; only objects and arrays are compared by their texts. */
function equalToOne(allowed: readonly unknown[]): (value: unknown, budget: Budget) => boolean {
  const simple = new Set(allowed.filter((value) => typeof value !== 'object' || value === null));
  const texts = new Set(
    allowed.filter((value) => !simple.has(value)).map((value) => canonical(value, new Budget())),
  );
  return (value, budget) => {
    if (typeof value !== 'object' || value === null) return simple.has(value);
    return texts.size > 0 && texts.has(canonical(value, budget));
  };
}

// --- numbers -----------------------------------------------------------------------------------------------

function bound(name: string, fits: (value: number, limit: number) => boolean, words: string): Keyword {
  return (schema) => {
    const limit = schema[name];
    if (limit === undefined) return undefined;
    if (typeof limit !== 'number') throw new SchemaError(`${name} must be a number`);
    return (value) =>
      typeof value !== 'number' || fits(value, limit) ? undefined : problem(`expected ${words} ${limit}`);
  };
}

function multipleOf({ multipleOf: divisor }: Members): Check | undefined {
  if (divisor === undefined) return undefined;
  if (typeof divisor !== 'number' || divisor <= 0)
    throw new SchemaError('multipleOf must be a number above 0');
  return (value) =>
    typeof value !== 'number' || isMultiple(value, divisor)
      ? undefined
      : problem(`expected a multiple of ${divisor}`);
}

function isMultiple(value: number, divisor: number): boolean {
  if (value % divisor === 0) return true;
  const quotient = value / divisor;
  // decimals are not exact in binary, so a quotient counts as an integer within its last bits
  return (
    Number.isFinite(quotient) &&
    Math.abs(quotient - Math.round(quotient)) <= 2 * Number.EPSILON * Math.abs(quotient)
  );
}

// --- strings -----------------------------------------------------------------------------------------------

function count(
  name: string,
  size: (value: unknown) => number | undefined,
  fits: (size: number, limit: number) => boolean,
  words: string,
): Keyword {
  return (schema) => {
    const limit = countOf(schema, name);
    if (limit === undefined) return undefined;
    return (value) => {
      const actual = size(value);
      return actual === undefined || fits(actual, limit)
        ? undefined
        : problem(`expected ${words.replace('#', String(limit))}, received ${actual}`);
    };
  };
}

function characters(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  let length = value.length;
  for (let index = 0; index < value.length - 1; index++) {
    const isPair =
      (value.charCodeAt(index) & 0xfc00) === 0xd800 && (value.charCodeAt(index + 1) & 0xfc00) === 0xdc00;
    if (!isPair) continue;
    length -= 1;
    index += 1;
  }
  return length;
}

function pattern({ pattern: source }: Members, context: CompileContext): Check | undefined {
  if (source === undefined) return undefined;
  const compiled = context.pattern(source);
  return (value, budget) =>
    typeof value !== 'string' || compiled.matches(value, budget)
      ? undefined
      : problem(`expected a string that matches ${quoted(source)}`);
}

// --- arrays ------------------------------------------------------------------------------------------------

const elements = (value: unknown): number | undefined => (Array.isArray(value) ? value.length : undefined);

function uniqueItems({ uniqueItems: wanted }: Members): Check | undefined {
  if (wanted !== true) return undefined;
  return (value, budget) => {
    if (!Array.isArray(value)) return undefined;
    const texts = new Set(value.map((item) => canonical(item, budget)));
    return texts.size === value.length ? undefined : problem('expected unique elements');
  };
}

function items(schema: Members, context: CompileContext): Check | undefined {
  const { listItems } = context.resource.dialect;
  const isList = listItems && Array.isArray(schema.items);
  const first = isList ? schema.items : listItems ? undefined : schema.prefixItems;
  const others = isList ? schema.additionalItems : schema.items;
  const [firstKey, othersKey] = isList ? ['items', 'additionalItems'] : ['prefixItems', 'items'];
  const prefix =
    first === undefined ? [] : listOf(firstKey!, first).map((inner) => context.node(inner, firstKey!));
  const rest = others === undefined ? undefined : context.node(others, othersKey!);
  if (prefix.length === 0 && rest === undefined) return undefined;
  return (value, budget, scope, evaluated) => {
    if (!Array.isArray(value)) return undefined;
    const end = rest === undefined ? Math.min(prefix.length, value.length) : value.length;
    for (let index = 0; index < end; index++) {
      const node = prefix[index] ?? rest!; // the loop ends with the prefix if there is no rest
      const found = apply(node, value[index], budget, scope, fresh(context));
      if (found !== undefined) return below(index, found);
    }
    evaluated?.indicesBelow(end);
    return undefined;
  };
}

function contains(schema: Members, context: CompileContext): Check | undefined {
  if (schema.contains === undefined) return undefined;
  const { unevaluated, containsEvaluates } = context.resource.dialect;
  const node = context.node(schema.contains, 'contains');
  const least = (unevaluated ? countOf(schema, 'minContains') : undefined) ?? 1;
  const most = (unevaluated ? countOf(schema, 'maxContains') : undefined) ?? Number.POSITIVE_INFINITY;
  return (value, budget, scope, evaluated) => {
    if (!Array.isArray(value)) return undefined;
    let matched = 0;
    for (const [index, item] of value.entries()) {
      if (apply(node, item, budget, scope, fresh(context)) !== undefined) continue;
      matched += 1;
      if (containsEvaluates) evaluated?.index(index);
    }
    if (matched < least) return problem(`expected at least ${least} matching elements, received ${matched}`);
    return matched > most
      ? problem(`expected at most ${most} matching elements, received ${matched}`)
      : undefined;
  };
}

// --- objects -----------------------------------------------------------------------------------------------

const members = (value: unknown): number | undefined =>
  isObject(value) ? Object.keys(value).length : undefined;

function required({ required: names }: Members): Check | undefined {
  // before draft-04 and in OpenAPI, `required` is a boolean of the member
  if (names === undefined || typeof names === 'boolean') return undefined;
  return requires(namesOf('required', names));
}

function requires(names: readonly string[]): Check {
  return (value) => {
    if (!isObject(value)) return undefined;
    const missing = names.find((name) => !Object.hasOwn(value, name));
    return missing === undefined ? undefined : problem('is required', missing);
  };
}

function properties(schema: Members, context: CompileContext): Check | undefined {
  const named = nodesOf(schema, 'properties', context);
  const byPattern = [...nodesOf(schema, 'patternProperties', context)].map(
    ([source, node]) => [context.pattern(source), node] as const,
  );
  const { additionalProperties } = schema;
  const others =
    additionalProperties === undefined
      ? undefined
      : context.node(additionalProperties, 'additionalProperties');
  if (named.size === 0 && byPattern.length === 0 && others === undefined) return undefined;
  const lists = new Map([...named].map(([name, node]) => [name, [node]]));
  const rest = others === undefined ? [] : [others];
  const nodesFor = (name: string, budget: Budget): readonly SchemaNode[] => {
    const own = lists.get(name);
    if (byPattern.length === 0) return own ?? rest;
    const matching = byPattern.filter(([source]) => source.matches(name, budget)).map(([, node]) => node);
    const all = own === undefined ? matching : [...own, ...matching];
    return all.length === 0 ? rest : all;
  };
  return (value, budget, scope, evaluated) => {
    if (!isObject(value)) return undefined;
    for (const name of Object.keys(value)) {
      const nodes = nodesFor(name, budget);
      if (nodes.length === 0) continue;
      for (const node of nodes) {
        const found = apply(node, value[name], budget, scope, fresh(context));
        if (found !== undefined) return below(name, found);
      }
      evaluated?.name(name);
    }
    return undefined;
  };
}

function propertyNames({ propertyNames: inner }: Members, context: CompileContext): Check | undefined {
  if (inner === undefined) return undefined;
  const node = context.node(inner, 'propertyNames');
  return (value, budget, scope) => {
    if (!isObject(value)) return undefined;
    for (const name of Object.keys(value)) {
      const found = apply(node, name, budget, scope, fresh(context));
      if (found !== undefined) return problem(`invalid member name: ${found.text}`, name);
    }
    return undefined;
  };
}

function dependentRequired(
  { dependentRequired: dependents }: Members,
  context: CompileContext,
): Check | undefined {
  if (dependents === undefined || !context.resource.dialect.unevaluated) return undefined;
  const entries = Object.entries(objectOf('dependentRequired', dependents));
  return whenPresent(entries.map(([name, names]) => [name, requires(namesOf('dependentRequired', names))]));
}

function dependentSchemas(schema: Members, context: CompileContext): Check | undefined {
  if (!context.resource.dialect.unevaluated) return undefined;
  const nodes = nodesOf(schema, 'dependentSchemas', context);
  if (nodes.size === 0) return undefined;
  return whenPresent([...nodes].map(([name, node]) => [name, inPlace(node)]));
}

/** Returns the check for `dependencies`, which newer dialects split into two keywords and still accept. */
function dependencies(schema: Members, context: CompileContext): Check | undefined {
  if (schema.dependencies === undefined) return undefined;
  const entries = Object.entries(objectOf('dependencies', schema.dependencies));
  return whenPresent(
    entries.map(([name, needed]) => [
      name,
      Array.isArray(needed)
        ? requires(namesOf('dependencies', needed))
        : inPlace(context.node(needed, 'dependencies')),
    ]),
  );
}

function whenPresent(dependents: readonly (readonly [string, Check])[]): Check {
  return (value, budget, scope, evaluated) => {
    if (!isObject(value)) return undefined;
    for (const [name, check] of dependents) {
      const found = Object.hasOwn(value, name) ? check(value, budget, scope, evaluated) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

// --- schemas applied to the same value ---------------------------------------------------------------------

function inPlace(node: SchemaNode): Check {
  return (value, budget, scope, evaluated) => applyInPlace(node, value, budget, scope, evaluated);
}

function allOf(schema: Members, context: CompileContext): Check | undefined {
  const nodes = branchesOf(schema, 'allOf', context);
  return (
    nodes &&
    ((value, budget, scope, evaluated) => {
      for (const node of nodes) {
        const found = applyInPlace(node, value, budget, scope, evaluated);
        if (found !== undefined) return found;
      }
      return undefined;
    })
  );
}

function anyOf(schema: Members, context: CompileContext): Check | undefined {
  const nodes = branchesOf(schema, 'anyOf', context);
  return (
    nodes &&
    ((value, budget, scope, evaluated) => {
      let last = problem('no value is allowed here');
      let fitting = 0;
      for (const node of nodes) {
        const found = applyInPlace(node, value, budget, scope, evaluated);
        if (found !== undefined) {
          last = found;
          continue;
        }
        // the others matter only for the members and elements that they evaluate
        if (evaluated === undefined) return undefined;
        fitting += 1;
      }
      if (fitting > 0) return undefined;
      return nodes.length === 1 ? last : problem(`matches none of the ${nodes.length} allowed schemas`);
    })
  );
}

function oneOf(schema: Members, context: CompileContext): Check | undefined {
  const nodes = branchesOf(schema, 'oneOf', context);
  return (
    nodes &&
    ((value, budget, scope, evaluated) => {
      let last = problem('no value is allowed here');
      let fitting = 0;
      for (const node of nodes) {
        const found = applyInPlace(node, value, budget, scope, evaluated);
        if (found === undefined) fitting += 1;
        else last = found;
      }
      if (fitting === 1) return undefined;
      if (fitting > 1) return problem(`matches ${fitting} schemas; one is allowed`);
      return nodes.length === 1 ? last : problem(`matches none of the ${nodes.length} allowed schemas`);
    })
  );
}

function negation({ not: inner }: Members, context: CompileContext): Check | undefined {
  if (inner === undefined) return undefined;
  const node = context.node(inner, 'not');
  return (value, budget, scope) =>
    apply(node, value, budget, scope, fresh(context)) === undefined
      ? problem('matches a schema that is not allowed')
      : undefined;
}

function condition(schema: Members, context: CompileContext): Check | undefined {
  if (schema.if === undefined) return undefined;
  const test = context.node(schema.if, 'if');
  const branches = { yes: schema.then, no: schema.else };
  const yes = branches.yes === undefined ? undefined : context.node(branches.yes, 'then');
  const no = branches.no === undefined ? undefined : context.node(branches.no, 'else');
  return (value, budget, scope, evaluated) => {
    const branch = applyInPlace(test, value, budget, scope, evaluated) === undefined ? yes : no;
    return branch && applyInPlace(branch, value, budget, scope, evaluated);
  };
}

function reference({ $ref }: Members, context: CompileContext): Check | undefined {
  return $ref === undefined ? undefined : inPlace(context.reference($ref));
}

function dynamicReference(schema: Members, context: CompileContext): Check | undefined {
  const { dynamic } = context.resource.dialect;
  const target = dynamic === undefined ? undefined : schema[dynamic];
  if (target === undefined) return undefined;
  const find = context.dynamicReference(target);
  return (value, budget, scope, evaluated) => applyInPlace(find(scope), value, budget, scope, evaluated);
}

// --- unevaluated members and elements ----------------------------------------------------------------------

function unevaluatedItems({ unevaluatedItems: inner }: Members, context: CompileContext): Check | undefined {
  if (inner === undefined || !context.resource.dialect.unevaluated) return undefined;
  const node = context.node(inner, 'unevaluatedItems');
  return (value, budget, scope, evaluated) => {
    if (!Array.isArray(value)) return undefined;
    for (const [index, item] of value.entries()) {
      // given, because the schema has an unevaluated keyword
      if (evaluated!.hasIndex(index)) continue;
      const found = apply(node, item, budget, scope, fresh(context));
      if (found !== undefined) return below(index, found);
    }
    evaluated!.indicesBelow(value.length);
    return undefined;
  };
}

function unevaluatedProperties(
  { unevaluatedProperties: inner }: Members,
  context: CompileContext,
): Check | undefined {
  if (inner === undefined || !context.resource.dialect.unevaluated) return undefined;
  const node = context.node(inner, 'unevaluatedProperties');
  return (value, budget, scope, evaluated) => {
    if (!isObject(value)) return undefined;
    for (const name of Object.keys(value)) {
      // given, because the schema has an unevaluated keyword
      if (evaluated!.hasName(name)) continue;
      const found = apply(node, value[name], budget, scope, fresh(context));
      if (found !== undefined) return below(name, found);
    }
    evaluated!.allNames();
    return undefined;
  };
}

const all: readonly Keyword[] = [
  reference,
  dynamicReference,
  type,
  enumeration,
  constant,
  multipleOf,
  bound('maximum', (value, limit) => value <= limit, 'at most'),
  bound('exclusiveMaximum', (value, limit) => value < limit, 'less than'),
  bound('minimum', (value, limit) => value >= limit, 'at least'),
  bound('exclusiveMinimum', (value, limit) => value > limit, 'more than'),
  count('maxLength', characters, (size, limit) => size <= limit, 'at most # characters'),
  count('minLength', characters, (size, limit) => size >= limit, 'at least # characters'),
  pattern,
  count('maxItems', elements, (size, limit) => size <= limit, 'at most # elements'),
  count('minItems', elements, (size, limit) => size >= limit, 'at least # elements'),
  uniqueItems,
  count('maxProperties', members, (size, limit) => size <= limit, 'at most # members'),
  count('minProperties', members, (size, limit) => size >= limit, 'at least # members'),
  required,
  dependentRequired,
  items,
  contains,
  properties,
  propertyNames,
  dependentSchemas,
  dependencies,
  allOf,
  anyOf,
  oneOf,
  negation,
  condition,
  unevaluatedItems,
  unevaluatedProperties,
];

// --- members of schemas ------------------------------------------------------------------------------------

/** Returns a record for schemas about another value, or undefined if nothing needs to be recorded. */
function fresh({ document }: CompileContext): Evaluated | undefined {
  return document.evaluates ? new Evaluated() : undefined;
}

function listOf(name: string, value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new SchemaError(`${name} must be a list`);
  return value;
}

function objectOf(name: string, value: unknown): Members {
  if (!isObject(value)) throw new SchemaError(`${name} must be an object`);
  return value;
}

function namesOf(name: string, value: unknown): string[] {
  const names = listOf(name, value);
  if (!names.every((item) => typeof item === 'string'))
    throw new SchemaError(`${name} must be a list of names`);
  return names;
}

function countOf(schema: Members, name: string): number | undefined {
  const value = schema[name];
  if (value === undefined) return undefined;
  if (!Number.isInteger(value) || Number(value) < 0)
    throw new SchemaError(`${name} must be an integer of at least 0`);
  return Number(value);
}

function nodesOf(schema: Members, name: string, context: CompileContext): Map<string, SchemaNode> {
  const value = schema[name];
  if (value === undefined) return new Map();
  const entries = Object.entries(objectOf(name, value));
  return new Map(entries.map(([key, inner]) => [key, context.node(inner, name)]));
}

function branchesOf(schema: Members, name: string, context: CompileContext): SchemaNode[] | undefined {
  const value = schema[name];
  if (value === undefined) return undefined;
  const nodes = listOf(name, value).map((inner) => context.node(inner, name));
  if (nodes.length === 0) throw new SchemaError(`${name} must list at least one schema`);
  return nodes;
}
