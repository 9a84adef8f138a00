/**
 * The neutral model: every message part of the five revisions in the specification's own words and its newest
 * shape. What one revision lacks or a newer one added is optional here; codecs project it per revision.
 */

// --- Building blocks --------------------------------------------------------------------------------------

/** Any JSON value. */
export type JSONValue = string | number | boolean | null | JSONArray | JSONObject;
export type JSONArray = JSONValue[];
export interface JSONObject {
  [key: string]: JSONValue;
}

/** A JSON Schema document, open because vocabularies differ. */
export interface JSONSchema {
  [keyword: string]: unknown;
}

/** Metadata that extensions, clients and servers attach; keys with a reserved prefix belong to the specification. */
export type MetaObject = Record<string, unknown>;

/** The id of a request; an integer or a string, never null. */
export type RequestId = string | number;

/** The token that ties progress notifications to the request that asked for them. */
export type ProgressToken = string | number;

/** An opaque position in a list. */
export type Cursor = string;

export type Role = 'user' | 'assistant';

export type LoggingLevel =
  | 'debug'
  | 'info'
  | 'notice'
  | 'warning'
  | 'error'
  | 'critical'
  | 'alert'
  | 'emergency';

/** Whether an answer is final or asks for input first; open, because extensions add values. */
export type ResultType = 'complete' | 'input_required' | (string & {});

export type CacheScope = 'public' | 'private';

/** An image that stands for a thing. https://modelcontextprotocol.io/specification/2026-07-28/basic#icons */
export interface Icon {
  src: string;
  mimeType?: string;
  sizes?: string[];
  theme?: 'light' | 'dark';
}

/** The name and version of a client or server. */
export interface Implementation {
  name: string;
  version: string;
  title?: string;
  description?: string;
  icons?: Icon[];
  websiteUrl?: string;
}

/** Hints for whom a thing is and how much it matters. https://modelcontextprotocol.io/specification/2026-07-28/server/resources#annotations */
export interface Annotations {
  audience?: Role[];
  priority?: number;
  lastModified?: string;
}

/** The `_meta` of a request: in the stateless era it carries what the handshake would have agreed. */
export interface RequestMetaObject {
  progressToken?: ProgressToken;
  'io.modelcontextprotocol/protocolVersion'?: string;
  'io.modelcontextprotocol/clientInfo'?: Implementation;
  'io.modelcontextprotocol/clientCapabilities'?: ClientCapabilities;
  'io.modelcontextprotocol/logLevel'?: LoggingLevel;
  [key: string]: unknown;
}

/** The `_meta` of a result; the stateless era names the server there. */
export interface ResultMetaObject {
  'io.modelcontextprotocol/serverInfo'?: Implementation;
  [key: string]: unknown;
}

/** The `_meta` of a notification; a subscription's notifications name it there. */
export interface NotificationMetaObject {
  'io.modelcontextprotocol/subscriptionId'?: RequestId;
  [key: string]: unknown;
}

export interface RequestParams {
  _meta?: RequestMetaObject;
}

export interface NotificationParams {
  _meta?: NotificationMetaObject;
}

/** What every result may carry. */
export interface Result {
  _meta?: ResultMetaObject;
  resultType?: ResultType;
}

export type EmptyResult = Result;

export interface PaginatedRequestParams extends RequestParams {
  cursor?: Cursor;
}

export interface PaginatedResult extends Result {
  nextCursor?: Cursor;
}

/** How long and for whom an answer may be kept. https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching */
export interface CacheableResult extends Result {
  ttlMs?: number;
  cacheScope?: CacheScope;
}

// --- Content ----------------------------------------------------------------------------------------------

export interface TextContent {
  type: 'text';
  text: string;
  annotations?: Annotations;
  _meta?: MetaObject;
}

/** An image; `data` is base64. */
export interface ImageContent {
  type: 'image';
  data: string;
  mimeType: string;
  annotations?: Annotations;
  _meta?: MetaObject;
}

/** Sound; `data` is base64. */
export interface AudioContent {
  type: 'audio';
  data: string;
  mimeType: string;
  annotations?: Annotations;
  _meta?: MetaObject;
}

/** A resource that the client can read by itself. */
export interface ResourceLink extends Resource {
  type: 'resource_link';
}

/** A resource inside a message. */
export interface EmbeddedResource {
  type: 'resource';
  resource: ResourceContents;
  annotations?: Annotations;
  _meta?: MetaObject;
}

/** One part of a tool result or prompt message. https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool-result */
export type ContentBlock = TextContent | ImageContent | AudioContent | ResourceLink | EmbeddedResource;

// --- Resources --------------------------------------------------------------------------------------------

export interface TextResourceContents {
  uri: string;
  mimeType?: string;
  text: string;
  _meta?: MetaObject;
}

