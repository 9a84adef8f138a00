import { renderClientConfig } from './client-config.ts';
import { absolutePath, type CommandIo } from './io.ts';
import { launchCommand } from './launch.ts';
import type { ClientName, ServeOptions, ServerSpec } from './options.ts';
import type { GivenOption } from './parse.ts';
import { formatRoot, parseRoot } from './roots.ts';

/** Prints what to paste on stdout, and on stderr where it goes. */
export function printConfig(
  spec: Pick<ServerSpec, 'name' | 'package'>,
  client: ClientName,
  options: Pick<ServeOptions, 'roots' | 'http'>,
  given: readonly GivenOption[],
  io: CommandIo,
): void {
  if (options.http !== undefined) {
    io.stderr(
      `server-${spec.name}: --print-config is for clients that start the server; leave out --http, or give the client the address that the server tells\n`,
    );
    io.exitCode(2);
    return;
  }
  const launch = launchCommand({ entry: io.entry, package: spec.package, platform: io.platform });
  const args = [...launch.args, ...serverArguments(options, given, io)];
  const snippets = renderClientConfig({
    client,
    server: spec.name,
    command: launch.command,
    args,
    platform: io.platform,
  });
  for (const [index, snippet] of snippets.entries()) {
    io.stderr(`${index === 0 ? '' : '\nor '}${snippet.place}:\n`);
    io.stdout(snippet.text);
  }
}

/** The same options with paths that hold from any folder, for a client that starts the server from its own. */
function serverArguments(
  options: Pick<ServeOptions, 'roots'>,
  given: readonly GivenOption[],
  io: CommandIo,
): string[] {
  const kept: string[] = [];
  const named = new Set<string>();
  for (const { row, value } of given) {
    if (row.name === 'print-config' || row.name === 'doctor') continue;
    if (value === undefined) kept.push(`--${row.name}`);
    else if (row.kind === 'root') {
      const root = parseRoot(value)!; // it was read before
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
