/**
 * The neutral model: every message part of the five revisions in the specification's own words and its newest
 * shape. What one revision lacks or a newer one added is optional here; codecs project it per revision.
 */

// --- Building blocks --------------------------------------------------------------------------------------

/**
 * Any JSON value.
 * @example const value: JSONValue = { list: [1, 'two', null, true] };
 */
export type JSONValue = string | number | boolean | null | JSONArray | JSONObject;
/**
 * A JSON array.
 * @example const list: JSONArray = [1, 'two', null];
 */
export type JSONArray = JSONValue[];
/**
 * A JSON object.
 * @example const object: JSONObject = { name: 'Ada', tags: ['a', 'b'] };
 */
export interface JSONObject {
  [key: string]: JSONValue;
}

/**
 * A JSON Schema document, open because vocabularies differ.
 * @example
 * const schema: JSONSchema = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] };
 */
export interface JSONSchema {
  [keyword: string]: unknown;
}

/**
 * Metadata that extensions, clients and servers attach; keys with a reserved prefix belong to the specification.
 * @example const meta: MetaObject = { 'example.com/tenant': 'north' };
 */
export type MetaObject = Record<string, unknown>;

/**
 * The id of a request; an integer or a string, never null.
 * @example const ids: RequestId[] = [1, 'first'];
 */
export type RequestId = string | number;

/**
 * The token that ties progress notifications to the request that asked for them.
 * @example const token: ProgressToken = 'upload-1';
 */
export type ProgressToken = string | number;

/**
 * An opaque position in a list.
 * @example const cursor: Cursor = 'dG9vbHMvbGlzdDoxMDA';
 */
export type Cursor = string;

/**
 * Who says something in a conversation.
 * @example const role: Role = 'user';
 */
export type Role = 'user' | 'assistant';

/**
 * How severe a log message is, as in RFC 5424.
 * @example const level: LoggingLevel = 'warning';
 */
export type LoggingLevel =
  | 'debug'
  | 'info'
  | 'notice'
  | 'warning'
  | 'error'
  | 'critical'
  | 'alert'
  | 'emergency';

/**
 * Whether an answer is final or asks for input first; open, because extensions add values.
 * @example const type: ResultType = 'complete';
 */
export type ResultType = 'complete' | 'input_required' | (string & {});

/**
 * Whether a result may be shared between users, or belongs to the one who asked.
 * @example const scope: CacheScope = 'private';
 */
export type CacheScope = 'public' | 'private';

/**
 * An image that stands for a thing. https://modelcontextprotocol.io/specification/2026-07-28/basic#icons
 * @example
 * const icon: Icon = { src: 'https://example.com/memo.png', mimeType: 'image/png', sizes: ['48x48'] };
 */
export interface Icon {
  src: string;
  mimeType?: string;
  sizes?: string[];
  theme?: 'light' | 'dark';
}

/**
 * The name and version of a client or server.
 * @example const info: Implementation = { name: 'memos', version: '1.0.0', title: 'Memos' };
 */
export interface Implementation {
  name: string;
  version: string;
  title?: string;
  description?: string;
  icons?: Icon[];
  websiteUrl?: string;
}

/**
 * Hints for whom a thing is and how much it matters. https://modelcontextprotocol.io/specification/2026-07-28/server/resources#annotations
 * @example
 * const annotations: Annotations = { audience: ['user'], priority: 0.8, lastModified: '2025-01-12T15:00:58Z' };
 */
export interface Annotations {
  audience?: Role[];
  priority?: number;
  lastModified?: string;
}

/**
 * The `_meta` of a request: in the stateless era it carries what the handshake would have agreed.
 * @example
 * const meta: RequestMetaObject = { progressToken: 1, 'io.modelcontextprotocol/logLevel': 'info' };
 */
export interface RequestMetaObject {
  progressToken?: ProgressToken;
  'io.modelcontextprotocol/protocolVersion'?: string;
  'io.modelcontextprotocol/clientInfo'?: Implementation;
  'io.modelcontextprotocol/clientCapabilities'?: ClientCapabilities;
  'io.modelcontextprotocol/logLevel'?: LoggingLevel;
  [key: string]: unknown;
}

/**
 * The `_meta` of a result; the stateless era names the server there.
 * @example
 * const meta: ResultMetaObject = { 'io.modelcontextprotocol/serverInfo': { name: 'memos', version: '1.0.0' } };
 */
export interface ResultMetaObject {
  'io.modelcontextprotocol/serverInfo'?: Implementation;
  [key: string]: unknown;
}

/**
 * The `_meta` of a notification; a subscription's notifications name it there.
 * @example const meta: NotificationMetaObject = { 'io.modelcontextprotocol/subscriptionId': 7 };
 */
export interface NotificationMetaObject {
  'io.modelcontextprotocol/subscriptionId'?: RequestId;
  [key: string]: unknown;
}

/**
 * What the params of every request may carry.
 * @example const params: RequestParams = { _meta: { progressToken: 'a' } };
 */
export interface RequestParams {
  _meta?: RequestMetaObject;
}

