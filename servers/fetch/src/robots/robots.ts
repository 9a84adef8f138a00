import { type RobotsLine, robotsLines } from './lines.ts';
import {
  decodeSpecial,
  decodeUnreserved,
  encodePath,
  matches,
  type Pattern,
  parsePattern,
} from './pattern.ts';

/** Bytes of a robots.txt that are parsed, the minimum of RFC 9309. */
export const ROBOTS_BYTES = 500 * 1024;

/** The decision about a path, and the rule that decided. */
export interface Judgement {
  readonly allowed: boolean;
  /** the rule, shortened; absent if no rule matches */
  readonly rule?: string;
  /** line of the rule in the file, counted from 1 */
  readonly line?: number;
  /** delay between requests that the site asks for */
  readonly crawlDelayMs?: number;
}

export interface Robots {
  /** URLs of sitemaps, unverified */
  readonly sitemaps: readonly string[];
  /** Returns whether the crawler with this product token may fetch a URL. */
  judge(productToken: string, url: URL): Judgement;
  /** Like `judge`, for a path with its query in percent-encoding. */
  judgePath(productToken: string, path: string): Judgement;
}

interface Rule {
  readonly allow: boolean;
  readonly line: number;
  readonly pattern: Pattern;
  /** a second pattern: another spelling of a disallowed path, or the folder of an allowed index page */
  readonly also: Pattern | undefined;
}

interface Group {
  readonly rules: Rule[];
  crawlDelayMs: number | undefined;
}

const ANYONE = '*';
const RULE_LENGTH = 200;

/** Parses a robots.txt (RFC 9309). Every input is valid; unknown lines are ignored. */
export function parseRobots(source: Uint8Array | string): Robots {
  const groups = new Map<string, Group[]>();
  const sitemaps: string[] = [];
  let group: Group | undefined;
  let listing = false;
  for (const line of robotsLines(readBytes(source))) {
    switch (line.field) {
      case 'sitemap':
        if (line.value !== '') sitemaps.push(Buffer.from(line.value, 'latin1').toString('utf8'));
        break;
      case 'user-agent':
        if (!listing) group = { rules: [], crawlDelayMs: undefined };
        listing = true;
        addGroup(groups, agentOf(line.value), group!);
        break;
      case 'crawl-delay':
        // not a record of RFC 9309, so it must not end the list of user agents
        if (group !== undefined) group.crawlDelayMs ??= parseDelay(line.value);
        break;
      case 'allow':
      case 'disallow':
        listing = false;
        if (line.value !== '') group?.rules.push(parseRule(line));
    }
  }
  const judgePath = (token: string, path: string) =>
    judge(groups.get(token.toLowerCase()) ?? groups.get(ANYONE) ?? [], path);
  return {
    sitemaps,
    judgePath,
    judge: (token, url) => judgePath(token, `${url.pathname}${url.search}`),
  };
}

/** Returns the file as one character for each byte, without byte order mark and without a line that the limit cuts. */
function readBytes(source: Uint8Array | string): string {
  const bytes =
    typeof source === 'string'
      ? Buffer.from(source)
      : Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  const text = bytes
    .toString('latin1', 0, Math.min(bytes.length, ROBOTS_BYTES + 1))
    .replace(/^\xEF\xBB\xBF/, '');
  if (bytes.length <= ROBOTS_BYTES) return text;
  return text.slice(0, Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1);
}

/** Returns the product token at the start of a value in lower case, without a version after it. */
function agentOf(value: string): string {
  if (/^\*(?:\s|$)/.test(value)) return ANYONE;
  return /^[\w-]*/.exec(value)![0].toLowerCase();
}

function addGroup(groups: Map<string, Group[]>, agent: string, group: Group): void {
  if (agent === '') return;
  const known = groups.get(agent);
  if (known === undefined) groups.set(agent, [group]);
  else if (known.at(-1) !== group) known.push(group);
}

function parseRule({ field, value, line }: RobotsLine): Rule {
  const allow = field === 'allow';
  const text = encodePath(value);
  const other = allow ? indexFolder(text) : decodeUnreserved(text);
  return {
    allow,
    line,
    pattern: parsePattern(text),
    also: other === undefined || other === text ? undefined : parsePattern(other),
  };
}

/** Returns the folder of an index page: Google allows the folder with its index page. */
function indexFolder(path: string): string | undefined {
  const slash = path.lastIndexOf('/');
  return path.startsWith('/index.htm', slash) ? `${path.slice(0, slash + 1)}$` : undefined;
}

/** Parses seconds to milliseconds. */
function parseDelay(value: string): number | undefined {
  return /^\d{1,9}(?:\.\d{1,9})?$/.test(value) ? Math.round(Number(value) * 1000) : undefined;
}

/** Returns the decision of the longest matching rule; of two with equal length, an allow rule wins. */
function judge(groups: readonly Group[], path: string): Judgement {
  const delays = groups.flatMap(({ crawlDelayMs }) => crawlDelayMs ?? []);
  const delay = delays.length === 0 ? {} : { crawlDelayMs: Math.max(...delays) };
  if (/^\/robots\.txt(?:\?|$)/.test(path)) return { allowed: true, ...delay };
  const written = decodeSpecial(encodePath(path === '' ? '/' : path));
  const decoded = decodeUnreserved(written);
  let best: Rule | undefined;
  let length = -1;
  for (const { rules } of groups)
    for (const rule of rules) {
      const fitting = lengthOf(rule, written, decoded, length);
      if (fitting > length || (fitting === length && rule.allow && best?.allow === false)) {
        best = rule;
        length = fitting;
      }
    }
  if (best === undefined) return { allowed: true, ...delay };
  return { allowed: best.allow, rule: describeRule(best), line: best.line, ...delay };
}

/** Returns the length of a rule that matches the path and may still decide, else -1. */
function lengthOf({ pattern, also }: Rule, written: string, decoded: string, least: number): number {
  for (const each of [pattern, also])
    if (each !== undefined && each.text.length >= least)
      if (matches(each, written) || (decoded !== written && matches(each, decoded))) return each.text.length;
  return -1;
}

function describeRule({ allow, pattern: { text } }: Rule): string {
  const path = text.length > RULE_LENGTH ? `${text.slice(0, RULE_LENGTH)}…` : text;
  return `${allow ? 'Allow' : 'Disallow'}: ${path}`;
}
