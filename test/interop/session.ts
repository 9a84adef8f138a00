import type { Revision } from '../schema/official.ts';
import type { ServerProcess } from './server-process.ts';
import type { Servers } from './servers.ts';

export interface Root {
  uri: string;
  name?: string;
}

export interface ToolListing {
  name: string;
  title?: string | undefined;
  inputSchema: { type: string };
  outputSchema?: unknown;
  annotations?: { title?: string | undefined } | undefined;
}

export interface ToolResult {
  content: { type: string; text?: string | undefined }[];
  structuredContent?: unknown;
  isError?: boolean | undefined;
}

export interface Contents {
  uri: string;
  mimeType?: string | undefined;
  text?: string | undefined;
}

export interface CallOptions {
  signal?: AbortSignal;
  onprogress?: (progress: { progress: number; total?: number | undefined }) => void;
}

/** The common interface of the connected clients of the matrix. */
export interface Session {
  readonly server: ServerProcess;
  serverName(): string | undefined;
  listTools(): Promise<{ tools: ToolListing[] }>;
  callTool(name: string, args: Record<string, unknown>, options?: CallOptions): Promise<ToolResult>;
  listResources(): Promise<{ resources: { uri: string; mimeType?: string | undefined }[] }>;
  listTemplates(): Promise<{ resourceTemplates: { uriTemplate: string }[] }>;
  readResource(uri: string): Promise<{ contents: Contents[] }>;
  listPrompts(): Promise<{ prompts: { name: string }[] }>;
  getPrompt(
    name: string,
    args: Record<string, string>,
  ): Promise<{ messages: { role: string; content: { type: string; text?: string | undefined } }[] }>;
  completePrompt(name: string, argument: string, value: string): Promise<string[]>;
  completeTemplate(uriTemplate: string, argument: string, value: string): Promise<string[]>;
  /** subscribes with the method of the era; resolves when the server watches */
  watch(uri: string): Promise<{ stop(): Promise<void> }>;
  onUpdated(handler: (uri: string) => void): void;
  onResourceListChanged(handler: () => void): void;
  sendRootsListChanged(): Promise<void>;
  setLevel(level: 'debug'): Promise<unknown>;
  close(): Promise<void>;
}

export interface Connect {
  servers: Servers;
  /** the server's file; default: the filesystem server's */
  program?: string;
  /** the command line after it */
  args: readonly string[];
  /** the client's roots; without it the client does not declare roots */
  roots?: () => Root[];
}

/** One third-party client library in one mode. */
export interface ClientKind {
  name: string;
  revision: Revision;
  connect(options: Connect): Promise<Session>;
}