/**
 * What the params of every notification may carry.
 * @example const params: NotificationParams = { _meta: {} };
 */
export interface NotificationParams {
  _meta?: NotificationMetaObject;
}

/**
 * What every result may carry.
 * @example const result: Result = { resultType: 'complete', _meta: {} };
 */
export interface Result {
  _meta?: ResultMetaObject;
  resultType?: ResultType;
}

/**
 * A result that says no more than that it is one.
 * @example const pong: EmptyResult = {};
 */
export type EmptyResult = Result;

/**
 * The params of a request for one page of a list.
 * @example const next: PaginatedRequestParams = { cursor: 'page-2' };
 */
export interface PaginatedRequestParams extends RequestParams {
  cursor?: Cursor;
}

/**
 * One page of a list; without `nextCursor` it is the last.
 * @example const page: PaginatedResult = { nextCursor: 'page-2' };
 */
export interface PaginatedResult extends Result {
  nextCursor?: Cursor;
}

/**
 * How long and for whom an answer may be kept. https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching
 * @example const result: CacheableResult = { ttlMs: 60_000, cacheScope: 'public' };
 */
export interface CacheableResult extends Result {
  ttlMs?: number;
  cacheScope?: CacheScope;
}

// --- Content ----------------------------------------------------------------------------------------------

/**
 * A text.
 * @example const text: TextContent = { type: 'text', text: 'water the plants' };
 */
export interface TextContent {
  type: 'text';
  text: string;
  annotations?: Annotations;
  _meta?: MetaObject;
}

/**
 * An image; `data` is base64.
 * @example
 * const image: ImageContent = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' };
 */
export interface ImageContent {
  type: 'image';
  data: string;
  mimeType: string;
  annotations?: Annotations;
  _meta?: MetaObject;
}

/**
 * Sound; `data` is base64.
 * @example const audio: AudioContent = { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' };
 */
export interface AudioContent {
  type: 'audio';
  data: string;
  mimeType: string;
  annotations?: Annotations;
  _meta?: MetaObject;
}

/**
 * A resource that the client can read by itself.
 * @example const link: ResourceLink = { type: 'resource_link', uri: 'memo://today', name: 'today' };
 */
export interface ResourceLink extends Resource {
  type: 'resource_link';
}

/**
 * A resource inside a message.
 * @example
 * const embedded: EmbeddedResource = {
 *   type: 'resource',
 *   resource: { uri: 'memo://today', mimeType: 'text/plain', text: 'water the plants' },
 * };
 */
export interface EmbeddedResource {
  type: 'resource';
  resource: ResourceContents;
  annotations?: Annotations;
  _meta?: MetaObject;
}

/**
 * One part of a tool result or prompt message. https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool-result
 * @example
 * const blocks: ContentBlock[] = [{ type: 'text', text: 'see' }, { type: 'resource_link', uri: 'memo://today', name: 'today' }];
 */
export type ContentBlock = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource;

// --- Resources --------------------------------------------------------------------------------------------

/**
 * The text behind a URI.
 * @example
 * const contents: TextResourceContents = { uri: 'memo://today', mimeType: 'text/plain', text: 'water the plants' };
 */
export interface TextResourceContents {
  uri: string;
  mimeType?: string;
  text: string;
  _meta?: MetaObject;
}

/**
 * Binary contents; `blob` is base64.
 * @example
 * const contents: BlobResourceContents = { uri: 'memo://photo', mimeType: 'image/png', blob: 'iVBORw0KGgo=' };
 */
export interface BlobResourceContents {
  uri: string;
  mimeType?: string;
  blob: string;
  _meta?: MetaObject;
}

/**
 * What is behind a URI.
 * @example const contents: ResourceContents[] = [{ uri: 'memo://today', text: 'water the plants' }];
 */
export type ResourceContents = TextResourceContents | BlobResourceContents;

/**
 * Something that a server can be asked to read. https://modelcontextprotocol.io/specification/2026-07-28/server/resources#resource
 * @example
 * const today: Resource = { uri: 'memo://today', name: 'today', mimeType: 'text/plain', size: 16 };
 */
export interface Resource {
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  size?: number;
  icons?: Icon[];
  annotations?: Annotations;
  _meta?: MetaObject;
}

/**
 * A family of resources behind an RFC 6570 template. https://modelcontextprotocol.io/specification/2026-07-28/server/resources#resource-templates
 * @example
 * const days: ResourceTemplate = { uriTemplate: 'memo://{day}', name: 'memo of a day', mimeType: 'text/plain' };
 */
export interface ResourceTemplate {
  uriTemplate: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  icons?: Icon[];
  annotations?: Annotations;
  _meta?: MetaObject;
}

/**
 * One page of the resources of a server.
 * @example const page: ListResourcesResult = { resources: [{ uri: 'memo://today', name: 'today' }] };
 */
export interface ListResourcesResult extends PaginatedResult, CacheableResult {
  resources: Resource[];
}

