/**
 * The types of the protocol, in the specification's words. One model serves all five revisions, in the shape
 * of the newest: members that some revision does not have are optional here, and codecs remove them per
 * revision.
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
 * The token that links progress notifications to the request that asked for them.
 * @example const token: ProgressToken = 'upload-1';
 */
export type ProgressToken = string | number;

/**
 * An opaque position in a list.
 * @example const cursor: Cursor = 'dG9vbHMvbGlzdDoxMDA';
 */
export type Cursor = string;

/**
 * The speaker of a message.
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
 * The kind of a result: final, or a request for input. Extensions may add values.
 * @example const type: ResultType = 'complete';
 */
export type ResultType = 'complete' | 'input_required' | (string & {});

/**
 * Whether a result may be shared between users, or only be reused for the user who asked.
 * @example const scope: CacheScope = 'private';
 */
export type CacheScope = 'public' | 'private';

/**
 * An icon. https://modelcontextprotocol.io/specification/2026-07-28/basic#icons
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
 * Hints about the audience and the importance of an object.
 * https://modelcontextprotocol.io/specification/2026-07-28/server/resources#annotations
 * @example
 * const annotations: Annotations = { audience: ['user'], priority: 0.8, lastModified: '2025-01-12T15:00:58Z' };
 */
export interface Annotations {
  audience?: Role[];
  priority?: number;
  lastModified?: string;
}

/**
 * The `_meta` of a request. In the stateless era it carries the version, the client and its capabilities.
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
 * The `_meta` of a result. In the stateless era it names the server.
 * @example
 * const meta: ResultMetaObject = { 'io.modelcontextprotocol/serverInfo': { name: 'memos', version: '1.0.0' } };
 */
export interface ResultMetaObject {
  'io.modelcontextprotocol/serverInfo'?: Implementation;
  [key: string]: unknown;
}

/**
 * The `_meta` of a notification. On a subscription stream it names the subscription.
 * @example const meta: NotificationMetaObject = { 'io.modelcontextprotocol/subscriptionId': 7 };
 */
export interface NotificationMetaObject {
  'io.modelcontextprotocol/subscriptionId'?: RequestId;
  [key: string]: unknown;
}

/**
 * The members that the params of every request may have.
 * @example const params: RequestParams = { _meta: { progressToken: 'a' } };
 */
export interface RequestParams {
  _meta?: RequestMetaObject;
}

/**
 * The members that the params of every notification may have.
 * @example const params: NotificationParams = { _meta: {} };
 */
export interface NotificationParams {
  _meta?: NotificationMetaObject;
}

/**
 * The members that every result may have.
 * @example const result: Result = { resultType: 'complete', _meta: {} };
 */
export interface Result {
  _meta?: ResultMetaObject;
  resultType?: ResultType;
}

/**
 * A result without members of its own.
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
 * One page of a list; the last page has no `nextCursor`.
 * @example const page: PaginatedResult = { nextCursor: 'page-2' };
 */
export interface PaginatedResult extends Result {
  nextCursor?: Cursor;
}

/**
 * The lifetime and the scope of a result in a cache.
 * https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching
 * @example const result: CacheableResult = { ttlMs: 60_000, cacheScope: 'public' };
 */
export interface CacheableResult extends Result {
  ttlMs?: number;
  cacheScope?: CacheScope;
}

// --- Content ----------------------------------------------------------------------------------------------

/**
 * Text content.
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
 * A link to a resource, which the client may read.
 * @example const link: ResourceLink = { type: 'resource_link', uri: 'memo://today', name: 'today' };
 */
export interface ResourceLink extends Resource {
  type: 'resource_link';
}

/**
 * A resource that is included in a message.
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
 * The text of a resource.
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
 * The binary contents of a resource; `blob` is base64.
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
 * The contents of a resource.
 * @example const contents: ResourceContents[] = [{ uri: 'memo://today', text: 'water the plants' }];
 */
export type ResourceContents = TextResourceContents | BlobResourceContents;

/**
 * A resource of a server. https://modelcontextprotocol.io/specification/2026-07-28/server/resources#resource
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
 * Resources whose URIs match an RFC 6570 template.
 * https://modelcontextprotocol.io/specification/2026-07-28/server/resources#resource-templates
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
 * The params of a request for the contents of a resource.
 * @example const params: ReadResourceRequestParams = { uri: 'memo://today' };
 */
export interface ReadResourceRequestParams extends InputResponseRequestParams {
  uri: string;
}

