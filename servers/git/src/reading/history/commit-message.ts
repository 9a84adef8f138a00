/** Returns a message without the empty lines around it. */
export function trimMessage(message: string): string {
  return message.replace(/^(?:[ \t\r]*\n)+/, '').trimEnd();
}

/** Returns the first paragraph of a message in one line, which is git's subject. */
export function subjectOf(message: string): string {
  const [paragraph = ''] = trimMessage(message).split(/\n[ \t\r\v\f]*(?:\n|$)/, 1);
  return paragraph
    .split('\n')
    .map((line) => line.trimEnd())
    .join(' ');
}

/** Returns a message indented as `git log` prints it. */
export function indented(message: string): string {
  return message.replace(/^(?!$)/gm, '    ');
}