/**
 * One page of the resource templates of a server.
 * @example
 * const page: ListResourceTemplatesResult = { resourceTemplates: [{ uriTemplate: 'memo://{day}', name: 'memo' }] };
 */
export interface ListResourceTemplatesResult extends PaginatedResult, CacheableResult {
  resourceTemplates: ResourceTemplate[];
}

/**
 * Asks for what is behind a URI.
 * @example const params: ReadResourceRequestParams = { uri: 'memo://today' };
 */
export interface ReadResourceRequestParams extends InputResponseRequestParams {
  uri: string;
}

/**
 * What is behind a URI: one part, or several for a URI that holds others.
 * @example
 * const result: ReadResourceResult = { contents: [{ uri: 'memo://today', text: 'water the plants' }] };
 */
export interface ReadResourceResult extends CacheableResult {
  contents: ResourceContents[];
}

/**
 * Asks to be told of changes of a resource (up to 2025-11-25).
 * @example const params: SubscribeRequestParams = { uri: 'memo://today' };
 */
export interface SubscribeRequestParams extends RequestParams {
  uri: string;
}

/**
 * Asks to be told no more (up to 2025-11-25).
 * @example const params: UnsubscribeRequestParams = { uri: 'memo://today' };
 */
export type UnsubscribeRequestParams = SubscribeRequestParams;

// --- Tools ------------------------------------------------------------------------------------------------

/**
 * What a tool says about its effects; hints, never promises.
 * @example const reading: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };
 */
export interface ToolAnnotations {
  title?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}

/**
 * How a tool goes together with tasks (2025-11-25 only).
 * @example const execution: ToolExecution = { taskSupport: 'optional' };
 */
export interface ToolExecution {
  taskSupport?: 'forbidden' | 'optional' | 'required';
}

/**
 * A tool that a model can call. https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool
 * @example
 * const add: Tool = {
 *   name: 'add',
 *   description: 'Adds two numbers.',
 *   inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
 * };
 */
export interface Tool {
  name: string;
  title?: string;
  description?: string;
  inputSchema: JSONSchema & { type: 'object' };
  outputSchema?: JSONSchema;
  annotations?: ToolAnnotations;
  execution?: ToolExecution;
  icons?: Icon[];
  _meta?: MetaObject;
}

/**
 * One page of the tools of a server.
 * @example
 * const page: ListToolsResult = { tools: [{ name: 'now', inputSchema: { type: 'object' } }] };
 */
export interface ListToolsResult extends PaginatedResult, CacheableResult {
  tools: Tool[];
}

/**
 * Calls a tool.
 * @example const params: CallToolRequestParams = { name: 'add', arguments: { a: 1, b: 2 } };
 */
export interface CallToolRequestParams extends InputResponseRequestParams, TaskAugmentedRequestParams {
  name: string;
  arguments?: Record<string, unknown>;
}

/**
 * What a tool answered; a failure of the tool itself has `isError`. https://modelcontextprotocol.io/specification/2026-07-28/server/tools#calling-tools
 * @example
 * const result: CallToolResult = { content: [{ type: 'text', text: '3' }], structuredContent: { sum: 3 } };
 */
export interface CallToolResult extends Result {
  content: ContentBlock[];
  structuredContent?: unknown;
  isError?: boolean;
}

// --- Prompts ----------------------------------------------------------------------------------------------

/**
 * One argument of a prompt.
 * @example
 * const path: PromptArgument = { name: 'path', description: 'what to review', required: true };
 */
export interface PromptArgument {
  name: string;
  title?: string;
  description?: string;
  required?: boolean;
}

/**
 * A template of messages that a user can pick. https://modelcontextprotocol.io/specification/2026-07-28/server/prompts#prompt
 * @example
 * const review: Prompt = { name: 'review', title: 'Review', arguments: [{ name: 'path', required: true }] };
 */
export interface Prompt {
  name: string;
  title?: string;
  description?: string;
  arguments?: PromptArgument[];
  icons?: Icon[];
  _meta?: MetaObject;
}

/**
 * One message of a prompt, once it is filled in.
 * @example
 * const message: PromptMessage = { role: 'user', content: { type: 'text', text: 'Review main.ts.' } };
 */
export interface PromptMessage {
  role: Role;
  content: ContentBlock;
}

/**
 * One page of the prompts of a server.
 * @example const page: ListPromptsResult = { prompts: [{ name: 'review' }], nextCursor: 'page-2' };
 */
export interface ListPromptsResult extends PaginatedResult, CacheableResult {
  prompts: Prompt[];
}

/**
 * Asks for a prompt with its arguments filled in.
 * @example const params: GetPromptRequestParams = { name: 'review', arguments: { path: 'main.ts' } };
 */
export interface GetPromptRequestParams extends InputResponseRequestParams {
  name: string;
  arguments?: Record<string, string>;
}

/**
 * The messages of a prompt.
 * @example
 * const result: GetPromptResult = { messages: [{ role: 'user', content: { type: 'text', text: 'Review main.ts.' } }] };
 */
export interface GetPromptResult extends Result {
  description?: string;
  messages: PromptMessage[];
}

