import * as z from 'zod';
import { type Revision, type RevisionFeatures, revisions } from '../revisions.ts';

/** The features of one revision: its row of the table, and features derived from it. */
export interface Facts extends RevisionFeatures {
  revision: Revision;
  stateless: boolean;
  /** tasks and elicitation ids exist in 2025-11-25 only */
  tasks: boolean;
}

/** Builds the schema of one revision. */
export type PerRevision<T> = (has: Facts) => z.ZodType<T>;

/** The schemas of an interface's members; only an optional member may be absent. */
export type Shape<T> = {
  [K in keyof T]-?: z.ZodType<Record<never, never> extends Pick<T, K> ? T[K] | undefined : T[K]>;
};

const known = new Map<Revision, Facts>();

/** Returns the features of a revision: always the same object, so that it can be a key. */
export function factsOf(revision: Revision): Facts {
  let facts = known.get(revision);
  if (facts === undefined) {
    const features = revisions[revision];
    const stateless = features.era === 'stateless';
    facts = Object.freeze({ ...features, revision, stateless, tasks: features.icons && !stateless });
    known.set(revision, facts);
  }
  return facts;
}

/** Caches the result of `build` for each revision. */
export function perRevision<T>(build: PerRevision<T>): PerRevision<T> {
  const built = new Map<Facts, z.ZodType<T>>();
  return (has) => {
    let schema = built.get(has);
    if (schema === undefined) {
      schema = build(has);
      built.set(has, schema);
    }
    return schema;
  };
}

/** Returns the schema of an object with these members; other members are accepted unchanged. */
export function object<T>(shape: Shape<T>): z.ZodType<T> {
  // Shape has one schema for each member of T, with its type
  return z.looseObject(shape as unknown as z.ZodRawShape) as unknown as z.ZodType<T>;
}

/**
 * Returns the schema of a member that may be absent. If the revision does not have the member, any value is
 * accepted: a valid one is used, another one becomes undefined.
 */
export function optional<T>(schema: z.ZodType<T>, inRevision = true): z.ZodType<T | undefined> {
  const maybe = schema.optional();
  return inRevision ? maybe : maybe.catch(undefined);
}

/** Returns the schema of a member that this revision requires and other revisions do not have. */
export function requiredIn<T>(inRevision: boolean, schema: z.ZodType<T>): z.ZodType<T | undefined> {
  return inRevision ? schema : optional(schema, false);
}

/** Returns a schema that `pick` selects by the value, so that an error names one form and not all of them. */
export function choose<T>(pick: (value: unknown) => z.ZodType<T> | string): z.ZodType<T> {
  return z.unknown().transform((value, context) => {
    const schema = pick(value);
    if (typeof schema === 'string') {
      context.addIssue({ code: 'custom', message: schema });
      return z.NEVER;
    }
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    for (const { code: _, ...issue } of parsed.error.issues) context.addIssue({ ...issue, code: 'custom' });
    return z.NEVER;
  });
}

/** Returns the schema of the form that `member` names. */
export function byMember<T>(member: string, forms: Record<string, z.ZodType<T>>): z.ZodType<T> {
  const refusal = `${member} must be one of ${Object.keys(forms).join(', ')}`;
  return choose((value) => {
    const name = memberOf(value, member);
    return typeof name === 'string' && Object.hasOwn(forms, name) ? forms[name]! : refusal;
  });
}

/** Returns a member of any value. */
export function memberOf(value: unknown, member: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, member)) return undefined;
  return (value as Record<string, unknown>)[member]; // it is an own member
}

/** Returns the schema of an object that is passed on, not copied. */
export function openObject<T extends object = Record<string, unknown>>(): z.ZodType<T> {
  return z.custom<T>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
    error: 'expected an object',
  });
}

/** Returns the schema of an object whose members all have the same schema. */
export function mapOf<T>(schema: z.ZodType<T>): z.ZodType<Record<string, T>> {
  return z.record(z.string(), schema);
}
