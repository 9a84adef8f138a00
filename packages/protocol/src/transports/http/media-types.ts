/** Whether a `Content-Type` header says JSON. */
export const isJson = remembering((contentType) => /^\s*application\/json\s*(?:;|$)/i.test(contentType));

/** Whether an `Accept` header takes both forms of an answer. */
export const acceptsBoth = remembering(
  (accept) => mentions(accept, 'application/json') && mentions(accept, 'text/event-stream'),
);

/** Whether an `Accept` header takes an event stream. */
export const acceptsStream = remembering((accept) => mentions(accept, 'text/event-stream'));

/** Preferences among the types do not matter where there is one offer. */
function mentions(accept: string, type: string): boolean {
  const ranges = accept.toLowerCase();
  return ranges.includes(type) || ranges.includes('*/*') || ranges.includes(`${type.split('/')[0]}/*`);
}

/** A test that knows the text that passed last, since a client sends the same again and again. */
function remembering(test: (text: string) => boolean): (text: string) => boolean {
  let passed: string | undefined;
  return (text) => {
    if (text === passed) return true;
    if (!test(text)) return false;
    passed = text;
    return true;
  };
}