// --- Completion -------------------------------------------------------------------------------------------

/**
 * Names a prompt.
 * @example const ref: PromptReference = { type: 'ref/prompt', name: 'review' };
 */
export interface PromptReference {
  type: 'ref/prompt';
  name: string;
  title?: string;
}

/**
 * Names a resource template by its text.
 * @example const ref: ResourceTemplateReference = { type: 'ref/resource', uri: 'memo://{day}' };
 */
export interface ResourceTemplateReference {
  type: 'ref/resource';
  uri: string;
}

/**
 * Asks for values of one argument. https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion
 * @example
 * const params: CompleteRequestParams = {
 *   ref: { type: 'ref/prompt', name: 'review' },
 *   argument: { name: 'path', value: 'ma' },
 * };
 */
export interface CompleteRequestParams extends RequestParams {
  ref: PromptReference | ResourceTemplateReference;
  argument: { name: string; value: string };
  context?: { arguments?: Record<string, string> };
}

/**
 * Values for an argument, the best first.
 * @example
 * const result: CompleteResult = { completion: { values: ['main.ts', 'map.ts'], total: 2, hasMore: false } };
 */
export interface CompleteResult extends Result {
  completion: { values: string[]; total?: number; hasMore?: boolean };
}

// --- Capabilities and the first words ---------------------------------------------------------------------

/**
 * What a server offers.
 * @example
 * const capabilities: ServerCapabilities = { tools: { listChanged: true }, resources: { subscribe: true } };
 */
export interface ServerCapabilities {
  tools?: { listChanged?: boolean };
  resources?: { listChanged?: boolean; subscribe?: boolean };
  prompts?: { listChanged?: boolean };
  completions?: object;
  logging?: object;
  tasks?: { list?: object; cancel?: object; requests?: { tools?: { call?: object } } };
  experimental?: Record<string, object>;
  extensions?: Record<string, object>;
}

/**
 * What a client offers.
 * @example
 * const capabilities: ClientCapabilities = { roots: {}, elicitation: { form: {}, url: {} } };
 */
export interface ClientCapabilities {
  roots?: { listChanged?: boolean };
  sampling?: { context?: object; tools?: object };
  elicitation?: { form?: object; url?: object };
  tasks?: {
    list?: object;
    cancel?: object;
    requests?: { sampling?: { createMessage?: object }; elicitation?: { create?: object } };
  };
  experimental?: Record<string, object>;
  extensions?: Record<string, object>;
}

/**
 * The client's first words in the handshake era. https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#initialization
 * @example
 * const params: InitializeRequestParams = {
 *   protocolVersion: '2025-11-25',
 *   capabilities: {},
 *   clientInfo: { name: 'example', version: '1.0.0' },
 * };
 */
export interface InitializeRequestParams extends RequestParams {
  protocolVersion: string;
  capabilities: ClientCapabilities;
  clientInfo: Implementation;
}

/**
 * A server's first words in the handshake era.
 * @example
 * const result: InitializeResult = {
 *   protocolVersion: '2025-11-25',
 *   capabilities: { tools: {} },
 *   serverInfo: { name: 'sums', version: '1.0.0' },
 * };
 */
export interface InitializeResult extends Result {
  protocolVersion: string;
  capabilities: ServerCapabilities;
  serverInfo: Implementation;
  instructions?: string;
}

/**
 * What a server of the stateless era says about itself. https://modelcontextprotocol.io/specification/2026-07-28/server/discover
 * @example
 * const result: DiscoverResult = { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } };
 */
export interface DiscoverResult extends CacheableResult {
  supportedVersions: string[];
  capabilities: ServerCapabilities;
  instructions?: string;
}

// --- Roots ------------------------------------------------------------------------------------------------

/**
 * A place that the client lets the server work in. https://modelcontextprotocol.io/specification/2026-07-28/client/roots
 * @example const root: Root = { uri: 'file:///home/ada/project', name: 'project' };
 */
export interface Root {
  uri: string;
  name?: string;
  _meta?: MetaObject;
}

/**
 * The places that the client lets the server work in.
 * @example const result: ListRootsResult = { roots: [{ uri: 'file:///home/ada/project' }] };
 */
export interface ListRootsResult extends Result {
  roots: Root[];
}

// --- Sampling ---------------------------------------------------------------------------------------------

/**
 * A part of the name of a model that would do.
 * @example const hint: ModelHint = { name: 'sonnet' };
 */
export interface ModelHint {
  name?: string;
}

/**
 * What the server wants from a model; each priority lies between 0 and 1.
 * @example const preferences: ModelPreferences = { hints: [{ name: 'sonnet' }], speedPriority: 0.8 };
 */
export interface ModelPreferences {
  hints?: ModelHint[];
  costPriority?: number;
  speedPriority?: number;
  intelligencePriority?: number;
}

/**
 * Whether the model may, must or must not use tools.
 * @example const choice: ToolChoice = { mode: 'required' };
 */