/**
 * The contents of a resource: one part, or several for a URI that contains others.
 * @example
 * const result: ReadResourceResult = { contents: [{ uri: 'memo://today', text: 'water the plants' }] };
 */
export interface ReadResourceResult extends CacheableResult {
  contents: ResourceContents[];
}

/**
 * The params of a subscription to changes of a resource (until 2025-11-25).
 * @example const params: SubscribeRequestParams = { uri: 'memo://today' };
 */
export interface SubscribeRequestParams extends RequestParams {
  uri: string;
}

/**
 * The params that end a subscription (until 2025-11-25).
 * @example const params: UnsubscribeRequestParams = { uri: 'memo://today' };
 */
export type UnsubscribeRequestParams = SubscribeRequestParams;

// --- Tools ------------------------------------------------------------------------------------------------

/**
 * Hints of a tool about its effects; they are not guarantees.
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
 * How a tool supports tasks (2025-11-25 only).
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
 * The params of a tool call.
 * @example const params: CallToolRequestParams = { name: 'add', arguments: { a: 1, b: 2 } };
 */
export interface CallToolRequestParams extends InputResponseRequestParams, TaskAugmentedRequestParams {
  name: string;
  arguments?: Record<string, unknown>;
}

/**
 * The result of a tool call; `isError` marks a failure of the tool itself.
 * https://modelcontextprotocol.io/specification/2026-07-28/server/tools#calling-tools
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
 * One message of a prompt with its arguments filled in.
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
 * The params of a request for a prompt with its arguments.
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
 * A reference to a prompt.
 * @example const ref: PromptReference = { type: 'ref/prompt', name: 'review' };
 */
export interface PromptReference {
  type: 'ref/prompt';
  name: string;
  title?: string;
}

/**
 * A reference to a resource template.
 * @example const ref: ResourceTemplateReference = { type: 'ref/resource', uri: 'memo://{day}' };
 */
export interface ResourceTemplateReference {
  type: 'ref/resource';
  uri: string;
}

/**
 * The params of a request for completions of one argument.
 * https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion
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
 * Completions of an argument, best first.
 * @example
 * const result: CompleteResult = { completion: { values: ['main.ts', 'map.ts'], total: 2, hasMore: false } };
 */
export interface CompleteResult extends Result {
  completion: { values: string[]; total?: number; hasMore?: boolean };
}

// --- Capabilities and discovery ---------------------------------------------------------------------------

/**
 * The capabilities of a server.
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
 * The capabilities of a client.
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
 * The params of `initialize`, the client's first request in the handshake era.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#initialization
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
 * The result of `initialize`.
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
 * The supported versions and capabilities of a server of the stateless era.
 * https://modelcontextprotocol.io/specification/2026-07-28/server/discover
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
 * A root: a folder in which the client lets the server work.
 * https://modelcontextprotocol.io/specification/2026-07-28/client/roots
 * @example const root: Root = { uri: 'file:///home/ada/project', name: 'project' };
 */
export interface Root {
  uri: string;
  name?: string;
  _meta?: MetaObject;
}

/**
 * The roots of a client.
 * @example const result: ListRootsResult = { roots: [{ uri: 'file:///home/ada/project' }] };
 */
export interface ListRootsResult extends Result {
  roots: Root[];
}

// --- Sampling ---------------------------------------------------------------------------------------------

/**
 * A hint for the choice of a model: a part of its name.
 * @example const hint: ModelHint = { name: 'sonnet' };
 */
export interface ModelHint {
  name?: string;
}

/**
 * Preferences for the choice of a model; each priority is between 0 and 1.
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
 * A request of the model to call a tool.
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
 * The result of a tool call that the model requested.
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
 * One part of a sampling message.
 * @example const block: SamplingMessageContentBlock = { type: 'text', text: 'How many?' };
 */
export type SamplingMessageContentBlock =
  | TextContent
  | ImageContent
  | AudioContent
  | ToolUseContent
  | ToolResultContent;

/**
 * A sampling message.
 * @example
 * const message: SamplingMessage = { role: 'user', content: { type: 'text', text: 'How many?' } };
 */
export interface SamplingMessage {
  role: Role;
  content: SamplingMessageContentBlock | SamplingMessageContentBlock[];
  _meta?: MetaObject;
}

/**
 * The params of a request for a message of the client's model.
 * https://modelcontextprotocol.io/specification/2026-07-28/client/sampling
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
 * The message of the client's model.
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
 * A text field of a form.
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
 * A number field of a form.
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
 * A checkbox of a form.
 * @example const agreed: BooleanSchema = { type: 'boolean', title: 'I agree', default: false };
 */
