import { renderClientConfig } from './client-config.ts';
import { renderHttpConfig } from './http-config.ts';
import { absolutePath, type CommandIo } from './io.ts';
import { launchCommand } from './launch.ts';
import {
  type ClientName,
  type HttpChoice,
  programOf,
  type ServeOptions,
  type ServerSpec,
} from './options.ts';
import type { GivenOption } from './parse.ts';
import { formatRoot, parseRoot } from './roots.ts';
import { type ConfigSnippet, shellWords } from './snippets.ts';

/** Prints the text to paste on stdout, and on stderr its destination and the program that must run for it. */
export function printConfig(
  spec: Pick<ServerSpec, 'name' | 'package' | 'program'>,
  client: ClientName,
  options: Pick<ServeOptions, 'roots' | 'http'>,
  given: readonly GivenOption[],
  io: CommandIo,
): void {
  const { command, args: first } = launchCommand({
    entry: io.entry,
    package: spec.package,
    platform: io.platform,
  });
  const args = [...first, ...serverArguments(options, given, io)];
  const shared = { server: spec.name, platform: io.platform };
  if (options.http === undefined) {
    printSnippets(renderClientConfig({ client, command, args, ...shared }), io);
    return;
  }
  const refusal = refusalOf(client, options.http);
  if (client === 'claude-desktop' || refusal !== undefined) {
    io.stderr(`${programOf(spec)}: --print-config ${refusal}\n`);
    io.exitCode(2);
    return;
  }
  const token = options.http.auth !== undefined;
  printSnippets(renderHttpConfig({ client, url: addressOf(options.http), token, ...shared }), io);
  io.stderr(`\nit reaches the server that runs as:\n  ${shellWords([command, ...args], io.platform)}\n`);
}

/** Returns why there is no entry for that address, with an alternative. */
function refusalOf(client: ClientName, http: HttpChoice): string | undefined {
  if (client === 'claude-desktop')
    return 'claude-desktop cannot name an address: leave out --http, or add an https address under Settings, Connectors';
  return http.port === 0
    ? 'wants a port that stays; --http 0 takes another one at each start, so give it a number'
    : undefined;
}

/**
 * Returns the address for clients: the audience of its tokens, where that is an address, otherwise the listening
 * address.
 */
function addressOf({ host, port, auth, allowHosts }: HttpChoice): string {
  if (auth !== undefined && /^https?:/.test(auth.audience) && URL.canParse(auth.audience)) {
    const url = new URL(auth.audience);
    if (url.pathname === '/') url.pathname = '/mcp';
    return url.href;
  }
  const everywhere = host === '0.0.0.0' || host === '::';
  const name = everywhere ? (allowHosts[0] ?? '127.0.0.1') : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}/mcp`;
}

function printSnippets(snippets: readonly ConfigSnippet[], io: CommandIo): void {
  for (const [index, snippet] of snippets.entries()) {
    io.stderr(`${index === 0 ? '' : '\nor '}${snippet.place}:\n`);
    io.stdout(snippet.text);
    if (snippet.link !== undefined) io.stderr(`\nor open this address:\n${snippet.link}\n`);
  }
}

/** Returns the same options with absolute paths, for a client that starts the server from its own folder. */
function serverArguments(
  options: Pick<ServeOptions, 'roots'>,
  given: readonly GivenOption[],
  io: CommandIo,
): string[] {
  const kept: string[] = [];
  const named = new Set<string>();
  for (const { row, value } of given) {
    if (['print-config', 'doctor', 'json'].includes(row.name)) continue;
    if (value === undefined) kept.push(`--${row.name}`);
    else if (row.kind === 'root') {
      const root = parseRoot(value)!; // it was parsed before
      const text = formatRoot({ ...root, path: absolutePath(root.path, io) });
      kept.push(`--${row.name}`, text);
      named.add(text);
    } else if (row.kind === 'path' || row.kind === 'paths')
      kept.push(`--${row.name}`, absolutePath(value, io));
    else if (value.startsWith('--')) kept.push(`--${row.name}=${value}`);
    else kept.push(`--${row.name}`, value);
  }
  return [...kept, ...options.roots.map(formatRoot).filter((root) => !named.has(root))];
}