export interface ToolChoice {
  mode?: 'auto' | 'required' | 'none';
}

/**
 * A model's wish to call a tool.
 * @example
 * const use: ToolUseContent = { type: 'tool_use', id: 'u1', name: 'add', input: { a: 1, b: 2 } };
 */
export interface ToolUseContent {
  type: 'tool_use';
  id: string;
  name: string;
  input: Record<string, unknown>;
  _meta?: MetaObject;
}

/**
 * The answer to a model's wish to call a tool.
 * @example
 * const answer: ToolResultContent = { type: 'tool_result', toolUseId: 'u1', content: [{ type: 'text', text: '3' }] };
 */
export interface ToolResultContent {
  type: 'tool_result';
  toolUseId: string;
  content: ContentBlock[];
  structuredContent?: unknown;
  isError?: boolean;
  _meta?: MetaObject;
}

/**
 * One part of a message from or for a model.
 * @example const block: SamplingMessageContentBlock = { type: 'text', text: 'How many?' };
 */
export type SamplingMessageContentBlock =
  | TextContent
  | ImageContent
  | AudioContent
  | ToolUseContent
  | ToolResultContent;

/**
 * A message from or for a model.
 * @example
 * const message: SamplingMessage = { role: 'user', content: { type: 'text', text: 'How many?' } };
 */
export interface SamplingMessage {
  role: Role;
  content: SamplingMessageContentBlock | SamplingMessageContentBlock[];
  _meta?: MetaObject;
}

/**
 * Asks the client's model for a message. https://modelcontextprotocol.io/specification/2026-07-28/client/sampling
 * @example
 * const params: CreateMessageRequestParams = {
 *   messages: [{ role: 'user', content: { type: 'text', text: 'Summarise this.' } }],
 *   maxTokens: 200,
 * };
 */
export interface CreateMessageRequestParams extends TaskAugmentedRequestParams {
  messages: SamplingMessage[];
  maxTokens: number;
  systemPrompt?: string;
  includeContext?: 'none' | 'thisServer' | 'allServers';
  temperature?: number;
  stopSequences?: string[];
  modelPreferences?: ModelPreferences;
  tools?: Tool[];
  toolChoice?: ToolChoice;
  metadata?: object;
}

/**
 * What the client's model said.
 * @example
 * const result: CreateMessageResult = {
 *   role: 'assistant',
 *   content: { type: 'text', text: 'Three.' },
 *   model: 'some-model',
 *   stopReason: 'endTurn',
 * };
 */
export interface CreateMessageResult extends Result {
  role: Role;
  content: SamplingMessageContentBlock | SamplingMessageContentBlock[];
  model: string;
  stopReason?: 'endTurn' | 'stopSequence' | 'maxTokens' | 'toolUse' | (string & {});
}

// --- Elicitation ------------------------------------------------------------------------------------------

/**
 * A text in a form.
 * @example const mail: StringSchema = { type: 'string', title: 'Mail', format: 'email' };
 */
export interface StringSchema {
  type: 'string';
  title?: string;
  description?: string;
  minLength?: number;
  maxLength?: number;
  format?: 'email' | 'uri' | 'date' | 'date-time';
  default?: string;
}

/**
 * A number in a form.
 * @example const count: NumberSchema = { type: 'integer', minimum: 1, maximum: 9, default: 1 };
 */
export interface NumberSchema {
  type: 'number' | 'integer';
  title?: string;
  description?: string;
  minimum?: number;
  maximum?: number;
  default?: number;
}

/**
 * A box to tick in a form.
 * @example const agreed: BooleanSchema = { type: 'boolean', title: 'I agree', default: false };
 */
export interface BooleanSchema {
  type: 'boolean';
  title?: string;
  description?: string;
  default?: boolean;
}

/**
 * One of several values in a form.
 * @example
 * const size: UntitledSingleSelectEnumSchema = { type: 'string', enum: ['s', 'm', 'l'], default: 'm' };
 */
export interface UntitledSingleSelectEnumSchema {
  type: 'string';
  title?: string;
  description?: string;
  enum: string[];
  default?: string;
}

/**
 * One of several values in a form, each with a title.
 * @example
 * const size: TitledSingleSelectEnumSchema = { type: 'string', oneOf: [{ const: 's', title: 'Small' }] };
 */
export interface TitledSingleSelectEnumSchema {
  type: 'string';
  title?: string;
  description?: string;
  oneOf: { const: string; title: string }[];
  default?: string;
}

/**
 * Any of several values in a form.
 * @example
 * const extras: UntitledMultiSelectEnumSchema = { type: 'array', items: { type: 'string', enum: ['bow', 'card'] } };
 */
export interface UntitledMultiSelectEnumSchema {
  type: 'array';
  title?: string;
  description?: string;
  minItems?: number;
  maxItems?: number;
  items: { type: 'string'; enum: string[] };
  default?: string[];
}

/**
 * Any of several values in a form, each with a title.
 * @example
 * const extras: TitledMultiSelectEnumSchema = { type: 'array', items: { anyOf: [{ const: 'b', title: 'A bow' }] } };
 */
