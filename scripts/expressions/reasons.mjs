// biome-ignore-all lint/suspicious/noTemplateCurlyInString: rows quote expressions as the sources write them
/**
 * Calls of `RegExp`, each with the reason why it is linear for every text from outside. A call without a row fails the lint.
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
    'servers/fetch/src/extracting/teaser-phrases.ts',
    "new RegExp(`^(?:${PHRASES.join('|')})`, 'iu')",
    'constants at the start of a text; what repeats in them is one class before a fixed sign',
  ],
  [
    'servers/fetch/src/extracting/class-names.ts',
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
    'servers/fetch/src/markdown/html-scanner.ts',
    "new RegExp(`</${name}(?=[\\\\s/>])`, 'gi')",
    'one of the elements of rawTags, and nothing in it repeats',
  ],
  ['servers/filesystem/src/edit/white-space.ts', "new RegExp(ODD_SPACE, 'g')", 'one character'],
  [
    'servers/git/src/reading/history/moment.ts',
    "new RegExp(`^--${age}-age=(\\\\d+)$`, 'm')",
    'one of two words of ours at the start of a line',
  ],
  [
    'servers/git/src/porcelain/refs.ts',
    'new RegExp(`${word} (\\\\d+)`)',
    'one of two words of ours, and it ends in what repeats',
  ],
  [
    'servers/git/src/repository/files/git-dir-rows.ts',
    "new RegExp(`^(?:${names.map((name) => name.replace(/[.*+?^$()|[\\]{}\\\\]/g, '\\\\$&')).join('|')})$`)",
    'names of our own table, and nothing in it repeats',
  ],
  [
    'servers/git/src/repository/files/git-dir-rows.ts',
    'new RegExp(`^${folder}(?:/|$)`)',
    'names of our own table, and nothing in it repeats',
  ],
  [
    'servers/git/src/repository/states/grammar.ts',
    'new RegExp(`^${hex}$`)',
    'anchored, and what repeats is followed by what it cannot match',
  ],
  [
    'servers/git/src/repository/states/grammar.ts',
    'new RegExp(`^(?:${hex})?$`)',
    'anchored, and what repeats is followed by what it cannot match',
  ],
  [
    'servers/git/src/repository/states/grammar.ts',
    'new RegExp(`^${hex} ${hex}$`)',
    'anchored, and what repeats is followed by what it cannot match',
  ],
  [
    'servers/git/src/repository/states/grammar.ts',
    'new RegExp(`^(?:refs/${name}|detached HEAD)$`)',
    'anchored, and what repeats is followed by what it cannot match',
  ],
  [
    'servers/git/src/repository/states/grammar.ts',
    'new RegExp(`^${name}$`)',
    'anchored, and what repeats is followed by what it cannot match',
  ],
  [
    'servers/git/src/repository/states/grammar.ts',
    'new RegExp(`^refs/rewritten/${name}$`)',
    'anchored, and what repeats is followed by what it cannot match',
  ],
  [
    'servers/git/src/repository/states/grammar.ts',
    'new RegExp(`^refs/${name}$`)',
    'anchored, and what repeats is followed by what it cannot match',
  ],
  [
    'servers/git/src/repository/states/grammar.ts',
    'new RegExp(`^${name}\\n${name}\\n?$`)',
    'anchored, and what repeats is followed by what it cannot match',
  ],
  [
    'servers/git/src/repository/states/steps.ts',
    "new RegExp( `^(?:${[ `(?:pick|p|reword|r|edit|e|squash|s|drop|d|revert)[ \\\\t]+(?:-[cC][ \\\\t]+)?${commit}${rest}`, `(?:fixup|f)[ \\\\t]+(?:-[cC][ \\\\t]*)?${commit}${rest}`, `(?:label|l)[ \\\\t]+${label}`, `(?:reset|t)[ \\\\t]+(?:\\\\[new root\\\\]|${label})${rest}`, `(?:merge|m)[ \\\\t]+(?:-[cC][ \\\\t]*${commit}[ \\\\t]+)?${label}${rest}`, `(?:update-ref|u)[ \\\\t]+refs/${label}`, 'noop', 'break', 'b', ].join('|')})[ \\\\t\\\\r]*$`, )",
    'anchored, and what repeats is followed by what it cannot match',
  ],
  [
    'servers/git/src/repository/states/steps.ts',
    'new RegExp(`^(?:pick|p|revert)[ \\\\t]+${commit}${rest}$`)',
    'anchored, and what repeats is followed by what it cannot match',
  ],
  [
    'servers/git/src/repository/states/steps.ts',
    'new RegExp(`${rebasing.source}|${executing.source}`)',
    'anchored, and what repeats is followed by what it cannot match',
  ],
];

/**
 * Sticky expressions that recheck finds slow or cannot judge, since it tries them at each place, with the reason why
 * their loops do not; test/security/linear feeds them in such a loop.
 * @type {readonly (readonly [expression: string, reason: string])[]}
 */
export const accepted = [
  [
    String.raw`/[\s,]*([\w!#$%&'*+.^${'`'}|~/-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*)))?/gy`,
    'sticky: the loop ends at the first place where it fails',
  ],
  [
    String.raw`/[\t\n\f\r /]*(?:(>)|([^\t\n\f\r />][^\t\n\f\r />=]*)[\t\n\f\r ]*(?:=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|([^\t\n\f\r >"'][^\t\n\f\r >]*)?))?)/y`,
    'sticky: the loop goes on behind what was found, and ends at the first place where it fails',
  ],
  [
    String.raw`/\s+|<\?[^>]*>|<!--[\s\S]*?-->/y`,
    'sticky: the loop goes on behind what was found, and ends at the first place where it fails',
  ],
  [String.raw`/([^\0]+)\0/gy`, 'sticky: the loop ends at the first place where it fails'],
  [String.raw`/([^\0]+)\0(\d+)\n/gy`, 'sticky: the loop ends at the first place where it fails'],
  [
    String.raw`/"((?:[^"\\]|\\(?:[abfnrtv"\\]|[0-3][0-7]{2}))*)"/y`,
    'sticky, once for each line: a quote at the start of the next line ends what an earlier line began',
  ],
  [
    String.raw`/([0-7]{6}) ([0-9a-f]+) ([0-3])\t([^\0]+)\0/gy`,
    'sticky: the loop ends at the first place where it fails',
  ],
  [String.raw`/[ \n]*((?:'[^'\0]*'|\\['!])+)/y`, 'sticky: the loop ends at the first place where it fails'],
];

/**
 * Expressions that are slow on long texts, with how many characters they see at most and the reason.
 * @type {readonly (readonly [expression: string, most: number, reason: string])[]}
 */
export const bounded = [
  [
    String.raw`/\[([!^]?)(\][^\]]*|[^\]]+)\]|./gsu`,
    1024,
    'patterns of the operator, which isDenyGlob bounds',
  ],
];
