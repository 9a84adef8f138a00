import { readFile, stat } from 'node:fs/promises';
import { fieldName, fieldValue } from './header-fields.ts';
import { parseUrl } from './urls.ts';

/** Header fields by the only origin that they are sent to. */
export type Secrets = ReadonlyMap<string, Readonly<Record<string, string>>>;
type Environment = Readonly<Record<string, string | undefined>>;

/** fields that frame a message or name its recipient */
const framing =
  /^(?:connection|content-length|expect|host|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/;

/** Reads the operator's file of header fields for origins. */
export async function loadSecrets(file: string, environment: Environment): Promise<Secrets> {
  return parseSecrets(await readFile(file, 'utf8'), environment);
}

/** Returns whether other users of this machine may access a file; false on systems without such permissions. */
export async function isExposed(file: string): Promise<boolean> {
  return process.platform !== 'win32' && ((await stat(file)).mode & 0o077) !== 0;
}

/**
 * Parses header fields for origins from JSON; `${NAME}` in a value stands for an environment variable. Messages name
 * the position, never a value.
 * @example
 * parseSecrets('{ "https://api.example.org": { "headers": { "authorization": "Bearer ${TOKEN}" } } }', process.env)
 */
export function parseSecrets(text: string, environment: Environment): Secrets {
  const secrets = new Map<string, Readonly<Record<string, string>>>();
  for (const [key, entry] of Object.entries(asObject(parseJson(text), 'it'))) {
    const origin = parseOrigin(key);
    if (secrets.has(origin)) throw wrong(`${origin} occurs twice`);
    const { headers, ...others } = asObject(entry, origin);
    const [other] = Object.keys(others);
    if (other !== undefined)
      throw wrong(`${origin} has a member ${JSON.stringify(other)}; "headers" is the only one`);
    const fields = Object.entries(asObject(headers, `"headers" of ${origin}`)).map(
      ([name, value]): [string, string] => [name.toLowerCase(), readValue(name, value, origin, environment)],
    );
    secrets.set(origin, Object.fromEntries(fields));
  }
  return secrets;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // the parser's message quotes the text around the error, which may be a secret
    const at = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    throw wrong(`it is not JSON${at === undefined ? '' : ` from character ${at} on`}`);
  }
}

function parseOrigin(key: string): string {
  const url = parseUrl(key);
  if (
    url === undefined ||
    !/^https?:$/.test(url.protocol) ||
    (key !== url.origin && key !== `${url.origin}/`)
  )
    throw wrong(
      `each name must be an origin such as "https://api.example.org", without path, user or default port`,
    );
  return url.origin;
}

function readValue(name: string, value: unknown, origin: string, environment: Environment): string {
  const place = `the header ${JSON.stringify(name)} of ${origin}`;
  if (!fieldName.test(name.toLowerCase()) || framing.test(name.toLowerCase()))
    throw wrong(`${place} cannot be set`);
  if (typeof value !== 'string') throw wrong(`${place} must be a string`);
  const full = value.replace(/\$\{(\w+)\}/g, (_, variable: string) => {
    const known = environment[variable];
    if (known === undefined)
      throw wrong(`${place} names the environment variable ${variable}, which is not set`);
    return known;
  });
  if (!fieldValue.test(full)) throw wrong(`${place} has characters that HTTP does not allow`);
  return full;
}

function asObject(value: unknown, place: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrong(`${place} must be an object`);
  return { ...value };
}

function wrong(message: string): TypeError {
  return new TypeError(`the file of secrets is invalid: ${message}`);
}
