/** Returns true if a `Content-Type` header is JSON. */
export const isJson = remembering((contentType) => /^\s*application\/json\s*(?:;|$)/i.test(contentType));

/** Returns true if an `Accept` header includes both response types. */
export const acceptsBoth = remembering(
  (accept) => mentions(accept, 'application/json') && mentions(accept, 'text/event-stream'),
);

/** Returns true if an `Accept` header includes event streams. */
export const acceptsStream = remembering((accept) => mentions(accept, 'text/event-stream'));

/** Returns true if a header lists a type; quality values do not matter because there is one choice. */
function mentions(accept: string, type: string): boolean {
  const ranges = accept.toLowerCase();
  return ranges.includes(type) || ranges.includes('*/*') || ranges.includes(`${type.split('/')[0]}/*`);
}

/** Returns a test that caches the last accepted text, since a client sends the same one in each request. */
function remembering(test: (text: string) => boolean): (text: string) => boolean {
  let passed: string | undefined;
  return (text) => {
    if (text === passed) return true;
    if (!test(text)) return false;
    passed = text;
    return true;
  };
}
