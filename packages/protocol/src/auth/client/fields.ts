import { AuthorizationError, type AuthorizationFailure } from './error.ts';

/** Reads the members of an untrusted JSON document; a member of a wrong type is an error. */
export interface Fields {
  text(name: string): string | undefined;
  requiredText(name: string): string;
  texts(name: string): readonly string[] | undefined;
  flag(name: string): boolean;
  seconds(name: string): number | undefined;
}

/** Returns readers of a parsed document; errors call it `what`. */
export function readFields(value: unknown, what: string, reason: AuthorizationFailure): Fields {
  const wrong = (problem: string): AuthorizationError => new AuthorizationError(reason, `${what} ${problem}`);
  const document = asObject(value);
  if (document === undefined) throw wrong('is not a JSON object');
  // some servers write null for absent members
  const member = (name: string): unknown =>
    (Object.hasOwn(document, name) ? document[name] : undefined) ?? undefined;

  const text = (name: string): string | undefined => {
    const found = member(name);
    if (found === undefined || typeof found === 'string') return found === '' ? undefined : found;
    throw wrong(`has a ${name} that is not a string`);
  };
  const requiredText = (name: string): string => {
    const found = text(name);
    if (found === undefined) throw wrong(`has no ${name}`);
    return found;
  };
  const texts = (name: string): readonly string[] | undefined => {
    const found = member(name);
    if (found === undefined) return undefined;
    if (isTexts(found)) return found;
    throw wrong(`has a ${name} that is not a list of strings`);
  };
  const flag = (name: string): boolean => {
    const found = member(name) ?? false;
    if (typeof found === 'boolean') return found;
    throw wrong(`has a ${name} that is not a boolean`);
  };
  const seconds = (name: string): number | undefined => {
    const found = member(name);
    if (found === undefined) return undefined;
    // some servers write the number as a string
    const number = typeof found === 'string' && /^\d{1,12}$/.test(found) ? Number(found) : found;
    if (typeof number === 'number' && Number.isFinite(number) && number >= 0) return number;
    throw wrong(`has a ${name} that is not a number of seconds`);
  };
  return { text, requiredText, texts, flag, seconds };
}

/** Returns a parsed value as an object, or undefined if it is none. */
export function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  // a JSON object is a record of its members
  return value as Record<string, unknown>;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}
