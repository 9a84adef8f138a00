/** Calls that never throw with arguments of the right types, by their last name. */
export const quietCalls: ReadonlySet<string> = new Set([
  // settle, end or remove; a second call has no effect
  ...[
    'resolve',
    'reject',
    'abort',
    'destroy',
    'end',
    'close',
    'exit',
    'kill',
    'terminate',
    'delete',
    'clear',
  ],
  ...['clearTimeout', 'clearInterval', 'clearImmediate', 'off', 'removeListener', 'removeEventListener'],
  // streams: a failure is an `error` event, and each stream here has a listener for it
  ...['pause', 'resume', 'cork', 'uncork', 'unshift', 'setKeepAlive', 'setEncoding'],
  // register callbacks, which are checked themselves
  ...['on', 'once', 'addEventListener', 'setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'],
  ...['ref', 'unref', 'refresh'],
  // collections, texts and numbers; their callbacks are checked as well
  ...[
    'add',
    'set',
    'get',
    'has',
    'push',
    'shift',
    'slice',
    'splice',
    'subarray',
    'concat',
    'entries',
    'keys',
  ],
  ...[
    'values',
    'every',
    'filter',
    'find',
    'map',
    'reduce',
    'some',
    'sort',
    'trim',
    'toLowerCase',
    'startsWith',
  ],
  ...['String', 'Number', 'isFinite', 'toPrecision', 'ceil', 'max', 'min', 'now', 'canParse', 'store'],
  // write one line for the operator to the log or to stderr
  ...['report', 'onError'],
]);

const ends = 'ends a call or a wait: it settles a promise, and removes its state';
const failure = 'creates a failure from texts';
const state = 'reads and changes only members';
const promise = 'returns a promise whose work has a guard or a catch of its own';
const ending =
  'the process is ending: each step is a wait with an end, and a fault there can only end it sooner';
const channel = 'ends or continues a channel: pending requests are rejected with the reason';

