// biome-ignore-all lint/suspicious/noTemplateCurlyInString: rows quote expressions as the sources write them
/**
 * Calls of `RegExp`, each with the reason why no text from outside makes it slow. A call without a row fails the lint.
 * @type {readonly (readonly [file: string, call: string, reason: string])[]}
 */
export const made = [
  [
    'packages/create-server/src/fork.ts',
    "new RegExp(String.raw`(?<![\\w@/-])server-${server}\\b`, 'g')",
    'the name of one of our servers, and nothing in it repeats',
  ],
  [
    'packages/kit/src/boundary/deny/name-glob.ts',
    'new RegExp(`^!?(?!!)/?(?:\\\\*\\\\*|${segment})(?:/(?:\\\\*\\\\*|${segment}))*/?$`)',
    'patterns of the operator, 1024 characters at most',
  ],
  ['packages/kit/src/boundary/names/names.ts', "new RegExp(unsafeClass, 'u')", 'one character'],
  ['packages/kit/src/boundary/names/names.ts', "new RegExp(unsafeClass, 'gu')", 'one character'],
  [
    'packages/protocol/src/protocol/json-schema/pattern-sets.ts',
    "new RegExp(`^\\\\p{${name}}$`, 'u')",
    'one character of a class, tried on one character',
  ],
  [
    'packages/protocol/src/protocol/meta.ts',
    'new RegExp( `^(?:(?<prefix>${label}(?:\\\\.${label})*)/)?(?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?$`, )',
    'constants; test/security/linear feeds it',
  ],
  [
    'packages/protocol/src/protocol/utf8.ts',
    'new RegExp(`"${rawMarker}"|${marker}`)',
    'digits of our own, and nothing in it repeats',
  ],
  [
    'servers/fetch/src/cache/http-date.ts',
    "new RegExp(`^[a-z]{3}, (\\\\d{2}) ${MONTH} (\\\\d{4}) ${TIME} gmt$`, 'i')",
    'constants of a fixed length',
  ],
  [
    'servers/fetch/src/cache/http-date.ts',
    "new RegExp(`^[a-z]{6,9}, (\\\\d{2})-${MONTH}-(\\\\d{2}) ${TIME} gmt$`, 'i')",
    'constants of at most 36 characters',
  ],
  [
    'servers/fetch/src/cache/http-date.ts',
    "new RegExp(`^[a-z]{3} ${MONTH} ([ \\\\d]\\\\d) ${TIME} (\\\\d{4})$`, 'i')",
    'constants of a fixed length',
  ],
  [
    'servers/fetch/src/extracting/phrases.ts',
    "new RegExp(`^(?:${PHRASES.join('|')})`, 'iu')",
    'constants at the start of a text; what repeats in them is one class before a fixed sign',
  ],
  [
    'servers/fetch/src/extracting/words.ts',
    'new RegExp(` (?:${words}) `)',
    'constants, and nothing in them repeats',
  ],
  [
    'servers/fetch/src/formats/image.ts',
    "new RegExp(`\\\\s${name}\\\\s*=\\\\s*[\"']([^\"']*)[\"']`, 'i')",
    'one of three names of ours; each class ends at the first sign of the next part',
  ],
  [
    'servers/fetch/src/formats/markdown.ts',
    "new RegExp(`^${name}:[ \\\\t]*(\\\\S.*)$`, 'm')",
    'one of five names of ours at the start of a line',
  ],
  [
    'servers/fetch/src/markdown/scan.ts',
    "new RegExp(`</${name}(?=[\\\\s/>])`, 'gi')",
    'one of the elements of rawTags, and nothing in it repeats',
  ],
  ['servers/filesystem/src/edit/white-space.ts', "new RegExp(ODD_SPACE, 'g')", 'one character'],
  [
    'servers/git/src/logs/moment.ts',
    "new RegExp(`^--${age}-age=(\\\\d+)$`, 'm')",
    'one of two words of ours at the start of a line',
  ],
  [
    'servers/git/src/porcelain/refs.ts',
    'new RegExp(`${word} (\\\\d+)`)',
    'one of two words of ours, and it ends in what repeats',
  ],
];

/**
 * Expressions that recheck finds slow or cannot judge, each with how many characters it sees at most and the reason.
 * @type {readonly (readonly [expression: string, bound: number, reason: string])[]}
 */
export const accepted = [
  [
    String.raw`/[\s,]*([\w!#$%&'*+.^${'`'}|~/-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?/gy`,
    16_384,
    'sticky: the loop ends at the first place where it fails',
  ],
  [
    String.raw`/[\t\n\f\r /]*(?:(>)|([^\t\n\f\r />][^\t\n\f\r />=]*)[\t\n\f\r ]*(?:=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r >"'][^\t\n\f\r >]*)?))?)/y`,
    1024,
    'sticky: the loop goes on behind what was found, and ends at the first place where it fails',
  ],
  [
    String.raw`/\s+|<\?[^>]*>|<!--[\s\S]*?-->/y`,
    4096,
    'sticky: the loop goes on behind what was found, and ends at the first place where it fails',
  ],
  [
    String.raw`/([^\0]+)\0/gy`,
    131_072,
    'sticky: the loop ends at the first place where it fails, and what is left over is bounded',
  ],
  [
    String.raw`/([^\0]+)\0(\d+)\n/gy`,
    131_072,
    'sticky: the loop ends at the first place where it fails, and what is left over is bounded',
  ],
  [
    String.raw`/"((?:[^"\\]|\\(?:[abfnrtv"\\]|[0-3][0-7]{2}))*)"/y`,
    1_048_576,
    'sticky, once for each line: a quote at the start of the next line ends what an earlier line began',
  ],
  [
    String.raw`/([0-7]{6}) ([0-9a-f]+) ([0-3])\t([^\0]+)\0/gy`,
    131_072,
    'sticky: the loop ends at the first place where it fails, and what is left over is bounded',
  ],
];