export interface BooleanSchema {
  type: 'boolean';
  title?: string;
  description?: string;
  default?: boolean;
}

/**
 * A field for one of several values.
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
 * A field for one of several values with titles.
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
 * A field for any of several values.
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
 * A field for any of several values with titles.
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
 * The enum field of 2025-06-18, with display names beside the values.
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
 * An enum field of a form.
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
 * The params of a request to the user to fill in a form.
 * https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#form-mode-elicitation-requests
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
 * The params of a request to the user to visit a page.
 * https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#url-mode-elicitation-requests
 * @example
 * const params: ElicitRequestURLParams = { mode: 'url', message: 'Sign in.', url: 'https://example.com/sign-in' };
 */
export interface ElicitRequestURLParams extends TaskAugmentedRequestParams {
  mode: 'url';
  message: string;
  url: string;
  /** required by 2025-11-25, absent in 2026-07-28 */
  elicitationId?: string;
}

/**
 * The params of a request to the user.
 * @example
 * const params: ElicitRequestParams = { mode: 'url', message: 'Sign in.', url: 'https://example.com/sign-in' };
 */
export type ElicitRequestParams = ElicitRequestFormParams | ElicitRequestURLParams;

/**
 * The user's response; only an accepted form has `content`.
 * @example const result: ElicitResult = { action: 'accept', content: { name: 'Ada', gift: true } };
 */
export interface ElicitResult extends Result {
  action: 'accept' | 'decline' | 'cancel';
  content?: Record<string, string | number | boolean | string[]>;
}

// --- Multi-round-trip requests ----------------------------------------------------------------------------

/**
 * An input request inside an `input_required` result.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 * @example const question: InputRequest = { method: 'roots/list' };
 */
export type InputRequest =
  | { method: 'elicitation/create'; params: ElicitRequestParams }
  | { method: 'sampling/createMessage'; params: CreateMessageRequestParams }
  | { method: 'roots/list'; params?: { _meta?: MetaObject } };

/**
 * Input requests by key.
 * @example const questions: InputRequests = { folders: { method: 'roots/list' } };
 */
export type InputRequests = Record<string, InputRequest>;

/**
 * The client's response to one input request.
 * @example const answer: InputResponse = { roots: [{ uri: 'file:///home/ada' }] };
 */
export type InputResponse = ElicitResult | CreateMessageResult | ListRootsResult;

/**
 * Responses by the key of their input request.
 * @example const answers: InputResponses = { folders: { roots: [] }, sure: { action: 'decline' } };
 */
export type InputResponses = Record<string, InputResponse>;

/**
 * The params of a request that may be repeated with input responses.
 * @example
 * const params: InputResponseRequestParams = { inputResponses: { folders: { roots: [] } }, requestState: 'sealed' };
 */
export interface InputResponseRequestParams extends RequestParams {
  inputResponses?: InputResponses;
  requestState?: string;
}

/**
 * A result that asks for input; the client repeats the request with the responses and the same state.
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
 * The changes that a listen stream subscribes to.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions
 * @example
 * const filter: SubscriptionFilter = { toolsListChanged: true, resourceSubscriptions: ['memo://today'] };
 */
export interface SubscriptionFilter {
  toolsListChanged?: boolean;
  promptsListChanged?: boolean;
  resourcesListChanged?: boolean;
  resourceSubscriptions?: string[];
  /** the tasks to watch; part of the tasks extension */
  taskIds?: string[];
}

/**
 * The params of a request for a stream of changes.
 * @example
 * const params: SubscriptionsListenRequestParams = { notifications: { toolsListChanged: true } };
 */
export interface SubscriptionsListenRequestParams extends RequestParams {
  notifications: SubscriptionFilter;
}

/**
 * The result at the end of a stream of changes.
 * @example
 * const result: SubscriptionsListenResult = { _meta: { 'io.modelcontextprotocol/subscriptionId': 7 } };
 */
export interface SubscriptionsListenResult extends Result {
  _meta: ResultMetaObject & { 'io.modelcontextprotocol/subscriptionId': RequestId };
}

/**
 * The part of a stream's filter that the server accepted.
 * @example
 * const params: SubscriptionsAcknowledgedNotificationParams = { notifications: { toolsListChanged: true } };
 */