export interface TitledMultiSelectEnumSchema {
  type: 'array';
  title?: string;
  description?: string;
  minItems?: number;
  maxItems?: number;
  items: { anyOf: { const: string; title: string }[] };
  default?: string[];
}

/**
 * The choice of 2025-06-18, with display names beside the values.
 * @example
 * const size: LegacyTitledEnumSchema = { type: 'string', enum: ['s', 'm'], enumNames: ['Small', 'Medium'] };
 */
export interface LegacyTitledEnumSchema {
  type: 'string';
  title?: string;
  description?: string;
  enum: string[];
  enumNames?: string[];
  default?: string;
}

/**
 * A choice in a form.
 * @example const size: EnumSchema = { type: 'string', enum: ['s', 'm', 'l'] };
 */
export type EnumSchema =
  | UntitledSingleSelectEnumSchema
  | TitledSingleSelectEnumSchema
  | UntitledMultiSelectEnumSchema
  | TitledMultiSelectEnumSchema
  | LegacyTitledEnumSchema;

/**
 * One field of a form.
 * @example
 * const fields: Record<string, PrimitiveSchemaDefinition> = { name: { type: 'string' }, gift: { type: 'boolean' } };
 */
export type PrimitiveSchemaDefinition = StringSchema | NumberSchema | BooleanSchema | EnumSchema;

/**
 * Asks the user to fill in a form. https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#form-mode-elicitation-requests
 * @example
 * const params: ElicitRequestFormParams = {
 *   mode: 'form',
 *   message: 'Who is it for?',
 *   requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
 * };
 */
export interface ElicitRequestFormParams extends TaskAugmentedRequestParams {
  mode?: 'form';
  message: string;
  requestedSchema: {
    $schema?: string;
    type: 'object';
    properties: Record<string, PrimitiveSchemaDefinition>;
    required?: string[];
  };
}

/**
 * Asks the user to visit a page. https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#url-mode-elicitation-requests
 * @example
 * const params: ElicitRequestURLParams = { mode: 'url', message: 'Sign in.', url: 'https://example.com/sign-in' };
 */
export interface ElicitRequestURLParams extends TaskAugmentedRequestParams {
  mode: 'url';
  message: string;
  url: string;
  /** Required by 2025-11-25, unknown to 2026-07-28. */
  elicitationId?: string;
}

/**
 * A question to the user.
 * @example
 * const params: ElicitRequestParams = { mode: 'url', message: 'Sign in.', url: 'https://example.com/sign-in' };
 */
export type ElicitRequestParams = ElicitRequestFormParams | ElicitRequestURLParams;

/**
 * What the user answered; `content` only comes with an accepted form.
 * @example const result: ElicitResult = { action: 'accept', content: { name: 'Ada', gift: true } };
 */
export interface ElicitResult extends Result {
  action: 'accept' | 'decline' | 'cancel';
  content?: Record<string, string | number | boolean | string[]>;
}

// --- Multi-round-trip requests ----------------------------------------------------------------------------

/**
 * A question inside an `input_required` result. https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 * @example const question: InputRequest = { method: 'roots/list' };
 */
export type InputRequest =
  | { method: 'elicitation/create'; params: ElicitRequestParams }
  | { method: 'sampling/createMessage'; params: CreateMessageRequestParams }
  | { method: 'roots/list'; params?: { _meta?: MetaObject } };

/**
 * Questions by key.
 * @example const questions: InputRequests = { folders: { method: 'roots/list' } };
 */
export type InputRequests = Record<string, InputRequest>;

/**
 * The client's answer to one question.
 * @example const answer: InputResponse = { roots: [{ uri: 'file:///home/ada' }] };
 */
export type InputResponse = ElicitResult | CreateMessageResult | ListRootsResult;

/**
 * Answers by the key of their question.
 * @example const answers: InputResponses = { folders: { roots: [] }, sure: { action: 'decline' } };
 */
export type InputResponses = Record<string, InputResponse>;

/**
 * Params of a request that may be repeated with answers.
 * @example
 * const params: InputResponseRequestParams = { inputResponses: { folders: { roots: [] } }, requestState: 'sealed' };
 */
export interface InputResponseRequestParams extends RequestParams {
  inputResponses?: InputResponses;
  requestState?: string;
}

/**
 * A result that asks before it answers; the client repeats the request with answers and the exact state.
 * @example
 * const result: InputRequiredResult = {
 *   resultType: 'input_required',
 *   inputRequests: { folders: { method: 'roots/list' } },
 *   requestState: 'sealed',
 * };
 */
export interface InputRequiredResult extends Result {
  resultType: 'input_required';
  inputRequests?: InputRequests;
  requestState?: string;
}

// --- Subscriptions ----------------------------------------------------------------------------------------

/**
 * What a listen stream wants to hear about. https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
 * @example
 * const filter: SubscriptionFilter = { toolsListChanged: true, resourceSubscriptions: ['memo://today'] };
 */
