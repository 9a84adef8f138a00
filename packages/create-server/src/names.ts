import { isBuiltin } from 'node:module';

const MOST_CHARACTERS = 214;

/**
 * Returns why npm would reject a name, one clause; undefined when it would not. @example nameProblem('My Server') //
 * 'it has capital letters'
 */
export function nameProblem(name: string): string | undefined {
  if (name === '') return 'it is empty';
  if (name.length > MOST_CHARACTERS) return `it has more than ${MOST_CHARACTERS} characters`;
  if (name !== name.trim() || /\s/.test(name)) return 'it has white space';
  if (/\p{Lu}/u.test(name)) return 'it has capital letters';
  const [, scope, bare] = /^(?:@([^/]*)\/)?(.*)$/s.exec(name) ?? [];
  if (scope === '' || bare === '') return 'a scoped name is @scope/name';
  for (const part of [scope, bare]) {
    if (part === undefined) continue;
    if (/^[._]/.test(part)) return 'it begins with a dot or an underscore';
    const other = /[^a-z0-9._-]/.exec(part)?.[0];
    if (other === '@' || other === '/') return 'a scoped name is @scope/name';
    if (other !== undefined) return `it has the character ${JSON.stringify(other)}`;
  }
  if (scope === undefined && (name === 'node_modules' || name === 'favicon.ico' || isBuiltin(name)))
    return 'the name is taken by Node or npm';
  return undefined;
}

/** Returns a similar name that npm accepts. */
export function suggestName(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+|(?<!-)-+$/g, '');
  const name = plain.slice(0, MOST_CHARACTERS);
  if (name === '') return 'my-server';
  return nameProblem(name) === undefined ? name : `${name}-server`;
}

/** Returns a name without its scope. */
export function bareName(name: string): string {
  return name.replace(/^@.*\//, '');
}
