import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { modules } from './installation.ts';
import type { Wire } from './model.ts';
import type { ServerName } from './project.ts';
import { anthropic } from './wires/anthropic.ts';
import { gemini } from './wires/gemini.ts';
import { openai } from './wires/openai.ts';

/** The setup of an agent. */
export interface Setting {
  readonly project: string;
  readonly home: string;
  /** the address of the model */
  readonly model: string;
  /** the printed configuration of each server for this client */
  readonly printed: Readonly<Record<ServerName, string>>;
}

/** A third-party agent and its setup. */
export interface Agent {
  readonly title: string;
  /** of npm */
  readonly package: string;
  /** its name for `--print-config` */
  readonly client: string;
  readonly wire: Wire;
  /** the half of a result that its model receives */
  readonly shows: 'text' | 'structured';
  /** Writes the printed configuration and the model's address to the agent's settings. */
  configure(setting: Setting): void;
  /** The command that is run in the project. */
  command(setting: Setting): readonly string[];
  env(setting: Setting): Readonly<Record<string, string>>;
}

const PROMPT = 'Call the tools.';
/** Time that agents wait for servers to start, in milliseconds. */
const PATIENCE_MS = '60000';

// two servers by each of the two printed forms
const claudeCode: Agent = {
  title: 'Claude Code',
  package: '@anthropic-ai/claude-code-linux-x64',
  client: 'claude-code',
  wire: anthropic,
  shows: 'structured',
  configure({ project, home, printed }) {
    const { filesystem, git } = printed;
    write(join(project, '.mcp.json'), merge([filesystem, git].map((text) => ofClaude(text).file)));
    write(join(home, '.claude', 'settings.json'), { enableAllProjectMcpServers: true });
  },
  command({ printed }) {
    const added = [printed.sqlite, printed.fetch].map((text) => `${ofClaude(text).command} >&2`);
    const allowed = Object.keys(printed).map((server) => `mcp__${server}`);
    const talk = `exec claude --print '${PROMPT}' --allowedTools ${allowed.join(',')}`;
    return ['sh', '-c', [...added, talk].join(' && ')];
  },
  env: ({ model }) => ({
    PATH: `${join(modules, '@anthropic-ai/claude-code-linux-x64')}${delimiter}${process.env.PATH}`,
    ANTHROPIC_BASE_URL: model,
    ANTHROPIC_API_KEY: 'placeholder',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    ENABLE_TOOL_SEARCH: 'false',
    // on a busy machine npx takes longer than the agent's default of five seconds
    MCP_CONNECTION_NONBLOCKING: 'false',
    MCP_CONNECT_TIMEOUT_MS: PATIENCE_MS,
    MCP_TIMEOUT: PATIENCE_MS,
  }),
};

const geminiCli: Agent = {
  title: 'Gemini CLI',
  package: '@google/gemini-cli',
  client: 'gemini',
  wire: gemini,
  shows: 'text',
  configure({ project, home, printed }) {
    write(join(project, '.gemini', 'settings.json'), merge(Object.values(printed)));
    write(join(home, '.gemini', 'settings.json'), {
      security: { auth: { selectedType: 'gemini-api-key' } },
      general: { enableAutoUpdate: false },
      privacy: { usageStatisticsEnabled: false },
    });
  },
  command: () => [
    process.execPath,
    join(modules, '@google/gemini-cli/bundle/gemini.js'),
    '--approval-mode=yolo',
    '--model=gemini-2.5-flash',
    `--prompt=${PROMPT}`,
  ],
  env: ({ model }) => ({
    GOOGLE_GEMINI_BASE_URL: model,
    GEMINI_API_KEY: 'placeholder',
    GEMINI_CLI_NO_RELAUNCH: 'true',
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
  }),
};

const opencode: Agent = {
  title: 'opencode',
  package: 'opencode-linux-x64-baseline',
  client: 'opencode',
  wire: openai,
  shows: 'text',
  configure({ project, home, model, printed }) {
    write(join(project, 'opencode.json'), merge(Object.values(printed)));
    write(join(home, '.config', 'opencode', 'opencode.json'), {
      autoupdate: false,
      experimental: { mcp_timeout: Number(PATIENCE_MS) },
      share: 'disabled',
      model: 'loopback/scripted',
      small_model: 'loopback/scripted',
      provider: {
        loopback: {
          npm: '@ai-sdk/openai-compatible',
          options: { baseURL: `${model}/v1`, apiKey: 'placeholder' },
          models: { scripted: { name: 'scripted' } },
        },
      },
    });
  },
  command: () => [join(modules, 'opencode-linux-x64-baseline/bin/opencode'), 'run', PROMPT],
  env: () => ({
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_PURE: '1',
  }),
};

export const agents: readonly Agent[] = [claudeCode, geminiCli, opencode];

/** The printed configuration for Claude Code: a command, or a file instead. */
function ofClaude(text: string): { command: string; file: string } {
  const end = text.indexOf('\n');
  return { command: text.slice(0, end), file: text.slice(end + 1) };
}

/** Merges JSON entries, like a user who pastes one after another. */
function merge(texts: readonly string[]): object {
  const entries: Record<string, unknown> = {};
  for (const text of texts) {
    for (const [key, value] of Object.entries(JSON.parse(text) as Record<string, unknown>))
      entries[key] = typeof value === 'object' ? { ...(entries[key] as object), ...value } : value;
  }
  return entries;
}

function write(path: string, value: object): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(value));
}