export interface SubscriptionFilter {
  toolsListChanged?: boolean;
  promptsListChanged?: boolean;
  resourcesListChanged?: boolean;
  resourceSubscriptions?: string[];
  /** tasks whose changes are wanted; of the tasks extension */
  taskIds?: string[];
}

/**
 * Opens a stream of changes.
 * @example
 * const params: SubscriptionsListenRequestParams = { notifications: { toolsListChanged: true } };
 */
export interface SubscriptionsListenRequestParams extends RequestParams {
  notifications: SubscriptionFilter;
}

/**
 * The end of a stream of changes.
 * @example
 * const result: SubscriptionsListenResult = { _meta: { 'io.modelcontextprotocol/subscriptionId': 7 } };
 */
export interface SubscriptionsListenResult extends Result {
  _meta: ResultMetaObject & { 'io.modelcontextprotocol/subscriptionId': RequestId };
}

/**
 * What of a stream's filter the server agreed to.
 * @example
 * const params: SubscriptionsAcknowledgedNotificationParams = { notifications: { toolsListChanged: true } };
 */
export interface SubscriptionsAcknowledgedNotificationParams extends NotificationParams {
  notifications: SubscriptionFilter;
}

// --- Tasks (2025-11-25 only) ------------------------------------------------------------------------------

/**
 * How a task stands.
 * @example const status: TaskStatus = 'working';
 */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/**
 * The wish to run a request as a task. https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks
 * @example const task: TaskMetadata = { ttl: 600_000 };
 */
export interface TaskMetadata {
  ttl?: number;
}

/**
 * The task that a message belongs to.
 * @example const related: RelatedTaskMetadata = { taskId: 't1' };
 */
export interface RelatedTaskMetadata {
  taskId: string;
}

/**
 * Params of a request that may run as a task.
 * @example const params: TaskAugmentedRequestParams = { task: { ttl: 600_000 } };
 */
export interface TaskAugmentedRequestParams extends RequestParams {
  task?: TaskMetadata;
}

/**
 * The state of a task; a `ttl` of null never expires.
 * @example
 * const task: Task = {
 *   taskId: 't1',
 *   status: 'working',
 *   createdAt: '2025-01-12T15:00:58Z',
 *   lastUpdatedAt: '2025-01-12T15:00:58Z',
 *   ttl: null,
 * };
 */
export interface Task {
  taskId: string;
  status: TaskStatus;
  statusMessage?: string;
  createdAt: string;
  lastUpdatedAt: string;
  ttl: number | null;
  pollInterval?: number;
}

/**
 * Names a task.
 * @example const params: TaskRequestParams = { taskId: 't1' };
 */
export interface TaskRequestParams extends RequestParams {
  taskId: string;
}

/**
 * What is answered in place of a result when a task was made of a request.
 * @example
 * const time = '2025-01-12T15:00:58Z';
 * const result: CreateTaskResult = {
 *   task: { taskId: 't1', status: 'working', createdAt: time, lastUpdatedAt: time, ttl: 600_000 },
 * };
 */
export interface CreateTaskResult extends Result {
  task: Task;
}

/**
 * How a task stands now.
 * @example
 * const time = '2025-01-12T15:00:58Z';
 * const result: GetTaskResult = { taskId: 't1', status: 'completed', createdAt: time, lastUpdatedAt: time, ttl: null };
 */
export interface GetTaskResult extends Result, Task {}

/**
 * How a task stands after it was cancelled.
 * @example
 * const time = '2025-01-12T15:00:58Z';
 * const result: CancelTaskResult = { taskId: 't1', status: 'cancelled', createdAt: time, lastUpdatedAt: time, ttl: null };
 */
export interface CancelTaskResult extends Result, Task {}

/**
 * One page of the tasks of one requestor.
 * @example const page: ListTasksResult = { tasks: [] };
 */
export interface ListTasksResult extends PaginatedResult {
  tasks: Task[];
}

/**
 * Tells that a task stands otherwise than before.
 * @example
 * const time = '2025-01-12T15:00:58Z';
 * const params: TaskStatusNotificationParams = {
 *   taskId: 't1',
 *   status: 'failed',
 *   createdAt: time,
 *   lastUpdatedAt: time,
 *   ttl: null,
 * };
 */
export interface TaskStatusNotificationParams extends NotificationParams, Task {}

// --- Tasks extension (2026-07-28) -------------------------------------------------------------------------

/**
 * The state of a task of `io.modelcontextprotocol/tasks`. https://modelcontextprotocol.io/seps/2663-tasks-extension
 * @example
 * const time = '2026-08-01T10:00:00Z';
 * const task: ExtensionTask = { taskId: 't1', status: 'working', createdAt: time, lastUpdatedAt: time, ttlMs: 600_000 };
 */
export interface ExtensionTask {
  taskId: string;
  status: TaskStatus;
  statusMessage?: string;
  createdAt: string;
  lastUpdatedAt: string;
  ttlMs: number | null;
  pollIntervalMs?: number;
}

