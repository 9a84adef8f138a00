import { join } from 'node:path';
import { Boundary } from '@rootbound/kit/boundary';
import type { Check, ServeOptions } from '@rootbound/kit/cli';
import {
  Fault,
  type Given,
  openCache,
  readProxySettings,
  readSecrets,
  readUserAgent,
} from './configuration.ts';
import { ReaderPool } from './reading/reader-pool.ts';
import type { ProxyServer } from './web/proxies.ts';

type Options = Pick<ServeOptions, 'roots' | 'readOnly' | 'tools' | 'clientRoots'> & {
  readonly extra: Given['extra'];
};

/**
 * Returns the lines of `--doctor` that are specific to this server: its options, the environment, and the folder of
 * downloads. Sends no requests.
 */
export async function checkMachine(options: Options): Promise<readonly Check[]> {
  const given = { extra: options.extra, environment: process.env };
  const checks = [
    () => checkUserAgent(given),
    () => checkProxies(given),
    () => checkSecrets(given),
    () => checkCache(given),
    () => checkReader(),
    () => checkBrowserOf(given),
    () => checkDownloads(options),
  ];
  return (await Promise.all(checks.map(judged))).flat();
}

/** Returns the checks, or one failed check for an invalid setting. */
async function judged(check: () => readonly Check[] | Promise<readonly Check[]>): Promise<readonly Check[]> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof Fault) return [{ state: 'fail', what: error.message, fix: error.fix }];
    throw error;
  }
}

function checkUserAgent(given: Given): Check[] {
  const text = readUserAgent(given);
  return text === undefined ? [] : [{ state: 'ok', what: `user agent ${text}` }];
}

function checkProxies(given: Given): Check[] {
  const { http, https, except } = readProxySettings(given);
  if (http === undefined && https === undefined)
    return [{ state: 'ok', what: 'no proxy: pages are requested directly' }];
  const routes = (['http', 'https'] as const).map((scheme) => `${scheme} ${wayOf({ http, https }[scheme])}`);
  const without = except.map(({ host, port }) => (port === undefined ? host : `${host}:${port}`)).join(', ');
  return [
    {
      state: 'ok',
      what: `proxies: ${routes.join(', ')}${without === '' ? '' : `; without one: ${without}`}`,
    },
    {
      state: 'warn',
      what: 'a proxy resolves names itself, so it may reach addresses that this server refuses',
      fix: 'configure it to refuse private addresses',
    },
  ];
}

/** Returns the origin of a proxy, without user name and password. */
function wayOf(proxy: ProxyServer | undefined): string {
  return proxy === undefined ? 'directly' : `by ${proxy.url.origin}`;
}

async function checkSecrets(given: Given): Promise<Check[]> {
  const known = await readSecrets(given);
  if (known === undefined) return [];
  const origins = [...known.secrets.keys()].join(', ');
  const what = origins === '' ? 'the file of secrets has no entries' : `secrets for ${origins}`;
  if (!known.exposed) return [{ state: 'ok', what }];
  const fix = 'restrict its permissions (chmod 600)';
  return [{ state: 'warn', what: `${what}; other users may read or change the file`, fix }];
}

function checkCache(given: Given): Check[] {
  const kept =
    openCache(given) === undefined ? 'in memory' : `in ${given.extra['cache-dir']}, which is writable`;
  return [{ state: 'ok', what: `fetched pages are cached ${kept}` }];
}

/** Milliseconds that the parser thread may take to start. */
const START_MS = 10_000;

/** Parses a page in the parser thread. */
async function checkReader(): Promise<Check[]> {
  const readers = new ReaderPool({ file: join(import.meta.dirname, 'reader.js'), size: 1 });
  const bytes = Buffer.from('<p>a page');
  const request = { bytes, contentType: 'text/html', url: 'https://page.example/', want: 'page' } as const;
  const late = new AbortController();
  // an unref'd worker does not keep the process alive, so the timer does
  const clock = setTimeout(() => late.abort(new Error('it does not start in time')), START_MS);
  try {
    await readers.read(request, late.signal);
    return [{ state: 'ok', what: 'pages are parsed in a worker thread' }];
  } catch (error) {
    const { cause = error } = error as Error; // everything thrown there is an Error
    const [line] = (cause instanceof Error ? cause.message : String(cause)).split('\n');
    return [
      {
        state: 'fail',
        what: `the worker thread that parses pages fails: ${line}`,
        fix: 'install it again',
      },
    ];
  } finally {
    clearTimeout(clock);
    await readers.close();
  }
}

/** Runs the browser's program for its version; no page is loaded. */
async function checkBrowserOf({ extra }: Given): Promise<Check[]> {
  const path = extra.browser;
  if (path === undefined)
    return [{ state: 'ok', what: 'no browser: pages are read without running their scripts' }];
  const { checkBrowser } = await import('./rendering/check-browser.ts');
  const found = await checkBrowser(path);
  if ('problem' in found) return [{ state: 'fail', what: found.problem, fix: found.fix }];
  return [{ state: 'ok', what: `browser ${found.version} at ${path}` }];
}

function checkDownloads({ roots, readOnly, tools, clientRoots }: Options): Check[] {
  if (readOnly || !tools.includes('download')) return [{ state: 'ok', what: 'downloads are not offered' }];
  const { containment } = new Boundary({ roots: [], policy: 'ignore' });
  const fix = 'name a writable folder on the command line';
  const writable = roots.find((root) => !root.readOnly);
  if (writable !== undefined)
    return [{ state: 'ok', what: `downloads go below ${writable.path}, containment ${containment}` }];
  if (roots.length > 0)
    return [{ state: 'warn', what: 'every root is read-only, so nothing can be downloaded', fix }];
  if (clientRoots === 'ignore')
    return [{ state: 'warn', what: 'there is no root, so nothing can be downloaded', fix }];
  return [{ state: 'ok', what: `downloads go below the roots of the client, containment ${containment}` }];
}