export interface SubscriptionsAcknowledgedNotificationParams extends NotificationParams {
  notifications: SubscriptionFilter;
}

// --- Tasks (2025-11-25 only) ------------------------------------------------------------------------------

/**
 * The status of a task.
 * @example const status: TaskStatus = 'working';
 */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/**
 * The request to run as a task.
 * https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks
 * @example const task: TaskMetadata = { ttl: 600_000 };
 */
export interface TaskMetadata {
  ttl?: number;
}

/**
 * A reference to the task that a message belongs to.
 * @example const related: RelatedTaskMetadata = { taskId: 't1' };
 */
export interface RelatedTaskMetadata {
  taskId: string;
}

/**
 * The params of a request that may run as a task.
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
 * The params of a request about a task.
 * @example const params: TaskRequestParams = { taskId: 't1' };
 */
export interface TaskRequestParams extends RequestParams {
  taskId: string;
}

/**
 * The result that is sent in place of the real one when a task is created.
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
 * The current state of a task.
 * @example
 * const time = '2025-01-12T15:00:58Z';
 * const result: GetTaskResult = { taskId: 't1', status: 'completed', createdAt: time, lastUpdatedAt: time, ttl: null };
 */
export interface GetTaskResult extends Result, Task {}

/**
 * The state of a task after its cancellation.
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
 * The params of a notification about a changed task status.
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
 * The result that a server sends in place of the real one when it creates a task.
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
 * A task with its input requests or its outcome, depending on its status.
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
 * The result of `tasks/get`: a task with its input requests or its outcome.
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
 * Input responses for a task, by key.
 * @example
 * const params: UpdateTaskRequestParams = { taskId: 't1', inputResponses: { folders: { roots: [] } } };
 */
export interface UpdateTaskRequestParams extends TaskRequestParams {
  inputResponses: InputResponses;
}

/**
 * The params of a notification about the state of a task.
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
 * The params of a request for log messages of a level and above (until 2025-11-25).
 * @example const params: SetLevelRequestParams = { level: 'warning' };
 */
export interface SetLevelRequestParams extends RequestParams {
  level: LoggingLevel;
}

/**
 * One log message for the client.
 * https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/logging
 * @example
 * const params: LoggingMessageNotificationParams = { level: 'info', logger: 'disk', data: { free: 7 } };
 */
export interface LoggingMessageNotificationParams extends NotificationParams {
  level: LoggingLevel;
  logger?: string;
  data: unknown;
}

/**
 * The progress of a request. https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/progress
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
 * The params of a notification that cancels a request.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/cancellation
 * @example const params: CancelledNotificationParams = { requestId: 1, reason: 'the user has left' };
 */
export interface CancelledNotificationParams extends NotificationParams {
  /** optional in 2025-11-25 only, where tasks have their own cancellation */
  requestId?: RequestId;
  reason?: string;
}

/**
 * The params of a notification about a changed resource.
 * @example const params: ResourceUpdatedNotificationParams = { uri: 'memo://today' };
 */
export interface ResourceUpdatedNotificationParams extends NotificationParams {
  uri: string;
}

/**
 * The params of a notification that the user has completed a URL elicitation (2025-11-25 only).
 * @example const params: ElicitationCompleteNotificationParams = { elicitationId: 'sign-in-1' };
 */
export interface ElicitationCompleteNotificationParams extends NotificationParams {
  elicitationId: string;
}

// --- Data of errors ---------------------------------------------------------------------------------------

/**
 * The data of -32042 (2025-11-25 only): the pages that the user must visit before the request can succeed.
 * @example
 * const data: URLElicitationRequiredErrorData = {
 *   elicitations: [{ mode: 'url', message: 'Sign in.', url: 'https://example.com/sign-in', elicitationId: 'e1' }],
 * };
 */
export interface URLElicitationRequiredErrorData {
  elicitations: ElicitRequestURLParams[];
}

/**
 * The data of -32021: the capabilities that the client must declare.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic#error-codes
 * @example
 * const data: MissingRequiredClientCapabilityErrorData = { requiredCapabilities: { sampling: {} } };
 */
export interface MissingRequiredClientCapabilityErrorData {
  requiredCapabilities: ClientCapabilities;
}

/**
 * The data of -32022: the requested version and the supported ones.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning
 * @example
 * const data: UnsupportedProtocolVersionErrorData = { requested: '1999-01-01', supported: ['2026-07-28'] };
 */
export interface UnsupportedProtocolVersionErrorData {
  requested: string;
  supported: string[];
}
