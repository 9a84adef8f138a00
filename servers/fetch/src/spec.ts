import { DENY_OPTIONS, type Extras, type OptionRow, type ServerSpec } from '@rootbound/kit/cli';
import manifest from '../package.json' with { type: 'json' };
import { parseDomains } from './guard/domains.ts';
import { readPorts } from './guard/ports.ts';
import { parsePrivateHosts } from './guard/private-hosts.ts';

/** The version of the package. */
export const { version } = manifest;

/** The tools by set, in the order of the tool list; a test compares it with the catalog. */
export const toolsets = {
  read: ['fetch', 'fetch_many', 'get_outline', 'find_in_page', 'list_links', 'get_metadata', 'compare_page'],
  browser: ['screenshot'],
  download: ['download'],
  request: ['request'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Returns whether a parser of lists accepts an item. */
const taken =
  (read: (items: readonly string[]) => unknown) =>
  (item: string): boolean => {
    try {
      read([item]);
      return true;
    } catch {
      return false;
    }
  };
const isDomain = taken((items) => parseDomains(items, ''));
const isHost = taken((items) => parsePrivateHosts(items, ''));

const options = [
  {
    name: 'allow-domain',
    kind: 'list',
    value: '<domain>',
    example: 'example.org or =example.org',
    fits: isDomain,
    help: 'fetch only from these domains and their subdomains; =example.org is that host only',
  },
  {
    name: 'deny-domain',
    kind: 'list',
    value: '<domain>',
    example: 'example.org or =example.org',
    fits: isDomain,
    help: 'never fetch from these domains and their subdomains',
  },
  {
    name: 'allow-private',
    kind: 'list',
    value: '<host[:port]>',
    example: 'localhost:3000 or 10.0.0.5',
    fits: isHost,
    help: 'hosts that may be fetched although their addresses are private, for local development',
  },
  {
    name: 'allow-port',
    kind: 'list',
    value: '<port>',
    example: '8443',
    fits: taken((items) => readPorts(items.map(Number), '')),
    help: 'ports besides 80 and 443',
  },
  {
    name: 'confirm-hosts',
    kind: 'flag',
    help: 'the user confirms each host before its first request; redirects to other sites are reported, not followed',
  },
  {
    name: 'seen-urls-only',
    kind: 'flag',
    help: 'fetch only URLs that the user picked or that a fetched page contains, and start pages of allowed domains',
  },
  {
    name: 'user-agent',
    kind: 'text',
    value: '<text>',
    help: 'the User-Agent of every request, instead of the default',
  },
  {
    name: 'ignore-robots-txt',
    kind: 'flag',
    help: 'ignore robots.txt',
  },
  {
    name: 'proxy-url',
    kind: 'text',
    value: '<url>',
    example: 'http://proxy.example:3128',
    help: 'the proxy for every request; default HTTP_PROXY, HTTPS_PROXY and NO_PROXY',
  },
  {
    name: 'secrets',
    kind: 'path',
    value: '<file>',
    help: 'a JSON file of header fields by origin, sent only to that origin',
  },
  {
    name: 'insecure-tls',
    kind: 'list',
    value: '<host[:port]>',
    example: 'localhost:8443',
    fits: isHost,
    help: 'hosts whose certificates are not verified',
  },
  {
    name: 'browser',
    kind: 'path',
    value: '<file>',
    help: 'a Chromium that renders pages and takes screenshots; without it neither is offered',
  },
  {
    name: 'browser-unsandboxed',
    kind: 'flag',
    help: 'run the browser without its own sandbox, as always for root',
  },
  {
    name: 'cache-dir',
    kind: 'path',
    value: '<folder>',
    help: 'keep fetched pages there between starts; default in memory',
  },
  {
    name: 'fetch-timeout',
    kind: 'number',
    value: '<seconds>',
    example: '30',
    min: 1,
    max: 600,
    help: 'how long one page may take unless a call says otherwise; default 30',
  },
  {
    name: 'max-download',
    kind: 'size',
    value: '<bytes>',
    example: '100M or 4G',
    min: 1,
    help: 'the largest file that download saves; default 1G',
  },
  {
    name: 'watch-interval',
    kind: 'number',
    value: '<seconds>',
    example: '60',
    min: 1,
    max: 86_400,
    help: 'shortest interval between requests for a subscribed page; default 60',
  },
  {
    name: 'redirects',
    kind: 'choice',
    value: '<policy>',
    choices: ['follow', 'same-site', 'report'],
    help: 'handling of redirects to other sites; default follow',
  },
  ...DENY_OPTIONS,
] as const satisfies readonly OptionRow[];

/** The values of this server's own options. */
export type FetchExtras = Extras<typeof options>;

const outside = ['user-agent', 'proxy-url', 'secrets', 'cache-dir', 'browser'] as const;

/** Returns whether an option or variable needs the validation of configuration.ts, which a start without them skips. */
export function needsLook(extra: FetchExtras, environment: NodeJS.ProcessEnv): boolean {
  return (
    outside.some((name) => extra[name] !== undefined) ||
    Object.keys(environment).some((name) => /^(?:https?|all)_proxy$/i.test(name))
  );
}

const tools = Object.values(toolsets).flat();
const unasked: readonly string[] = toolsets.request;

export const spec = {
  name: 'fetch',
  package: '@rootbound/server-fetch',
  version,
  summary: 'Serves web pages as text over the Model Context Protocol; downloads go below the given roots.',
  tools,
  toolsets,
  // tools that write to other servers are offered only with --tools
  defaultTools: tools.filter((name) => !unasked.includes(name)),
  options,
  rootless: true,
  checks: async (given) => (await import('./machine.ts')).checkMachine(given),
} as const satisfies ServerSpec<typeof options>;
