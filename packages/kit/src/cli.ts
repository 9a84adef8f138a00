export { type ClientConfigRequest, renderClientConfig } from './cli/client-config.ts';
export { DENY_OPTIONS, type Denied, type DenyExtras, deniedBy } from './cli/denials.ts';
export { type HttpClientName, type HttpConfigRequest, renderHttpConfig } from './cli/http-config.ts';
export type { CommandIo } from './cli/io.ts';
export { createLogger, type LogFields, type Logger, type LoggerOptions } from './cli/log.ts';
export { nearest } from './cli/nearest.ts';
export {
  type AuthChoice,
  type Check,
  CLIENTS,
  type ClientName,
  type Extras,
  type HttpChoice,
  LOG_LEVELS,
  type LogLevel,
  type OptionKind,
  type OptionRow,
  type ServeOptions,
  type ServerSpec,
} from './cli/options.ts';
export { type CommandLine, parseCommandLine } from './cli/parse.ts';
export { parseRoot, type RootSpec } from './cli/roots.ts';
export { runCommandLine } from './cli/run.ts';
export type { ConfigSnippet } from './cli/snippets.ts';