/** Binary contents; `blob` is base64. */
export interface BlobResourceContents {
  uri: string;
  mimeType?: string;
  blob: string;
  _meta?: MetaObject;
}

export type ResourceContents = TextResourceContents | BlobResourceContents;

/** Something that a server can be asked to read. https://modelcontextprotocol.io/specification/2026-07-28/server/resources#resource */
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

/** A family of resources behind an RFC 6570 template. https://modelcontextprotocol.io/specification/2026-07-28/server/resources#resource-templates */
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

export interface ListResourcesResult extends PaginatedResult, CacheableResult {
  resources: Resource[];
}

export interface ListResourceTemplatesResult extends PaginatedResult, CacheableResult {
  resourceTemplates: ResourceTemplate[];
}

export interface ReadResourceRequestParams extends InputResponseRequestParams {
  uri: string;
}

export interface ReadResourceResult extends CacheableResult {
  contents: ResourceContents[];
}

export interface SubscribeRequestParams extends RequestParams {
  uri: string;
}

export type UnsubscribeRequestParams = SubscribeRequestParams;

// --- Tools ------------------------------------------------------------------------------------------------

/** What a tool says about its effects; hints, never promises. */
export interface ToolAnnotations {
  title?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}

/** How a tool goes together with tasks (2025-11-25 only). */
export interface ToolExecution {
  taskSupport?: 'forbidden' | 'optional' | 'required';
}

/** A tool that a model can call. https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool */
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

export interface ListToolsResult extends PaginatedResult, CacheableResult {
  tools: Tool[];
}

export interface CallToolRequestParams extends InputResponseRequestParams, TaskAugmentedRequestParams {
  name: string;
  arguments?: Record<string, unknown>;
}

/** What a tool answered; a failure of the tool itself has `isError`. https://modelcontextprotocol.io/specification/2026-07-28/server/tools#calling-tools */
export interface CallToolResult extends Result {
  content: ContentBlock[];
  structuredContent?: unknown;
  isError?: boolean;
}

// --- Prompts ----------------------------------------------------------------------------------------------

export interface PromptArgument {
  name: string;
  title?: string;
  description?: string;
  required?: boolean;
}

/** A template of messages that a user can pick. https://modelcontextprotocol.io/specification/2026-07-28/server/prompts#prompt */
export interface Prompt {
  name: string;
  title?: string;
  description?: string;
  arguments?: PromptArgument[];
  icons?: Icon[];
  _meta?: MetaObject;
}

export interface PromptMessage {
  role: Role;
  content: ContentBlock;
}

export interface ListPromptsResult extends PaginatedResult, CacheableResult {
  prompts: Prompt[];
}

export interface GetPromptRequestParams extends InputResponseRequestParams {
  name: string;
  arguments?: Record<string, string>;
}

export interface GetPromptResult extends Result {
  description?: string;
  messages: PromptMessage[];
}

// --- Completion -------------------------------------------------------------------------------------------

export interface PromptReference {
  type: 'ref/prompt';
  name: string;
  title?: string;
}

export interface ResourceTemplateReference {
  type: 'ref/resource';
  uri: string;
}

/** Asks for values of one argument. https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/completion */
export interface CompleteRequestParams extends RequestParams {
  ref: PromptReference | ResourceTemplateReference;
  argument: { name: string; value: string };
  context?: { arguments?: Record<string, string> };
}

export interface CompleteResult extends Result {
  completion: { values: string[]; total?: number; hasMore?: boolean };
}

// --- Capabilities and the first words ---------------------------------------------------------------------

/** What a server offers. */
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

/** What a client offers. */
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

/** The client's first words in the handshake era. https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#initialization */
export interface InitializeRequestParams extends RequestParams {
  protocolVersion: string;
  capabilities: ClientCapabilities;
  clientInfo: Implementation;
}

export interface InitializeResult extends Result {
  protocolVersion: string;
  capabilities: ServerCapabilities;
  serverInfo: Implementation;
  instructions?: string;
}

/** What a server of the stateless era says about itself. https://modelcontextprotocol.io/specification/2026-07-28/server/discover */
export interface DiscoverResult extends CacheableResult {
  supportedVersions: string[];
  capabilities: ServerCapabilities;
  instructions?: string;
}

// --- Roots ------------------------------------------------------------------------------------------------

/** A place that the client lets the server work in. https://modelcontextprotocol.io/specification/2026-07-28/client/roots */
export interface Root {
  uri: string;
  name?: string;
  _meta?: MetaObject;
}

export interface ListRootsResult extends Result {
  roots: Root[];
}

// --- Sampling ---------------------------------------------------------------------------------------------

export interface ModelHint {
  name?: string;
}

