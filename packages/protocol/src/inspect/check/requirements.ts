import type { Revision } from '../../protocol/revisions.ts';

export type Level = 'MUST' | 'MUST NOT' | 'SHOULD' | 'SHOULD NOT' | 'IMPLIED';

/** The first and last revision that have it, its level, and its source page. */
export type Place = readonly [from: Revision, to: Revision, level: Level, source: string];

/** The requirements on servers that can be observed from outside, by id without the revision. */
export const requirements = {
  'jsonrpc/jsonrpc-member-is-2-0': [
    'Every message carries a jsonrpc member whose value is the string "2.0".',
    ['2024-11-05', '2025-06-18', 'IMPLIED', 'schema#JSONRPC_VERSION'],
    ['2025-11-25', '2026-07-28', 'IMPLIED', 'basic/index#messages'],
  ],
  'jsonrpc/result-response-echoes-request-id': [
    'A result response carries the same id (same JSON type and value) as the request it answers.',
    ['2025-11-25', '2026-07-28', 'MUST', 'basic/index#result-responses'],
  ],
  'jsonrpc/response-id-keeps-type': [
    'The id of a response keeps the JSON type of the request id, so a string id is not answered with a number or the reverse.',
    ['2024-11-05', '2024-11-05', 'IMPLIED', 'basic/messages#responses'],
    ['2025-03-26', '2025-11-25', 'IMPLIED', 'basic/index#responses'],
    ['2026-07-28', '2026-07-28', 'IMPLIED', 'schema#JSONRPCResponse'],
  ],
  'jsonrpc/result-response-has-result-member': [
    'A success response contains a result member.',
    ['2025-11-25', '2026-07-28', 'MUST', 'basic/index#result-responses'],
  ],
  'jsonrpc/response-not-both-result-and-error': [
    'A response never has a result and an error together (2025-06-18 said so as MUST NOT; here it follows from the two response types).',
    ['2024-11-05', '2024-11-05', 'MUST NOT', 'basic/messages#responses'],
    ['2025-03-26', '2025-06-18', 'MUST NOT', 'basic/index#responses'],
    ['2025-11-25', '2025-11-25', 'IMPLIED', 'basic/index#error-responses'],
    ['2026-07-28', '2026-07-28', 'IMPLIED', 'schema#JSONRPCResponse'],
  ],
  'jsonrpc/error-response-echoes-request-id': [
    'An error response carries the id of the request it answers whenever that id could be read.',
    ['2025-11-25', '2026-07-28', 'MUST', 'basic/index#error-responses'],
  ],
  'jsonrpc/error-has-code-and-message': [
    'An error object must contain at least a code and a message.',
    ['2024-11-05', '2024-11-05', 'IMPLIED', 'basic/index'],
    ['2025-03-26', '2025-06-18', 'MUST', 'basic/index#responses'],
    ['2025-11-25', '2026-07-28', 'MUST', 'basic/index#error-responses'],
  ],
  'jsonrpc/error-code-is-integer': [
    'An error code must be an integer.',
    ['2024-11-05', '2024-11-05', 'MUST', 'basic/messages#responses'],
    ['2025-03-26', '2025-06-18', 'MUST', 'basic/index#responses'],
    ['2025-11-25', '2026-07-28', 'MUST', 'basic/index#error-responses'],
  ],
  'jsonrpc/no-response-to-notification': [
    'The receiver of a notification must not send a response to it.',
    ['2024-11-05', '2024-11-05', 'IMPLIED', 'basic/messages#notifications'],
    ['2025-03-26', '2026-07-28', 'MUST NOT', 'basic/index#notifications'],
  ],
  'jsonrpc/unknown-notification-not-answered': [
    'A notification with an unrecognized method produces neither a result nor an error.',
    ['2024-11-05', '2024-11-05', 'IMPLIED', 'basic/messages#notifications'],
    ['2025-03-26', '2025-11-25', 'IMPLIED', 'basic/index#notifications'],
    ['2026-07-28', '2026-07-28', 'IMPLIED', 'schema#JSONRPCNotification'],
  ],
  'jsonrpc/parse-error-32700': [
    'Text that is not valid JSON is reported with error code -32700.',
    ['2024-11-05', '2025-11-25', 'IMPLIED', 'schema#PARSE_ERROR'],
    ['2026-07-28', '2026-07-28', 'IMPLIED', 'schema#ParseError'],
  ],
  'jsonrpc/invalid-request-32600': [
    'JSON that is not a valid request object is reported with error code -32600.',
    ['2024-11-05', '2025-11-25', 'IMPLIED', 'schema#INVALID_REQUEST'],
    ['2026-07-28', '2026-07-28', 'IMPLIED', 'schema#InvalidRequestError'],
  ],
  'jsonrpc/method-not-found-32601': [
    'A request for an unknown or unsupported method is answered with error code -32601.',
    ['2024-11-05', '2025-11-25', 'IMPLIED', 'schema#METHOD_NOT_FOUND'],
    ['2026-07-28', '2026-07-28', 'IMPLIED', 'schema#MethodNotFoundError'],
  ],
  'jsonrpc/invalid-params-32602': [
    'A request with invalid parameters is answered with error code -32602.',
    ['2024-11-05', '2025-11-25', 'IMPLIED', 'schema#INVALID_PARAMS'],
    ['2026-07-28', '2026-07-28', 'IMPLIED', 'schema#InvalidParamsError'],
  ],
  'jsonrpc/unadvertised-feature-answered-32601': [
    'A method behind a server capability that was not advertised is answered with error -32601.',
    ['2026-07-28', '2026-07-28', 'IMPLIED', 'schema#MethodNotFoundError'],
  ],
  'jsonrpc/extra-members-tolerated': [
    'Receivers tolerate additional, unknown members in params and results.',
    ['2024-11-05', '2026-07-28', 'IMPLIED', 'schema#Result'],
  ],
  'jsonrpc/no-batch-arrays-sent': [
    'Neither side sends a JSON array as a message.',
    ['2025-11-25', '2026-07-28', 'IMPLIED', 'schema#JSONRPCMessage'],
  ],
  'jsonrpc/batch-arrays-not-supported': [
    'A JSON-RPC batch array is not a message of this revision and is rejected.',
    ['2025-11-25', '2026-07-28', 'IMPLIED', 'schema#JSONRPCMessage'],
  ],
  'jsonrpc/request-id-not-null': [
    'A request id must never be null.',
    ['2024-11-05', '2024-11-05', 'MUST NOT', 'basic/messages#requests'],
    ['2025-03-26', '2026-07-28', 'MUST NOT', 'basic/index#requests'],
  ],
  'jsonrpc/result-has-result-type': [
    'Every result object contains a resultType member.',
    ['2026-07-28', '2026-07-28', 'MUST', 'basic/index#result-responses'],
  ],
  'jsonrpc/retired-code-32002-not-emitted': [
    'An implementation of this revision never emits error code -32002.',
    ['2026-07-28', '2026-07-28', 'MUST NOT', 'basic/index#error-codes'],
  ],
  'jsonrpc/retired-code-32042-not-emitted': [
    'An implementation of this revision never emits error code -32042.',
    ['2026-07-28', '2026-07-28', 'MUST NOT', 'basic/index#error-codes'],
  ],
  'jsonrpc/undefined-reserved-codes-not-emitted': [
    'No error code from -32020 to -32099 is emitted unless the specification defines it.',
    ['2026-07-28', '2026-07-28', 'MUST NOT', 'basic/index#error-codes'],
  ],
  'jsonrpc/finished-request-id-may-be-reused': [
    'A server accepts an id the client used before, once that earlier request got its response (uniqueness is only among pending requests).',
    ['2026-07-28', '2026-07-28', 'IMPLIED', 'basic/index#requests'],
  ],
  'batching/receiving-batches-supported': [
    'An implementation must be able to receive JSON-RPC batches.',
    ['2025-03-26', '2025-03-26', 'MUST', 'basic/index#batching'],
  ],
  'batching/one-response-per-batched-request': [
    'Every request in a batch gets exactly one response.',
    ['2025-03-26', '2025-03-26', 'IMPLIED', 'jsonrpc-2.0#batch'],
  ],
  'batching/batch-array-received-is-invalid-request': [
    'A received JSON array is not a valid message and is rejected as an invalid request rather than processed.',
    ['2025-06-18', '2025-06-18', 'IMPLIED', 'schema#JSONRPCMessage'],
  ],
  'base/schema-is-source-of-truth': [
    'Every message and structure conforms to the TypeScript schema of the revision, which is the source of truth.',
    ['2024-11-05', '2025-11-25', 'IMPLIED', 'basic/index#schema'],
    ['2026-07-28', '2026-07-28', 'IMPLIED', 'schema#ClientRequest'],
  ],
  'base/server-initiates-no-requests': [
    'The server never initiates a JSON-RPC request, on any transport.',
    ['2026-07-28', '2026-07-28', 'MUST NOT', 'basic/patterns/index'],
  ],
  'base/removed-methods-answered-as-unknown': [
    'initialize, ping, logging/setLevel, resources/subscribe, resources/unsubscribe, tasks/list and tasks/result are no methods of 2026-07-28; a modern request for one is answered as an unknown method.',
    ['2026-07-28', '2026-07-28', 'IMPLIED', 'schema#ClientRequest'],
  ],
  'lifecycle/initialize-result-has-protocol-version': [
    'The initialize response contains the protocolVersion the server wants to use.',
    ['2024-11-05', '2025-11-25', 'IMPLIED', 'schema#InitializeResult'],
  ],
  'lifecycle/initialize-result-has-capabilities': [
    'The initialize response must contain the server capabilities.',
    ['2024-11-05', '2025-11-25', 'MUST', 'basic/lifecycle#initialization'],
  ],
  'lifecycle/initialize-result-has-server-info': [
    'The initialize response must contain information on the server implementation.',
    ['2024-11-05', '2025-11-25', 'MUST', 'basic/lifecycle#initialization'],
  ],
  'lifecycle/server-info-has-name-and-version': [
    'serverInfo contains a name and a version string.',
    ['2024-11-05', '2025-11-25', 'IMPLIED', 'schema#Implementation'],
  ],
  'lifecycle/version-is-a-date-string': [
    'A protocol version identifier is a string of the form YYYY-MM-DD.',
    ['2024-11-05', '2025-06-18', 'IMPLIED', 'versioning'],
    ['2025-11-25', '2025-11-25', 'IMPLIED', 'docs/learn/versioning'],
  ],
  'lifecycle/server-echoes-supported-version': [
    'A server that supports the requested protocol version must answer with that same version.',
    ['2024-11-05', '2025-11-25', 'MUST', 'basic/lifecycle#version-negotiation'],
  ],
  'lifecycle/server-offers-other-supported-version': [
    'A server that does not support the requested version must answer with another version that it does support.',
    ['2024-11-05', '2025-11-25', 'MUST', 'basic/lifecycle#version-negotiation'],
  ],
  'lifecycle/server-waits-for-initialized': [
    'Until the initialized notification has arrived a server should not send requests of its own, pings and log messages excepted.',
    ['2024-11-05', '2025-11-25', 'SHOULD NOT', 'basic/lifecycle#initialization'],
  ],
  'lifecycle/unknown-capabilities-tolerated': [
    'The capability set is open, so unknown capabilities from the peer are tolerated.',
    ['2024-11-05', '2025-11-25', 'IMPLIED', 'schema#ClientCapabilities'],
  ],
  'lifecycle/only-negotiated-capabilities-used': [
    'During operation both sides must use only capabilities that were negotiated.',
    ['2024-11-05', '2025-03-26', 'SHOULD', 'basic/lifecycle#operation'],
    ['2025-06-18', '2025-11-25', 'MUST', 'basic/lifecycle#operation'],
  ],
  'ping/answered-promptly-with-empty-result': [
    'The receiver of a ping must promptly answer with an empty result object.',
    ['2024-11-05', '2025-11-25', 'MUST', 'basic/utilities/ping#behavior-requirements'],
  ],
  'ping/ping-allowed-before-initialization-completes': [
    'Ping can be sent and is answered before initialization has completed.',
    ['2024-11-05', '2025-11-25', 'IMPLIED', 'basic/lifecycle#initialization'],
  ],
  'discover/server-implements-discover': [
    'The server implements server/discover.',
    ['2026-07-28', '2026-07-28', 'MUST', 'basic/versioning#protocol-version-negotiation'],
  ],
  'discover/discover-result-has-supported-versions': [
    'A discover result has supportedVersions, the list of protocol versions the server supports.',
    ['2026-07-28', '2026-07-28', 'IMPLIED', 'server/discover#discoverresult'],
  ],
  'discover/discover-result-has-capabilities': [
    'A discover result has the server capabilities.',
    ['2026-07-28', '2026-07-28', 'IMPLIED', 'server/discover#discoverresult'],
  ],
  'versioning/unsupported-version-answered-32022': [
    'A request for a protocol version the server does not implement is answered with error -32022 (UnsupportedProtocolVersion).',
    ['2026-07-28', '2026-07-28', 'MUST', 'basic/versioning#protocol-version-negotiation'],
  ],
  'versioning/unsupported-version-error-lists-supported': [
    'The -32022 error lists the supported versions in data.supported.',
    ['2026-07-28', '2026-07-28', 'MUST', 'basic/versioning#protocol-version-negotiation'],
  ],
  'versioning/unsupported-version-error-names-requested': [
    'The -32022 error names the requested version in data.requested.',
    ['2026-07-28', '2026-07-28', 'IMPLIED', 'basic/versioning#protocol-version-negotiation'],
  ],
  'versioning/version-is-a-date-string': [
    'A protocol version identifier is a string of the form YYYY-MM-DD.',
    ['2026-07-28', '2026-07-28', 'IMPLIED', 'docs/learn/versioning'],
  ],
  'versioning/unknown-capabilities-tolerated': [
    'The capability set is open, so unknown capabilities from the peer are tolerated.',
    ['2026-07-28', '2026-07-28', 'IMPLIED', 'schema#ClientCapabilities'],
  ],
  'versioning/extension-identifiers-have-prefix': [
    'Extension identifiers always have a prefix.',
    ['2026-07-28', '2026-07-28', 'MUST', 'basic/versioning#extension-negotiation'],
  ],
  'meta/missing-required-meta-answered-32602': [
    'A request without a required _meta field is rejected with error -32602.',
    ['2026-07-28', '2026-07-28', 'MUST', 'basic/index#meta'],
  ],
  'meta/result-meta-has-server-info': [
    'Every result carries io.modelcontextprotocol/serverInfo in _meta unless the server is configured not to send it.',
    ['2026-07-28', '2026-07-28', 'SHOULD', 'basic/index#meta'],
  ],
  'stateless/no-reliance-on-prior-requests': [
    'The server does not rely on earlier requests of the connection for capabilities, protocol version, client identity or other context.',
    ['2026-07-28', '2026-07-28', 'MUST NOT', 'basic/index#statelessness'],
  ],
  'caching/discover-result-has-cache-hints': [
    'A complete server/discover result has ttlMs and cacheScope.',
    ['2026-07-28', '2026-07-28', 'MUST', 'server/utilities/caching#cacheable-results'],
  ],
  'caching/tools-list-result-has-cache-hints': [
    'A complete tools/list result has ttlMs and cacheScope.',
    ['2026-07-28', '2026-07-28', 'MUST', 'server/utilities/caching#cacheable-results'],
  ],
  'caching/resources-list-result-has-cache-hints': [
    'A complete resources/list result has ttlMs and cacheScope.',
    ['2026-07-28', '2026-07-28', 'MUST', 'server/utilities/caching#cacheable-results'],
  ],
  'caching/resource-templates-list-result-has-cache-hints': [
    'A complete resources/templates/list result has ttlMs and cacheScope.',
    ['2026-07-28', '2026-07-28', 'MUST', 'server/utilities/caching#cacheable-results'],
  ],
  'caching/prompts-list-result-has-cache-hints': [
    'A complete prompts/list result has ttlMs and cacheScope.',
    ['2026-07-28', '2026-07-28', 'MUST', 'server/utilities/caching#cacheable-results'],
  ],
  'caching/resources-read-result-has-cache-hints': [
    'A complete resources/read result has ttlMs and cacheScope.',
    ['2026-07-28', '2026-07-28', 'MUST', 'server/utilities/caching#cacheable-results'],
  ],
  'caching/ttl-is-not-negative': [
    'The server sends a ttlMs of 0 or more.',
    ['2026-07-28', '2026-07-28', 'MUST', 'server/utilities/caching#time-to-live-ttl-field'],
  ],
  'caching/same-cache-scope-on-all-pages': [
    'All pages of one list request have the same cacheScope.',
    ['2026-07-28', '2026-07-28', 'MUST', 'server/utilities/caching#interaction-with-pagination'],
  ],
  'tools/declares-capability': [
    'A server that supports tools declares the tools capability in its discover result.',
    ['2024-11-05', '2026-07-28', 'MUST', 'server/tools#capabilities'],
  ],
  'tools/list-returns-tools': [
    'A tools/list request is answered with an array of tool definitions.',
    ['2024-11-05', '2025-06-18', 'IMPLIED', 'server/tools#listing-tools'],
    ['2025-11-25', '2025-11-25', 'IMPLIED', 'schema#ListToolsResult'],
    ['2026-07-28', '2026-07-28', 'IMPLIED', 'server/tools#listing-tools'],
  ],
  'tools/name-identifies-tool-uniquely': [
    'The name identifies a tool uniquely within the server.',
    ['2024-11-05', '2026-07-28', 'IMPLIED', 'server/tools#tool'],
  ],
  'tools/tool-name-length-1-to-128': [
    'A tool name has 1 to 128 characters.',
    ['2025-11-25', '2026-07-28', 'SHOULD', 'server/tools#tool-names'],
  ],
  'tools/tool-name-characters': [
    'A tool name has only ASCII letters, digits, underscore, hyphen and dot.',
    ['2025-11-25', '2026-07-28', 'SHOULD', 'server/tools#tool-names'],
  ],
  'tools/input-schema-is-object-schema': [
    'Every tool has an inputSchema, a JSON Schema whose type is object.',
    ['2024-11-05', '2025-06-18', 'IMPLIED', 'server/tools#tool'],
    ['2025-11-25', '2025-11-25', 'IMPLIED', 'schema#ListToolsResult'],
    ['2026-07-28', '2026-07-28', 'IMPLIED', 'schema#Tool'],
  ],
  'tools/output-schema-is-optional-object-schema': [
    'A tool can carry an outputSchema, a JSON Schema whose type is object.',
    ['2025-06-18', '2025-06-18', 'IMPLIED', 'server/tools#tool'],
    ['2025-11-25', '2025-11-25', 'IMPLIED', 'schema#Tool'],
  ],
  'tools/unknown-tool-is-protocol-error-32602': [
    'A call of an unknown tool is answered with a JSON-RPC error of code -32602.',
    ['2024-11-05', '2026-07-28', 'IMPLIED', 'server/tools#error-handling'],
  ],
  'tools/malformed-tool-call-is-protocol-error': [
    'A tools/call that does not satisfy the request schema is answered with a JSON-RPC error.',
    ['2025-11-25', '2026-07-28', 'IMPLIED', 'server/tools#error-handling'],
  ],
  'tools/call-returns-content': [
    'A tools/call request runs the named tool and is answered with a content array.',
    ['2024-11-05', '2025-06-18', 'IMPLIED', 'server/tools#calling-tools'],
    ['2025-11-25', '2025-11-25', 'IMPLIED', 'schema#CallToolResult'],
    ['2026-07-28', '2026-07-28', 'IMPLIED', 'server/tools#calling-tools'],
  ],
  'tools/output-schema-tool-returns-structured-content': [
    'A tool with an output schema must return a structured result.',
    ['2025-06-18', '2026-07-28', 'MUST', 'server/tools#output-schema'],
  ],
  'tools/structured-content-conforms-to-output-schema': [
    'The structured result of a tool with an output schema must conform to that schema.',
    ['2025-06-18', '2026-07-28', 'MUST', 'server/tools#output-schema'],
  ],
  'tools/structured-content-repeated-as-text': [
    'Structured content should be repeated as serialized JSON in a text block of the same result.',
    ['2025-06-18', '2026-07-28', 'SHOULD', 'server/tools#structured-content'],
  ],
  'tools/tools-in-deterministic-order': [
    'tools/list returns the tools in the same order as long as the set does not change.',
    ['2026-07-28', '2026-07-28', 'SHOULD', 'server/tools#capabilities'],
  ],
  'tools/tool-set-not-per-connection': [
    'The tool list does not vary per connection.',
    ['2026-07-28', '2026-07-28', 'MUST NOT', 'server/tools#capabilities'],
  ],
  'schema-json/published-schemas-valid-in-their-dialect': [
    'Every schema sent in a message is itself valid under its declared or default dialect.',
    ['2025-11-25', '2026-07-28', 'MUST', 'basic/index#schema-validation'],
  ],
  'resources/declares-capability': [
    'A server that supports resources declares the resources capability in its discover result.',
    ['2024-11-05', '2026-07-28', 'MUST', 'server/resources#capabilities'],
  ],
  'resources/list-returns-resources': [
    'A resources/list request is answered with an array of resource definitions.',
    ['2024-11-05', '2025-06-18', 'IMPLIED', 'server/resources#listing-resources'],
    ['2025-11-25', '2025-11-25', 'IMPLIED', 'schema#ListResourcesResult'],
    ['2026-07-28', '2026-07-28', 'IMPLIED', 'server/resources#listing-resources'],
  ],
  'resources/resource-has-uri-and-name': [
    'A resource definition has a uri and a name.',
    ['2024-11-05', '2025-06-18', 'IMPLIED', 'schema#Resource'],
    ['2025-11-25', '2025-11-25', 'IMPLIED', 'schema#ListResourcesResult'],
    ['2026-07-28', '2026-07-28', 'IMPLIED', 'schema#Resource'],
  ],
  'resources/uri-identifies-resource-uniquely': [
    'The uri identifies a resource uniquely.',
    ['2024-11-05', '2026-07-28', 'IMPLIED', 'server/resources#resource'],
  ],
  'resources/custom-uri-scheme-follows-rfc3986': [
    'A custom URI scheme must comply with RFC 3986 and with the guidance on the common schemes.',
    ['2025-06-18', '2026-07-28', 'MUST', 'server/resources#custom-uri-schemes'],
  ],
  'resources/templates-list-returns-templates': [
    'A resources/templates/list request is answered with an array of resource templates.',
    ['2024-11-05', '2025-06-18', 'IMPLIED', 'server/resources#resource-templates'],
    ['2025-11-25', '2025-11-25', 'IMPLIED', 'schema#ListResourceTemplatesResult'],
    ['2026-07-28', '2026-07-28', 'IMPLIED', 'server/resources#resource-templates'],
  ],
  'resources/template-uri-is-rfc6570': [
    'uriTemplate is an RFC 6570 URI template from which readable resource URIs are built.',
    ['2024-11-05', '2026-07-28', 'IMPLIED', 'server/resources#resource-templates'],
  ],
  'resources/read-returns-contents': [
    'A resources/read request is answered with an array of resource contents.',
    ['2024-11-05', '2025-06-18', 'IMPLIED', 'server/resources#reading-resources'],
    ['2025-11-25', '2025-11-25', 'IMPLIED', 'schema#ReadResourceResult'],
    ['2026-07-28', '2026-07-28', 'IMPLIED', 'server/resources#reading-resources'],
  ],
  'resources/contents-item-has-uri': [
    'Every item of read contents has a uri.',
    ['2024-11-05', '2025-06-18', 'IMPLIED', 'schema#ResourceContents'],
    ['2025-11-25', '2025-11-25', 'IMPLIED', 'schema#ReadResourceResult'],
    ['2026-07-28', '2026-07-28', 'IMPLIED', 'schema#ResourceContents'],
  ],
  'resources/binary-data-properly-encoded': [
    'Binary data must be properly encoded.',
    ['2024-11-05', '2026-07-28', 'MUST', 'server/resources#security-considerations'],
  ],
  'resources/not-found-error-32002': [
    'A read of a resource that does not exist should be answered with error code -32002.',
    ['2024-11-05', '2025-11-25', 'SHOULD', 'server/resources#error-handling'],
  ],
  'resources/not-found-error-32602': [
    'Reading a resource that does not exist is answered with error -32602.',
    ['2026-07-28', '2026-07-28', 'MUST', 'server/resources#error-handling'],
  ],
  'resources/no-empty-contents-for-missing-resource': [
    'The server never answers a read of a non-existent resource with an empty contents array.',
    ['2026-07-28', '2026-07-28', 'MUST NOT', 'server/resources#error-handling'],
  ],
  'resources/subscribe-returns-empty-result': [
    'resources/subscribe and resources/unsubscribe are answered with an empty result.',
    ['2024-11-05', '2025-11-25', 'IMPLIED', 'schema#EmptyResult'],
  ],
  'resources/resource-set-not-per-connection': [
    'The resource list does not vary per connection.',
    ['2026-07-28', '2026-07-28', 'MUST NOT', 'server/resources#capabilities'],
  ],
  'prompts/declares-capability': [
    'A server that supports prompts declares the prompts capability in its discover result.',
    ['2024-11-05', '2026-07-28', 'MUST', 'server/prompts#capabilities'],
  ],
  'prompts/list-returns-prompts': [
    'A prompts/list request is answered with an array of prompt definitions.',
    ['2024-11-05', '2025-06-18', 'IMPLIED', 'server/prompts#listing-prompts'],
    ['2025-11-25', '2025-11-25', 'IMPLIED', 'schema#ListPromptsResult'],
    ['2026-07-28', '2026-07-28', 'IMPLIED', 'server/prompts#listing-prompts'],
  ],
  'prompts/name-identifies-prompt-uniquely': [
    'The name identifies a prompt uniquely within the server.',
    ['2024-11-05', '2026-07-28', 'IMPLIED', 'server/prompts#prompt'],
  ],
  'prompts/get-returns-messages': [
    'A prompts/get request is answered with an array of messages and an optional description.',
    ['2024-11-05', '2025-06-18', 'IMPLIED', 'server/prompts#getting-a-prompt'],
    ['2025-11-25', '2025-11-25', 'IMPLIED', 'schema#GetPromptResult'],
    ['2026-07-28', '2026-07-28', 'IMPLIED', 'server/prompts#getting-a-prompt'],
  ],
  'prompts/invalid-name-error-32602': [
    'A prompts/get with an unknown prompt name should be answered with error code -32602.',
    ['2024-11-05', '2026-07-28', 'SHOULD', 'server/prompts#error-handling'],
  ],
  'prompts/missing-arguments-error-32602': [
    'A prompts/get without a required argument should be answered with error code -32602.',
    ['2024-11-05', '2026-07-28', 'SHOULD', 'server/prompts#error-handling'],
  ],
  'prompts/prompt-set-not-per-connection': [
    'The prompt list does not vary per connection.',
    ['2026-07-28', '2026-07-28', 'MUST NOT', 'server/prompts#capabilities'],
  ],
  'completion/unsupported-completion-error-32601': [
    'A server without the completions capability should answer completion/complete with error code -32601.',
    ['2025-03-26', '2026-07-28', 'SHOULD', 'server/utilities/completion#error-handling'],
  ],
  'completion/invalid-prompt-name-error-32602': [
    'A completion for an unknown prompt should be answered with error code -32602.',
    ['2025-03-26', '2026-07-28', 'SHOULD', 'server/utilities/completion#error-handling'],
  ],
  'completion/request-returns-values': [
    'A completion/complete request is answered with a completion object that holds an array of string values.',
    ['2024-11-05', '2025-06-18', 'IMPLIED', 'server/utilities/completion#requesting-completions'],
    ['2025-11-25', '2025-11-25', 'IMPLIED', 'schema#CompleteResult'],
    ['2026-07-28', '2026-07-28', 'IMPLIED', 'server/utilities/completion#requesting-completions'],
  ],
  'completion/at-most-100-values': [
    'A completion response must not hold more than 100 values.',
    ['2024-11-05', '2026-07-28', 'IMPLIED', 'server/utilities/completion#completion-results'],
  ],
  'completion/declares-capability': [
    'A server that supports completions declares the completions capability in its discover result.',
    ['2025-03-26', '2026-07-28', 'MUST', 'server/utilities/completion#capabilities'],
  ],
  'logging/declares-capability': [
    'A server that emits log notifications declares the logging capability in its discover result.',
    ['2024-11-05', '2026-07-28', 'MUST', 'server/utilities/logging#capabilities'],
  ],
  'logging/set-level-returns-empty-result': [
    'logging/setLevel is answered with an empty result.',
    ['2024-11-05', '2025-06-18', 'IMPLIED', 'server/utilities/logging#message-flow'],
    ['2025-11-25', '2025-11-25', 'IMPLIED', 'server/utilities/logging#setting-log-level'],
  ],
  'logging/invalid-level-error-32602': [
    'An unknown level in setLevel should be answered with error code -32602.',
    ['2024-11-05', '2025-11-25', 'SHOULD', 'server/utilities/logging#error-handling'],
  ],
  'logging/no-log-without-requested-level': [
    'The server emits no notifications/message for a request without io.modelcontextprotocol/logLevel in _meta.',
    ['2026-07-28', '2026-07-28', 'MUST NOT', 'server/utilities/logging#per-request-log-level'],
  ],
  'logging/invalid-log-level-in-meta-error-32602': [
    'A request whose logLevel is not a known level is rejected with error -32602.',
    ['2026-07-28', '2026-07-28', 'SHOULD', 'server/utilities/logging#error-handling'],
  ],
  'pagination/cursor-is-opaque-string': [
    'A cursor is an opaque string that denotes a position in the result set.',
    ['2024-11-05', '2026-07-28', 'IMPLIED', 'server/utilities/pagination#pagination-model'],
  ],
  'pagination/next-cursor-omitted-at-end': [
    'On the last page nextCursor is left out, as the schema allows a string but not null.',
    ['2024-11-05', '2026-07-28', 'IMPLIED', 'schema#PaginatedResult'],
  ],
  'pagination/page-starts-after-cursor': [
    'A request with a cursor should be answered with the results that follow that position.',
    ['2024-11-05', '2025-06-18', 'IMPLIED', 'schema#PaginatedRequest'],
    ['2025-11-25', '2026-07-28', 'IMPLIED', 'schema#PaginatedRequestParams'],
  ],
  'pagination/invalid-cursor-error-32602': [
    'An invalid cursor should be answered with error code -32602.',
    ['2024-11-05', '2026-07-28', 'SHOULD', 'server/utilities/pagination#error-handling'],
  ],
  'subscriptions/acknowledged-is-first-subscription-message': [
    'The first message with the subscription id is notifications/subscriptions/acknowledged.',
    ['2026-07-28', '2026-07-28', 'MUST', 'basic/patterns/subscriptions#acknowledgment'],
  ],
  'subscriptions/subscription-id-is-listen-request-id': [
    'The subscription id is the JSON-RPC id (same type) of the subscriptions/listen request.',
    ['2026-07-28', '2026-07-28', 'IMPLIED', 'basic/patterns/subscriptions#receiving-notifications'],
  ],
  'subscriptions/acknowledgment-lists-honored-subset': [
    'The acknowledgment lists the subset of requested types the server honors; unsupported types are omitted.',
    ['2026-07-28', '2026-07-28', 'IMPLIED', 'basic/patterns/subscriptions#acknowledgment'],
  ],
  'subscriptions/only-requested-notification-types-sent': [
    'The server sends no notification type the client did not request in the filter.',
    ['2026-07-28', '2026-07-28', 'MUST NOT', 'basic/patterns/subscriptions#opening-a-stream'],
  ],
  'subscriptions/listen-notifications-carry-subscription-id': [
    'Every notification delivered on a subscriptions/listen stream carries io.modelcontextprotocol/subscriptionId in _meta.',
    ['2026-07-28', '2026-07-28', 'MUST', 'basic/index#meta'],
  ],
  'transport-stdio/server-stdout-carries-only-mcp': [
    'Only valid MCP messages may appear on the stdout of the server; it must not write anything else there.',
    ['2024-11-05', '2025-11-25', 'MUST NOT', 'basic/transports#stdio'],
    ['2026-07-28', '2026-07-28', 'MUST NOT', 'basic/transports/stdio'],
  ],
  'transport-stdio/no-embedded-newlines': [
    'A message on stdio must not contain an embedded newline.',
    ['2024-11-05', '2025-11-25', 'MUST NOT', 'basic/transports#stdio'],
    ['2026-07-28', '2026-07-28', 'MUST NOT', 'basic/transports/stdio'],
  ],
  'transport-stdio/line-is-an-individual-message': [
    'On stdio each message is an individual request, notification or response and not a batch.',
    ['2025-06-18', '2025-11-25', 'IMPLIED', 'basic/transports#stdio'],
    ['2026-07-28', '2026-07-28', 'IMPLIED', 'basic/transports/stdio'],
  ],
  'transport-stdio/server-exits-when-stdin-closes': [
    'The server exits promptly when its stdin is closed or reaches end of file.',
    ['2024-11-05', '2025-11-25', 'IMPLIED', 'basic/lifecycle#stdio'],
    ['2026-07-28', '2026-07-28', 'SHOULD', 'basic/transports/stdio#shutdown'],
  ],
  'transport-stdio/server-writes-no-requests': [
    'The server never writes a JSON-RPC request to stdout.',
    ['2026-07-28', '2026-07-28', 'MUST NOT', 'basic/transports/stdio#receiving-messages'],
  ],
  'transport-http/origin-validated': [
    'The server must validate the Origin header of every incoming connection.',
    ['2025-03-26', '2025-11-25', 'MUST', 'basic/transports#security-warning'],
    ['2026-07-28', '2026-07-28', 'MUST', 'basic/transports/streamable-http#security-endpoint'],
  ],
  'transport-http/invalid-origin-answered-403': [
    'A request with a present but invalid Origin header is answered with HTTP 403.',
    ['2025-11-25', '2025-11-25', 'MUST', 'basic/transports#security-warning'],
    ['2026-07-28', '2026-07-28', 'MUST', 'basic/transports/streamable-http#security-endpoint'],
  ],
  'transport-http/request-post-gets-json-or-sse': [
    'A POST that contains a request must be answered with Content-Type application/json or text/event-stream.',
    ['2025-03-26', '2025-11-25', 'MUST', 'basic/transports#sending-messages-to-the-server'],
    ['2026-07-28', '2026-07-28', 'MUST', 'basic/transports/streamable-http#sending-messages'],
  ],
  'transport-http/notification-or-response-post-gets-202': [
    'A POST that carries no request and is accepted must be answered with status 202 and no body.',
    ['2025-03-26', '2025-11-25', 'MUST', 'basic/transports#sending-messages-to-the-server'],
  ],
  'transport-http/notification-post-gets-202': [
    'A POST with an accepted notification is answered with HTTP 202 and no body.',
    ['2026-07-28', '2026-07-28', 'MUST', 'basic/transports/streamable-http#sending-messages'],
  ],
  'transport-http/unacceptable-input-gets-error-status': [
    'A notification or response the server cannot accept must be answered with an HTTP error status such as 400.',
    ['2025-03-26', '2025-11-25', 'MUST', 'basic/transports#sending-messages-to-the-server'],
  ],
  'transport-http/get-answered-with-sse-or-405': [
    'A GET must be answered with Content-Type text/event-stream or with status 405.',
    ['2025-03-26', '2025-11-25', 'MUST', 'basic/transports#listening-for-messages-from-the-server'],
  ],
  'transport-http/session-id-is-visible-ascii': [
    'The session id must consist of visible ASCII characters from 0x21 to 0x7E only.',
    ['2025-03-26', '2025-11-25', 'MUST', 'basic/transports#session-management'],
  ],
  'transport-http/session-id-globally-unique': [
    'The session id a server assigns should be globally unique.',
    ['2025-03-26', '2025-11-25', 'SHOULD', 'basic/transports#session-management'],
  ],
  'transport-http/missing-session-id-gets-400': [
    'A server that requires a session id should answer a non-initialize request without one with status 400.',
    ['2025-03-26', '2025-11-25', 'SHOULD', 'basic/transports#session-management'],
  ],
  'transport-http/terminated-session-gets-404': [
    'Requests that carry the id of a terminated session must be answered with status 404.',
    ['2025-03-26', '2025-11-25', 'MUST', 'basic/transports#session-management'],
  ],
  'transport-http/unsupported-version-header-gets-400': [
    'The server must answer 400 when MCP-Protocol-Version is invalid or names an unsupported version.',
    ['2025-06-18', '2025-11-25', 'MUST', 'basic/transports#protocol-version-header'],
  ],
  'transport-http/post-stream-delivers-every-response': [
    'An SSE stream opened by a POST should eventually carry the response to each request of that POST.',
    ['2025-03-26', '2025-06-18', 'SHOULD', 'basic/transports#sending-messages-to-the-server'],
  ],
  'transport-http/sse-stream-carries-the-response': [
    'An SSE response stream ends up carrying the final response to its request.',
    ['2025-11-25', '2025-11-25', 'SHOULD', 'basic/transports#sending-messages-to-the-server'],
    ['2026-07-28', '2026-07-28', 'IMPLIED', 'basic/transports/streamable-http'],
  ],
  'transport-http/sse-stream-ends-after-response': [
    'The server ends the SSE stream after it sent the response.',
    ['2025-11-25', '2025-11-25', 'SHOULD', 'basic/transports#sending-messages-to-the-server'],
  ],
  'transport-http/stream-ends-with-final-response': [
    'The final response ends the response stream.',
    ['2026-07-28', '2026-07-28', 'SHOULD', 'basic/transports/streamable-http#receiving-messages'],
  ],
  'transport-http/post-stream-closed-after-response': [
    'The server should close a POST stream once all its responses are sent.',
    ['2025-03-26', '2025-06-18', 'SHOULD', 'basic/transports#sending-messages-to-the-server'],
  ],
  'transport-http/sse-response-has-x-accel-buffering-no': [
    'An SSE response carries the header X-Accel-Buffering: no.',
    ['2026-07-28', '2026-07-28', 'SHOULD', 'basic/transports/streamable-http#receiving-messages'],
  ],
  'transport-http/missing-standard-header-rejected': [
    'A request that lacks MCP-Protocol-Version, Mcp-Method or a required Mcp-Name is rejected as a header validation failure.',
    ['2026-07-28', '2026-07-28', 'MUST', 'basic/transports/streamable-http#server-validation'],
  ],
  'transport-http/missing-version-header-rejected': [
    'A server without such support rejects a request without the version header (HTTP 400, -32020).',
    ['2026-07-28', '2026-07-28', 'MUST', 'basic/transports/streamable-http#protocol-version-header'],
  ],
  'transport-http/header-body-mismatch-rejected': [
    'A request whose standard headers differ from the body is rejected.',
    ['2026-07-28', '2026-07-28', 'MUST', 'basic/transports/streamable-http#server-validation'],
  ],
  'transport-http/version-header-mismatch-rejected': [
    'A version header that differs from the body is rejected with HTTP 400 and a HeaderMismatch error (-32020).',
    ['2026-07-28', '2026-07-28', 'MUST', 'basic/transports/streamable-http#protocol-version-header'],
  ],
  'transport-http/header-validation-failure-status-400': [
    'A header validation failure is answered with HTTP 400.',
    ['2026-07-28', '2026-07-28', 'MUST', 'basic/transports/streamable-http#server-validation'],
  ],
  'transport-http/header-validation-failure-body-32020': [
    'The HTTP 400 for a header validation failure has a JSON-RPC error with code -32020.',
    ['2026-07-28', '2026-07-28', 'MUST', 'basic/transports/streamable-http#server-validation'],
  ],
  'transport-http/header-names-case-insensitive': [
    'Header names are compared case-insensitively.',
    ['2026-07-28', '2026-07-28', 'MUST', 'basic/transports/streamable-http#case-sensitivity'],
  ],
  'transport-http/unknown-method-http-status-404': [
    'A request for a method the server does not implement is answered with HTTP 404.',
    ['2026-07-28', '2026-07-28', 'MUST', 'basic/transports/streamable-http#protocol-version-header'],
  ],
  'transport-http/unknown-method-body-has-32601': [
    'The body of the HTTP 404 for an unknown method is a JSON-RPC error with code -32601.',
    ['2026-07-28', '2026-07-28', 'MUST', 'basic/transports/streamable-http#protocol-version-header'],
  ],
  'transport-http/unsupported-version-http-status-400': [
    'Over HTTP the -32022 error has status 400.',
    ['2026-07-28', '2026-07-28', 'MUST', 'basic/transports/streamable-http#protocol-version-header'],
  ],
  'transport-http/missing-required-meta-http-status-400': [
    'On HTTP the response to a request without a required _meta field has status 400.',
    ['2026-07-28', '2026-07-28', 'MUST', 'basic/index#meta'],
  ],
  'transport-http/no-requests-on-response-stream': [
    'The server sends no JSON-RPC request on a response stream.',
    ['2026-07-28', '2026-07-28', 'MUST NOT', 'basic/transports/streamable-http#receiving-messages'],
  ],
  'transport-http/serves-multiple-clients': [
    'A Streamable HTTP server runs as an independent process and can serve several client connections at once.',
    ['2025-03-26', '2025-11-25', 'IMPLIED', 'basic/transports#streamable-http'],
    ['2026-07-28', '2026-07-28', 'IMPLIED', 'basic/transports/streamable-http'],
  ],
} as const satisfies Readonly<Record<string, readonly [string, ...Place[]]>>;

export type RequirementId = keyof typeof requirements;
