const replacements: readonly (readonly [RegExp, string])[] = [
  // over HTTP a user name alone can be a token
  [/((?:https?|ftps?):\/\/)[^\s/'"<>]*@/gi, '$1'],
  [/(:\/\/[^\s/'"<>:@]*):[^\s/'"<>]*@/g, '$1@'],
  [
    /\b((?:proxy-)?authorization|(?:private|job|deploy)-token|x-api-key|cookie)(\s*[:=]\s*)[^\r\n'"]+/gi,
    '$1$2***',
  ],
  [/([?&](?:[\w-]*token|password|passwd|secret|[\w-]*key|sig(?:nature)?)=)[^\s&'"]+/gi, '$1***'],
  [/\b(?:gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{20,}|xox[abp]-[\w-]{10,})/g, '***'],
];

/** Returns a text without credentials: those of URLs, headers and queries, and tokens of a known form. */
export function redact(text: string): string {
  return replacements.reduce(
    (redacted, [pattern, replacement]) => redacted.replace(pattern, replacement),
    text,
  );
}
