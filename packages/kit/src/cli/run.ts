import { visible } from '@rootbound/protocol';
import { absolutePath, type CommandIo, processIo } from './io.ts';
import { type Extras, type OptionRow, programOf, type ServeOptions, type ServerSpec } from './options.ts';
import { type CommandLine, parseCommandLine } from './parse.ts';
import type { RootSpec } from './roots.ts';

/**
 * Serves the request of a command line: `--help`, `--version`, `--print-config` and `--doctor` on stdout, a problem as
 * one line on stderr with exit code 2, and otherwise calls `serve` with the finished options. @example await
 * runCommandLine(spec, process.argv.slice(2), (options) => serveStdio(createFilesystem(options)));
 */
export function runCommandLine<const Rows extends readonly OptionRow[]>(
  spec: ServerSpec<Rows>,
  argv: readonly string[],
  serve: (options: ServeOptions<Rows>) => void | Promise<void>,
  io: CommandIo = processIo,
): void | Promise<void> {
  const command = parseCommandLine(spec, argv);
  // called at once, not after an await: the first answer waits for nothing that it does not need
  if (command.kind === 'serve') return serve(placed(spec, command.options, io));
  return answer(spec, command, io);
}

async function answer<const Rows extends readonly OptionRow[]>(
  spec: ServerSpec<Rows>,
  command: Exclude<CommandLine<Rows>, { kind: 'serve' }>,
  io: CommandIo,
): Promise<void> {
  switch (command.kind) {
    case 'problem':
      io.stderr(`${programOf(spec)}: ${visible(command.message)}\n`);
      io.exitCode(2);
      return;
    case 'version':
      io.stdout(`${spec.version}\n`);
      return;
    case 'help': {
      const { renderHelp } = await import('./help.ts');
      io.stdout(renderHelp(spec));
      return;
    }
    case 'print-config': {
      const { printConfig } = await import('./print-config.ts');
      printConfig(spec, command.client, placed(spec, command.options, io), command.given, io);
      return;
    }
    case 'doctor': {
      const { examine, renderChecks, renderChecksJson } = await import('./doctor.ts');
      const checks = await examine(spec, placed(spec, command.options, io));
      io.stdout(command.json ? renderChecksJson(spec, checks) : renderChecks(checks));
      if (checks.some((check) => check.state === 'fail')) io.exitCode(1);
      return;
    }
  }
}

/** Returns the options with absolute paths. */
function placed<Rows extends readonly OptionRow[]>(
  spec: ServerSpec<Rows>,
  options: ServeOptions<Rows>,
  io: CommandIo,
): ServeOptions<Rows> {
  const roots = options.roots.map((root): RootSpec => ({ ...root, path: absolutePath(root.path, io) }));
  const extra: Record<string, unknown> = { ...options.extra };
  for (const { name, kind } of spec.options ?? []) {
    const value = extra[name];
    if (kind === 'path' && typeof value === 'string') extra[name] = absolutePath(value, io);
    // these rows have lists of paths
    if (kind === 'root' || kind === 'paths')
      extra[name] = (value as readonly string[]).map((path) => absolutePath(path, io));
  }
  // the same names with values of the same types
  return Object.freeze({
    ...options,
    roots: Object.freeze(roots),
    extra: Object.freeze(extra) as Extras<Rows>,
  });
}