/** What the server wants from a model; each priority lies between 0 and 1. */
export interface ModelPreferences {
  hints?: ModelHint[];
  costPriority?: number;
  speedPriority?: number;
  intelligencePriority?: number;
}

export interface ToolChoice {
  mode?: 'auto' | 'required' | 'none';
}

/** A model's wish to call a tool. */
export interface ToolUseContent {
  type: 'tool_use';
  id: string;
  name: string;
  input: Record<string, unknown>;
  _meta?: MetaObject;
}

/** The answer to a model's wish to call a tool. */
export interface ToolResultContent {
  type: 'tool_result';
  toolUseId: string;
  content: ContentBlock[];
  structuredContent?: unknown;
  isError?: boolean;
  _meta?: MetaObject;
}

export type SamplingMessageContentBlock =
  | TextContent
  | ImageContent
  | AudioContent
  | ToolUseContent
  | ToolResultContent;

export interface SamplingMessage {
  role: Role;
  content: SamplingMessageContentBlock | SamplingMessageContentBlock[];
  _meta?: MetaObject;
}

/** Asks the client's model for a message. https://modelcontextprotocol.io/specification/2026-07-28/client/sampling */
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

export interface CreateMessageResult extends Result {
  role: Role;
  content: SamplingMessageContentBlock | SamplingMessageContentBlock[];
  model: string;
  stopReason?: 'endTurn' | 'stopSequence' | 'maxTokens' | 'toolUse' | (string & {});
}

// --- Elicitation ------------------------------------------------------------------------------------------

export interface StringSchema {
  type: 'string';
  title?: string;
  description?: string;
  minLength?: number;
  maxLength?: number;
  format?: 'email' | 'uri' | 'date' | 'date-time';
  default?: string;
}

export interface NumberSchema {
  type: 'number' | 'integer';
  title?: string;
  description?: string;
  minimum?: number;
  maximum?: number;
  default?: number;
}

export interface BooleanSchema {
  type: 'boolean';
  title?: string;
  description?: string;
  default?: boolean;
}

export interface UntitledSingleSelectEnumSchema {
  type: 'string';
  title?: string;
  description?: string;
  enum: string[];
  default?: string;
}

export interface TitledSingleSelectEnumSchema {
  type: 'string';
  title?: string;
  description?: string;
  oneOf: { const: string; title: string }[];
  default?: string;
}

export interface UntitledMultiSelectEnumSchema {
  type: 'array';
  title?: string;
  description?: string;
  minItems?: number;
  maxItems?: number;
  items: { type: 'string'; enum: string[] };
  default?: string[];
}

export interface TitledMultiSelectEnumSchema {
  type: 'array';
  title?: string;
  description?: string;
  minItems?: number;
  maxItems?: number;
  items: { anyOf: { const: string; title: string }[] };
  default?: string[];
}

/** The choice of 2025-06-18, with display names beside the values. */
export interface LegacyTitledEnumSchema {
  type: 'string';
  title?: string;
  description?: string;
  enum: string[];
  enumNames?: string[];
  default?: string;
}

export type EnumSchema =
  | UntitledSingleSelectEnumSchema
  | TitledSingleSelectEnumSchema
  | UntitledMultiSelectEnumSchema
  | TitledMultiSelectEnumSchema
  | LegacyTitledEnumSchema;

/** One field of a form. */
export type PrimitiveSchemaDefinition = StringSchema | NumberSchema | BooleanSchema | EnumSchema;

/** Asks the user to fill in a form. https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#form-mode-elicitation-requests */
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

/** Asks the user to visit a page. https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#url-mode-elicitation-requests */
export interface ElicitRequestURLParams extends TaskAugmentedRequestParams {
  mode: 'url';
  message: string;
  url: string;
  /** Required by 2025-11-25, unknown to 2026-07-28. */
  elicitationId?: string;
}

export type ElicitRequestParams = ElicitRequestFormParams | ElicitRequestURLParams;

export interface ElicitResult extends Result {
  action: 'accept' | 'decline' | 'cancel';
  content?: Record<string, string | number | boolean | string[]>;
}

// --- Multi-round-trip requests ----------------------------------------------------------------------------

/** A question inside an `input_required` result. https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr */
export type InputRequest =
  | { method: 'elicitation/create'; params: ElicitRequestParams }
  | { method: 'sampling/createMessage'; params: CreateMessageRequestParams }
  | { method: 'roots/list'; params?: { _meta?: MetaObject } };

export type InputRequests = Record<string, InputRequest>;

/** The client's answer to one question. */
export type InputResponse = ElicitResult | CreateMessageResult | ListRootsResult;

export type InputResponses = Record<string, InputResponse>;

/** Params of a request that may be repeated with answers. */
export interface InputResponseRequestParams extends RequestParams {
  inputResponses?: InputResponses;
  requestState?: string;
}

