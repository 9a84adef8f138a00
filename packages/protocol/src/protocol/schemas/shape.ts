import * as z from 'zod';
import { type Revision, type RevisionFeatures, revisions } from '../revisions.ts';

/** What one revision has: the row of the table of revisions, and what follows from it. */
export interface Facts extends RevisionFeatures {
  revision: Revision;
  stateless: boolean;
  /** tasks and elicitation ids came with 2025-11-25 and left with the era */
  tasks: boolean;
}

/** A schema of each revision, built when it is first asked for. */
export type PerRevision<T> = (has: Facts) => z.ZodType<T>;

/** The members of an interface as schemas; only an optional member may be absent. */
export type Shape<T> = {
  [K in keyof T]-?: z.ZodType<Record<never, never> extends Pick<T, K> ? T[K] | undefined : T[K]>;
};

const known = new Map<Revision, Facts>();

/** The facts of a revision, one object for each, so that it can be a key. */
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

/** Remembers what `build` returns for each revision. */
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

/** An object with these members; others pass through untouched. */
export function object<T>(shape: Shape<T>): z.ZodType<T> {
  // holds: Shape has one schema for each member of T, with its type
  return z.looseObject(shape as unknown as z.ZodRawShape) as unknown as z.ZodType<T>;
}

/**
 * A member that may be absent. Where the revision does not have it, any value is legal: one that fits is kept,
 * another one becomes undefined.
 */
export function optional<T>(schema: z.ZodType<T>, inRevision = true): z.ZodType<T | undefined> {
  const maybe = schema.optional();
  return inRevision ? maybe : maybe.catch(undefined);
}

/** A member that this revision requires and others lack. */
export function requiredIn<T>(inRevision: boolean, schema: z.ZodType<T>): z.ZodType<T | undefined> {
  return inRevision ? schema : optional(schema, false);
}

/** The schema that `pick` names for a value, so that a failure speaks of one form and not of all. */
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

/** The form that the text in `member` names. */
export function byMember<T>(member: string, forms: Record<string, z.ZodType<T>>): z.ZodType<T> {
  const refusal = `${member} must be one of ${Object.keys(forms).join(', ')}`;
  return choose((value) => {
    const name = memberOf(value, member);
    return typeof name === 'string' && Object.hasOwn(forms, name) ? forms[name]! : refusal;
  });
}

/** A member of a value that may be anything. */
export function memberOf(value: unknown, member: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, member)) return undefined;
  return (value as Record<string, unknown>)[member]; // holds: it is an own member
}

/** An object that is passed on as it is, not copied. */
export function openObject<T extends object = Record<string, unknown>>(): z.ZodType<T> {
  return z.custom<T>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
    error: 'expected an object',
  });
}

/** An object whose members all have one form. */
export function mapOf<T>(schema: z.ZodType<T>): z.ZodType<Record<string, T>> {
  return z.record(z.string(), schema);
}
