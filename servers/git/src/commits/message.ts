/** A message without the empty lines around it. */
export function trimMessage(message: string): string {
  return message.replace(/^(?:[ \t\r]*\n)+/, '').trimEnd();
}

/** The first paragraph of a message in one line, as git takes it for its subject. */
export function subjectOf(message: string): string {
  const [paragraph = ''] = trimMessage(message).split(/\n[ \t\r\v\f]*(?:\n|$)/, 1);
  return paragraph
    .split('\n')
    .map((line) => line.trimEnd())
    .join(' ');
}

/** A message as `git log` shows it under its head. */
export function indented(message: string): string {
  return message.replace(/^(?!$)/gm, '    ');
}
