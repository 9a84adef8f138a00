import { ToolError } from '@rootbound/protocol';
import { FileStore } from './cache/file-store.ts';
import { findPathProblem } from './rendering/check-browser.ts';
import { fieldValue } from './web/header-fields.ts';
import { type Proxies, readProxies } from './web/proxies.ts';
import { isExposed, loadSecrets, type Secrets } from './web/secrets.ts';

/** The options whose values are validated by reading files or parsing URLs. */
export interface Named {
  readonly 'user-agent'?: string | undefined;
  readonly 'proxy-url'?: string | undefined;
  readonly secrets?: string | undefined;
  readonly 'cache-dir'?: string | undefined;
  readonly browser?: string | undefined;
}

/** The command line's and the environment's settings. */
export interface Given {
  readonly extra: Named;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** An invalid setting: the flag or variable and the problem, and how to fix it. */
export class Fault extends Error {
  readonly fix: string;

  constructor(message: string, fix: string) {
    super(message);
    this.fix = fix;
  }
}

/** Returns the first invalid setting as one line; undefined if the server can start. */
export async function findFault(given: Given): Promise<string | undefined> {
  try {
    readUserAgent(given);
    readProxySettings(given);
    await readSecrets(given);
    openCache(given);
    await findBrowser(given);
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return `${error.message}; ${error.fix}`;
    throw error;
  }
}

export function readUserAgent({ extra }: Given): string | undefined {
  const text = extra['user-agent'];
  if (text !== undefined && (!fieldValue.test(text) || text.trim() !== text))
    throw new Fault(
      '--user-agent has characters that HTTP does not allow there',
      'use ASCII letters, digits and punctuation',
    );
  return text;
}

/** Returns the proxies of the command line or the environment. */
export function readProxySettings({ extra, environment }: Given): Proxies {
  try {
    return readProxies({ proxyUrl: extra['proxy-url'], environment });
  } catch (error) {
    if (error instanceof TypeError) throw faultOf(error.message, 'correct it or leave it out');
    throw error;
  }
}

export interface KnownSecrets {
  readonly secrets: Secrets;
  /** whether other users of the machine may read the file */
  readonly exposed: boolean;
}

/** Reads the file of secrets, if one is named. */
export async function readSecrets({ extra, environment }: Given): Promise<KnownSecrets | undefined> {
  const file = extra.secrets;
  if (file === undefined) return undefined;
  try {
    return { secrets: await loadSecrets(file, environment), exposed: await isExposed(file) };
  } catch (error) {
    if (error instanceof TypeError) throw faultOf(`--secrets: ${error.message}`, 'correct it there');
    const code = (error as NodeJS.ErrnoException).code ?? 'no reason was given'; // set by the file system
    if (code === 'ENOENT')
      throw new Fault('--secrets names a file that does not exist', 'create it or correct the path');
    throw new Fault(`the file of --secrets cannot be read (${code})`, 'name a file that this user may read');
  }
}

/** Opens the folder of the cache, if one is named. */
export function openCache({ extra }: Given): FileStore | undefined {
  const folder = extra['cache-dir'];
  if (folder === undefined) return undefined;
  try {
    return new FileStore({ folder });
  } catch (error) {
    if (error instanceof TypeError || error instanceof ToolError)
      throw faultOf(`--cache-dir: ${error.message}`, 'name a folder that this user may write to');
    throw error;
  }
}

/** Returns the path of the browser, if one is named, without starting it. */
export async function findBrowser({ extra }: Given): Promise<string | undefined> {
  const path = extra.browser;
  const wrong = path === undefined ? undefined : await findPathProblem(path);
  if (wrong !== undefined) throw new Fault(`--browser: ${wrong.problem}`, wrong.fix);
  return path;
}

/** Returns the fault of a sentence, whose fix may follow a semicolon. */
function faultOf(sentence: string, otherwise: string): Fault {
  const [what = '', ...fix] = sentence.split('; ');
  return new Fault(what, fix.join('; ') || otherwise);
}