/**
 * What a server answers in place of a result when it makes a task of a request.
 * @example
 * const time = '2026-08-01T10:00:00Z';
 * const result: CreateExtensionTaskResult = {
 *   resultType: 'task',
 *   taskId: 't1',
 *   status: 'working',
 *   createdAt: time,
 *   lastUpdatedAt: time,
 *   ttlMs: null,
 * };
 */
export interface CreateExtensionTaskResult extends Result, ExtensionTask {
  resultType: 'task';
}

/**
 * A task with its open questions or its outcome, as its status has it.
 * @example
 * const time = '2026-08-01T10:00:00Z';
 * const task: DetailedTask = {
 *   taskId: 't1',
 *   status: 'completed',
 *   createdAt: time,
 *   lastUpdatedAt: time,
 *   ttlMs: null,
 *   result: { content: [] },
 * };
 */
export interface DetailedTask extends ExtensionTask {
  inputRequests?: InputRequests;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: unknown };
}

/**
 * A task with its open questions or its outcome.
 * @example
 * const time = '2026-08-01T10:00:00Z';
 * const result: GetExtensionTaskResult = {
 *   taskId: 't1',
 *   status: 'input_required',
 *   createdAt: time,
 *   lastUpdatedAt: time,
 *   ttlMs: null,
 *   inputRequests: { folders: { method: 'roots/list' } },
 * };
 */
export interface GetExtensionTaskResult extends Result, DetailedTask {}

/**
 * Answers to open questions of a task, by key.
 * @example
 * const params: UpdateTaskRequestParams = { taskId: 't1', inputResponses: { folders: { roots: [] } } };
 */
export interface UpdateTaskRequestParams extends TaskRequestParams {
  inputResponses: InputResponses;
}

/**
 * Tells how a task stands.
 * @example
 * const time = '2026-08-01T10:00:00Z';
 * const params: TaskNotificationParams = {
 *   taskId: 't1',
 *   status: 'working',
 *   createdAt: time,
 *   lastUpdatedAt: time,
 *   ttlMs: null,
 * };
 */
export interface TaskNotificationParams extends NotificationParams, DetailedTask {}

// --- Logging and the other notifications ------------------------------------------------------------------

/**
 * Asks for log messages of a level and above (up to 2025-11-25).
 * @example const params: SetLevelRequestParams = { level: 'warning' };
 */
export interface SetLevelRequestParams extends RequestParams {
  level: LoggingLevel;
}

/**
 * One log line for the client. https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/logging
 * @example
 * const params: LoggingMessageNotificationParams = { level: 'info', logger: 'disk', data: { free: 7 } };
 */
export interface LoggingMessageNotificationParams extends NotificationParams {
  level: LoggingLevel;
  logger?: string;
  data: unknown;
}

/**
 * How far a request has come. https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/progress
 * @example
 * const params: ProgressNotificationParams = { progressToken: 1, progress: 3, total: 10, message: 'copying' };
 */
export interface ProgressNotificationParams extends NotificationParams {
  progressToken: ProgressToken;
  progress: number;
  total?: number;
  message?: string;
}

/**
 * Ends a request early. https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/cancellation
 * @example const params: CancelledNotificationParams = { requestId: 1, reason: 'the user has left' };
 */
export interface CancelledNotificationParams extends NotificationParams {
  /** Optional in 2025-11-25 alone, where a task has its own way to be cancelled. */
  requestId?: RequestId;
  reason?: string;
}

/**
 * Tells that a resource has changed.
 * @example const params: ResourceUpdatedNotificationParams = { uri: 'memo://today' };
 */
export interface ResourceUpdatedNotificationParams extends NotificationParams {
  uri: string;
}

/**
 * Tells that a page has done its work (2025-11-25 only).
 * @example const params: ElicitationCompleteNotificationParams = { elicitationId: 'sign-in-1' };
 */
export interface ElicitationCompleteNotificationParams extends NotificationParams {
  elicitationId: string;
}

// --- Data of errors ---------------------------------------------------------------------------------------

/**
 * The data of -32042 (2025-11-25 only): pages to visit before the request can succeed.
 * @example
 * const data: URLElicitationRequiredErrorData = {
 *   elicitations: [{ mode: 'url', message: 'Sign in.', url: 'https://example.com/sign-in', elicitationId: 'e1' }],
 * };
 */
export interface URLElicitationRequiredErrorData {
  elicitations: ElicitRequestURLParams[];
}

/**
 * The data of -32021: what the client would have to offer. https://modelcontextprotocol.io/specification/2026-07-28/basic#error-codes
 * @example
 * const data: MissingRequiredClientCapabilityErrorData = { requiredCapabilities: { sampling: {} } };
 */
export interface MissingRequiredClientCapabilityErrorData {
  requiredCapabilities: ClientCapabilities;
}

/**
 * The data of -32022: what was asked for and what there is. https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning
 * @example
 * const data: UnsupportedProtocolVersionErrorData = { requested: '1999-01-01', supported: ['2026-07-28'] };
 */
export interface UnsupportedProtocolVersionErrorData {
  requested: string;
  supported: string[];
}