/** A result that asks before it answers; the client repeats the request with answers and the exact state. */
export interface InputRequiredResult extends Result {
  resultType: 'input_required';
  inputRequests?: InputRequests;
  requestState?: string;
}

// --- Subscriptions ----------------------------------------------------------------------------------------

/** What a listen stream wants to hear about. https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions */
export interface SubscriptionFilter {
  toolsListChanged?: boolean;
  promptsListChanged?: boolean;
  resourcesListChanged?: boolean;
  resourceSubscriptions?: string[];
  /** tasks whose changes are wanted; of the tasks extension */
  taskIds?: string[];
}

export interface SubscriptionsListenRequestParams extends RequestParams {
  notifications: SubscriptionFilter;
}

export interface SubscriptionsListenResult extends Result {
  _meta: ResultMetaObject & { 'io.modelcontextprotocol/subscriptionId': RequestId };
}

export interface SubscriptionsAcknowledgedNotificationParams extends NotificationParams {
  notifications: SubscriptionFilter;
}

// --- Tasks (2025-11-25 only) ------------------------------------------------------------------------------

export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** The wish to run a request as a task. https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/tasks */
export interface TaskMetadata {
  ttl?: number;
}

export interface RelatedTaskMetadata {
  taskId: string;
}

export interface TaskAugmentedRequestParams extends RequestParams {
  task?: TaskMetadata;
}

/** The state of a task; a `ttl` of null never expires. */
export interface Task {
  taskId: string;
  status: TaskStatus;
  statusMessage?: string;
  createdAt: string;
  lastUpdatedAt: string;
  ttl: number | null;
  pollInterval?: number;
}

export interface TaskRequestParams extends RequestParams {
  taskId: string;
}

export interface CreateTaskResult extends Result {
  task: Task;
}

export interface GetTaskResult extends Result, Task {}

export interface CancelTaskResult extends Result, Task {}

export interface ListTasksResult extends PaginatedResult {
  tasks: Task[];
}

export interface TaskStatusNotificationParams extends NotificationParams, Task {}

// --- Tasks extension (2026-07-28) -------------------------------------------------------------------------

/** The state of a task of `io.modelcontextprotocol/tasks`. https://modelcontextprotocol.io/seps/2663-tasks-extension */
export interface ExtensionTask {
  taskId: string;
  status: TaskStatus;
  statusMessage?: string;
  createdAt: string;
  lastUpdatedAt: string;
  ttlMs: number | null;
  pollIntervalMs?: number;
}

/** What a server answers in place of a result when it makes a task of a request. */
export interface CreateExtensionTaskResult extends Result, ExtensionTask {
  resultType: 'task';
}

/** A task with its open questions or its outcome, as its status has it. */
export interface DetailedTask extends ExtensionTask {
  inputRequests?: InputRequests;
  result?: Record<string, unknown>;
  error?: { code: number; message: string; data?: unknown };
}

export interface GetExtensionTaskResult extends Result, DetailedTask {}

/** Answers to open questions of a task, by key. */
export interface UpdateTaskRequestParams extends TaskRequestParams {
  inputResponses: InputResponses;
}

export interface TaskNotificationParams extends NotificationParams, DetailedTask {}

// --- Logging and the other notifications ------------------------------------------------------------------

export interface SetLevelRequestParams extends RequestParams {
  level: LoggingLevel;
}

/** One log line for the client. https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/logging */
export interface LoggingMessageNotificationParams extends NotificationParams {
  level: LoggingLevel;
  logger?: string;
  data: unknown;
}

/** How far a request has come. https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/progress */
export interface ProgressNotificationParams extends NotificationParams {
  progressToken: ProgressToken;
  progress: number;
  total?: number;
  message?: string;
}

/** Ends a request early. https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/cancellation */
export interface CancelledNotificationParams extends NotificationParams {
  /** Optional in 2025-11-25 alone, where a task has its own way to be cancelled. */
  requestId?: RequestId;
  reason?: string;
}

export interface ResourceUpdatedNotificationParams extends NotificationParams {
  uri: string;
}

export interface ElicitationCompleteNotificationParams extends NotificationParams {
  elicitationId: string;
}

// --- Data of errors ---------------------------------------------------------------------------------------

/** The data of -32042 (2025-11-25 only): pages to visit before the request can succeed. */
export interface URLElicitationRequiredErrorData {
  elicitations: ElicitRequestURLParams[];
}

/** The data of -32021: what the client would have to offer. https://modelcontextprotocol.io/specification/2026-07-28/basic#error-codes */
export interface MissingRequiredClientCapabilityErrorData {
  requiredCapabilities: ClientCapabilities;
}

/** The data of -32022: what was asked for and what there is. https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning */
export interface UnsupportedProtocolVersionErrorData {
  requested: string;
  supported: string[];
}
