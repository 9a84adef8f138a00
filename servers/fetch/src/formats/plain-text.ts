import { removeInvisible } from '../markdown/invisible.ts';
import { LinkList } from '../markdown/link-list.ts';
import { resolveUrl } from '../markdown/urls.ts';
import { type Link, nothingRemoved, type Reading } from '../reading/reading.ts';
import type { TextInput } from './input.ts';

const MOST_LINKS = 2000;

/** Returns text without invisible characters, and the URLs in it. */
export function readPlain({ text: source, charset, mediaType, url }: TextInput): Reading {
  const { text, removed } = removeInvisible(withLineFeeds(source));
  return {
    kind: 'text',
    mediaType,
    text,
    charset,
    headings: [],
    links: writtenLinks(text, url),
    metadata: {},
    removed: { ...nothingRemoved, invisible: removed },
  };
}

/** Replaces all line ends by line feeds. */
export function withLineFeeds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

/** Returns the URLs in a text, each once, with their number. */
export function writtenLinks(text: string, base: string): Link[] {
  const links = new LinkList(MOST_LINKS);
  for (const [found] of text.matchAll(/\bhttps?:\/\/[^\s<>"'`\\^{|}]{1,2000}/g)) {
    const url = resolveUrl(withoutTail(found), base);
    if (url !== undefined) links.add({ url, text: '', place: 'content' });
  }
  return links.all();
}

/** Removes punctuation at the end of a URL that belongs to the sentence. */
function withoutTail(address: string): string {
  const trimmed = address.replace(/(?<![.,;:!?*_)\]])[.,;:!?*_)\]]+$/, '');
  const rest = address.slice(trimmed.length);
  const opened = trimmed.split('(').length - trimmed.split(')').length;
  return opened > 0 && rest.startsWith(')') ? `${trimmed})` : trimmed;
}
