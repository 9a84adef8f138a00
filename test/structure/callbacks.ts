import { parseAst } from 'rolldown/parseAst';

/** A node of the syntax tree, with the fields that are read here. */
interface Node {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

/** A callback that may throw, or reject without a listener. */
export interface Offence {
  readonly file: string;
  readonly line: number;
  /** the caller of the callback, such as `on data` or `setTimeout` */
  readonly by: string;
  /** the call, throw or await that may fail, as it is written */
  readonly what: string;
}

/** Methods whose first argument is the name of an event and the second its callback. */
const byEvent = new Set([
  'on',
  'once',
  'addListener',
  'prependListener',
  'prependOnceListener',
  'addEventListener',
]);
/** Functions whose first argument is a callback. */
const byTimer = new Set(['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'nextTick']);
/** Functions whose last argument is called back for each connection or request. */
const byServer = new Set(['createServer', 'createSecureServer']);

const guards = new Set(['guarded']);
/** Methods of arrays that call their argument at once. */
const runsArguments = new Set([
  ...['every', 'filter', 'find', 'findIndex', 'flatMap', 'forEach', 'map', 'reduce', 'some', 'sort'],
]);

/** Returns whether a call never throws, by its text without arguments. */
export type Quiet = (callee: string, file: string) => boolean;

/** Returns every callback in a source text that may throw. */
export function findOffences(file: string, text: string, isQuiet: Quiet): Offence[] {
  return new Reading(file, text, isQuiet).offences();
}

class Reading {
  readonly #file: string;
  readonly #text: string;
  readonly #isQuiet: Quiet;
  readonly #program: Node;
  readonly #named = new Map<string, Node>();
  readonly #found: Offence[] = [];
  #by = '';
  #visiting = new Set<Node>();

  constructor(file: string, text: string, isQuiet: Quiet) {
    this.#file = file;
    this.#text = text;
    this.#isQuiet = isQuiet;
    this.#program = parseAst(text, { lang: 'ts' }) as unknown as Node; // the tree is read by its field names
  }

  offences(): Offence[] {
    each(this.#program, (node) => this.#name(node));
    each(this.#program, (node) => this.#register(node));
    return this.#found;
  }

  #isGuard(node: Node): boolean {
    return node.type === 'CallExpression' && guards.has(this.#source(node.callee as Node));
  }

  /** Stores functions and methods by the text with which this file calls them. */
  #name(node: Node): void {
    const value = (node.init ?? node.value) as Node | undefined | null;
    if (node.type === 'FunctionDeclaration') this.#keep(node.id, '', node);
    else if (node.type === 'VariableDeclarator' && value && (isFunction(value) || this.#isGuard(value)))
      this.#keep(node.id, '', value);
    else if (/^(?:MethodDefinition|PropertyDefinition)$/.test(node.type) && value && isFunction(value))
      this.#keep(node.key, 'this.', value);
  }

  #keep(id: unknown, before: string, made: Node): void {
    this.#named.set(before + this.#source(id as Node), made); // names are nodes
  }

  #register(node: Node): void {
    if (node.type === 'AssignmentExpression') {
      const left = node.left as Node;
      const name = left.type === 'MemberExpression' ? this.#source(left.property as Node) : '';
      if (/^on(?:message|error|open|close|messageerror)$/.test(name))
        this.#check(`${name} =`, node.right as Node);
      return;
    }
    if (node.type === 'NewExpression' && this.#source(node.callee as Node) === 'FinalizationRegistry')
      this.#check('FinalizationRegistry', (node.arguments as Node[])[0]);
    if (node.type !== 'CallExpression') return;
    const callee = node.callee as Node;
    const args = node.arguments as Node[];
    const name = this.#source((callee.type === 'MemberExpression' ? callee.property : callee) as Node);
    const [first] = args;
    if (first === undefined) return;
    if (byEvent.has(name) && callee.type === 'MemberExpression' && args.length > 1)
      this.#check(`${name} ${this.#source(first)}`, args[1]);
    else if (byTimer.has(name)) this.#check(name, first);
    else if (byServer.has(name)) this.#check(name, args.at(-1));
    else if (name === 'setTimeout' && args.length > 1) this.#check(name, args[1]);
  }

  #check(by: string, callback: Node | undefined): void {
    if (callback === undefined) return;
    this.#by = by;
    this.#visiting = new Set();
    this.#callback(callback);
  }

  #callback(node: Node): void {
    if (isFunction(node)) this.#body(node);
    else if (this.#isGuard(node))
      this.#callback((node.arguments as Node[])[1]!); // `guarded` takes two
    else if (node.type === 'ConditionalExpression') {
      this.#callback(node.consequent as Node);
      this.#callback(node.alternate as Node);
    } else if (/^(?:Identifier|MemberExpression)$/.test(node.type)) this.#call(node, node);
    else if (node.type === 'CallExpression') this.#called(node);
    else if (!/^(?:ObjectExpression|Literal)$/.test(node.type)) this.#offend(node);
  }

  #body(made: Node): void {
    if (this.#visiting.has(made)) return;
    this.#visiting.add(made);
    this.#walk(made.body as Node);
  }

  /** Finds code that may throw when this runs; the bodies of inner functions do not run. */
  #walk(node: Node): void {
    if (
      isFunction(node) ||
      node.type === 'ClassExpression' ||
      (node.type.startsWith('TS') && !hasExpression(node))
    )
      return;
    switch (node.type) {
      case 'TryStatement': {
        const handler = node.handler as Node | null;
        if (handler === null) this.#walk(node.block as Node);
        else this.#walk(handler.body as Node);
        if (node.finalizer) this.#walk(node.finalizer as Node);
        return;
      }
      case 'ThrowStatement':
        this.#offend(node);
        return;
      case 'NewExpression':
        this.#arguments(node);
        if (!/Error$|^(?:Set|Map|Promise|Date)$/.test(this.#source(node.callee as Node)))
          this.#call(node.callee as Node, node, 'new ');
        return;
      case 'CallExpression':
        this.#called(node);
        return;
      default:
        for (const child of children(node)) this.#walk(child);
    }
  }

  #called(node: Node): void {
    const callee = node.callee as Node;
    const args = node.arguments as Node[];
    if (callee.type === 'MemberExpression' && this.#source(callee.property as Node) === 'catch') {
      // the rejection of this promise is handled
      this.#callback(args[0]!); // `catch` takes one
      return;
    }
    if (
      callee.type === 'MemberExpression' &&
      this.#source(callee.property as Node) === 'then' &&
      args.length > 1
    ) {
      for (const arg of args) this.#callback(arg);
      return;
    }
    if (this.#isGuard(node)) {
      this.#callback(node);
      return;
    }
    if (callee.type === 'MemberExpression') this.#walk(callee.object as Node);
    this.#arguments(node);
    if (callee.type === 'CallExpression') this.#walk(callee);
    else this.#call(callee, node);
  }

  #arguments(node: Node): void {
    const { property } = node.callee as Node;
    const runsNow = isNode(property) && runsArguments.has(this.#source(property));
    for (const arg of node.arguments as Node[]) {
      if (runsNow && isFunction(arg)) this.#body(arg);
      else this.#walk(arg);
    }
  }

  #call(callee: Node, at: Node, before = ''): void {
    const name = before + this.#source(callee).replaceAll('?.', '.');
    const made = this.#named.get(name);
    if (made !== undefined && this.#isGuard(made)) this.#callback(made);
    else if (made !== undefined) this.#body(made);
    else if (!this.#isQuiet(name, this.#file)) this.#offend(at, name);
  }

  #offend(node: Node, what = this.#source(node)): void {
    const line = this.#text.slice(0, node.start).split('\n').length;
    const short = what.replace(/\s+/g, ' ').slice(0, 80);
    this.#found.push({ file: this.#file, line, by: this.#by, what: short });
  }

  #source(node: Node): string {
    return this.#text.slice(node.start, node.end);
  }
}

function isFunction({ type }: Node): boolean {
  return /^(?:ArrowFunctionExpression|FunctionExpression|FunctionDeclaration)$/.test(type);
}

/** Returns whether a type node has an expression that runs, such as `as`, `!` and `satisfies`. */
function hasExpression(node: Node): boolean {
  return node.expression !== undefined;
}

function children(node: Node): Node[] {
  return Object.values(node).flatMap((value): Node[] => {
    if (Array.isArray(value)) return value.filter(isNode);
    return isNode(value) ? [value] : [];
  });
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

function each(node: Node, visit: (node: Node) => void): void {
  visit(node);
  for (const child of children(node)) each(child, visit);
}