/** Further such calls, by file and by the text of the call, with the reason. */
export const quietIn: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'packages/kit/src/call/together.ts': { work: 'tells connections of a change, which write to an outbox' },
  'packages/kit/src/serve/http.ts': { 'Promise.all': ending },
  'packages/kit/src/watch/hub.ts': { 'this.#tree.all': state },
  'packages/kit/src/watch/poller.ts': {
    awaitSnapshot: 'a path that cannot be read is a snapshot, too',
    isUnchanged: 'compares two snapshots',
    mayHideChange: 'compares two snapshots',
    'this.#changed': 'makes a note that a path is to be looked at',
  },
  'packages/kit/src/watch/source.ts': {
    'this.#events.onEntry': 'makes a note that a path is to be looked at',
    'this.#events.onBroken': 'makes a note that paths are to be polled',
  },
  'packages/kit/src/watch/target.ts': { 'this.#due': 'makes a note that a path is to be looked at' },
  'packages/kit/src/watch/turn.ts': { 'this.#work': 'begins a look, which is a promise with a catch' },
  'packages/protocol/src/client/folder-roots.ts': {
    'Promise.all': 'looks that cannot fail: what is missing is false',
    'JSON.stringify': 'an array of texts',
    pathToFileURL: 'a path that was accepted before',
    basename: 'a path that was accepted before',
    changed: "the application's own, which has to see to itself",
  },
  'packages/protocol/src/client/streams.ts': {
    'this.#release': ends,
    gone: channel,
    'events.closed': channel,
    'this.#events.closed': channel,
  },
  'packages/protocol/src/inspect/check/http-body.ts': { 'response.cancel': 'destroys the answer' },
  'packages/protocol/src/inspect/io.ts': { interrupted: ends },
  'packages/protocol/src/jsonrpc/peer.ts': {
    'this.#options.cancelled': 'writes a notification of its own words',
  },
  'packages/protocol/src/protocol/tasks/tasks.ts': {
    'task.cancel': ends,
    stopListening: state,
    'this.#report': 'one line for the operator',
  },
  'packages/protocol/src/transports/child.ts': {
    'process.stderr.write': 'hands on what the child has said',
    stderr: "the application's own, which has to see to itself",
  },
  'packages/protocol/src/transports/http-client/carrier.ts': { 'response.cancel': 'destroys the answer' },
  'packages/protocol/src/transports/http-client/event-stream.ts': {
    'response.cancel': 'destroys the answer',
  },
  'packages/protocol/src/transports/http-client/node-carrier.ts': {
    'new StaleConnection': failure,
  },
  'packages/protocol/src/transports/http-client/sequence.ts': { done: ends },
  'packages/protocol/src/transports/http-client/session.ts': { 'this.#events.renewed': channel },
  'packages/protocol/src/transports/http-client/sse-channel.ts': { 'events.closed': channel },
  'packages/protocol/src/transports/http/listen.ts': { 'handler.node': 'answers its own faults with 500' },
  'packages/protocol/src/transports/http/node.ts': {
    use: 'is `#attempt` of the handler, which answers faults with 500, or settles a promise',
    listener: 'ends or goes on with an answer, whose stream has a listener for errors',
    milliseconds: 'a number: this is the method of a response',
  },
  'packages/protocol/src/transports/http/unfinished.ts': {
    'body.cut': 'settles the reading of one body, which happens once',
  },
  'packages/protocol/src/transports/http/ticker.ts': { 'each.tick': 'writes a comment to a stream' },
  'packages/protocol/src/transports/http/web.ts': { listener: 'ends an answer' },
  'packages/protocol/src/transports/memory.ts': {
    'stream.finish': ending,
    'stream.connection.drain': ending,
  },
  'packages/protocol/src/transports/socket/client.ts': { nameOf: failure },
  'packages/protocol/src/transports/socket/connection.ts': {
    'limits.stallTimeout': 'a number: this is the method of a socket',
  },
  'packages/protocol/src/transports/socket/listen.ts': { nameOf: failure },
  'packages/protocol/src/transports/socket/serve.ts': {
    ownerOf: 'reads an address, also one that is not known',
    'roster.reserve': state,
    rpcError: failure,
    refuseClient: 'writes a line of its own words and closes',
    'new SocketConnection': 'registers what is looked at for itself',
  },
  'packages/protocol/src/transports/stdio.ts': {
    'stream.finish': ending,
    'work.then': ending,
    within: ending,
    'served.then': ending,
    'stream.connection.drain': ending,
    'Promise.race': ending,
    'stream.flushed': ending,
    'options.onClose': ending,
  },
  'packages/protocol/src/transports/ws/client.ts': {
    acceptOf: 'a digest of a text of our own',
    'this.#wire.tick': 'writes a ping',
  },
  'packages/protocol/src/transports/ws/serve.ts': { 'response.writeHead': 'a head of its own words' },
  'packages/protocol/src/transports/ws/wire.ts': {
    stallTimeout: 'a number: this is the method of a socket',
    'events.closed': channel,
  },
  'servers/fetch/src/guard/connector.ts': { done: 'the callback of undici, with an error' },
  'servers/fetch/src/guard/lookup.ts': { callback: 'the callback of node:net, with an error' },
  'servers/fetch/src/reading/reader.ts': {
    'this.#events.gone': 'gives the jobs that are left to other readers, or rejects them',
    late: failure,
  },
  'servers/fetch/src/reading/reader-pool.ts': {
    'new Reader': 'starts a thread of a file that is part of the server',
    'other.takeBack': state,
    'reader.give': 'posts what can be cloned: texts, numbers and bytes',
  },
  'servers/fetch/src/reading/worker.ts': { 'last.then': 'answers each task, also with its fault' },
  'servers/fetch/src/rendering/browser-use.ts': { closeQuietly: promise, crashed: failure },
  'servers/fetch/src/rendering/filtering-proxy.ts': {
    how: 'destroys a stream, or closes a connection that is being made',
    toWebError: failure,
    portOf: 'the port of a URL that was parsed before',
    statusRefused: failure,
  },
  'servers/fetch/src/rendering/navigation.ts': { 'this.#options.lifetime.stop': ends },
  'servers/fetch/src/rendering/renderer.ts': { 'lifetime.stop': ends },
  'servers/fetch/src/rendering/warm-browser.ts': {
    'warm.#decide': promise,
    'warm.#send': promise,
    listener: state,
  },
  'servers/fetch/src/watching/watching.ts': { 'this.#pace.afterFailure': state },
  'servers/fetch/src/web/connections.ts': { 'this.#pool.forget': state },
  'servers/fetch/src/web/lifetime.ts': { listener: ends, forget: state },
  'servers/filesystem/src/search/pool.ts': {
    'run.stop': ends,
    'run.settle': ends,
    'member.stop': state,
    'member.forget': state,
    'member.keepAlive': state,
  },
  'servers/filesystem/src/search/worker.ts': {
    directoryAccess: 'in a promise that the task awaits under its try',
    compileSelection: 'in a promise that the task awaits under its try',
    'new Scope': 'in a promise that the task awaits under its try',
    'new Listing': 'in a promise that the task awaits under its try',
    countEntries: 'in a promise that the task awaits under its try',
    compileMatcher: 'in a promise that the task awaits under its try',
    'new Scanner': 'in a promise that the task awaits under its try',
    'new ContentVisitor': 'in a promise that the task awaits under its try',
    'new NameVisitor': 'in a promise that the task awaits under its try',
    'new RankedNameVisitor': 'in a promise that the task awaits under its try',
    errorCode: failure,
    'port.postMessage': 'posts what can be cloned: texts, numbers and bytes',
  },
  'servers/git/src/repository/private-dir.ts': { removeOwnFolder: 'catches what cannot be removed' },
  'servers/git/src/repository/reader.ts': { 'first.fail': ends },
  'servers/git/src/repository/waiting.ts': { 'request.fail': ends },
  'servers/git/src/run/exec-path.ts': { removeOwnFolder: 'catches what cannot be removed' },
  'servers/git/src/run/run.ts': { 'work.stop': 'ends a process' },
  'servers/git/src/run/work.ts': {
    endGroup: promise,
    'endGroup(this.#child, this.limits.grace).then': promise,
    'this.#tail.toString': failure,
    'this.#settle': ends,
    'this.#ending.then': promise,
    ring: ends,
  },
  'servers/sqlite/src/lanes/child.ts': { 'this.#events.gone': ends, messageOf: state },
  'servers/sqlite/src/lanes/lane.ts': {
    'job.onAbort': ends,
    'job.lateError': failure,
    'child.kill().then': promise,
    cancelled: failure,
  },
  'servers/sqlite/src/watching/database.ts': { 'this.#options.isWriting': state, settle: ends },
  'servers/sqlite/src/watching/watching.ts': { changed: 'writes a notification of its own words' },
};
