import type { Attributes } from './html-parser.ts';

const target =
  /^#((?:user-content-)?(?:fn|footnote|_?ftn|cite_note|note|endnote)(?![a-z]{0,20}ref)[-:_.]?[\w:.%()-]*)$/i;
const back = /^#(?:user-content-)?(?:fnref|footnote-ref|_ftnref|cite_ref|noteref|endnote-ref|ref-)/i;

/** Returns the id of the footnote that a link references, or `back` for a backlink. */
export function noteTarget(
  { href = '', role, class: classes = '' }: Attributes,
  isRaised: boolean,
): string | undefined {
  if (!href.startsWith('#') || href.length > 200) return undefined;
  if (
    role === 'doc-backlink' ||
    back.test(href) ||
    /(?:^|\s)(?:footnote-backref|reversefootnote)(?:\s|$)/.test(classes)
  )
    return 'back';
  const isNote = role === 'doc-noteref' || /(?:^|\s)(?:footnote-ref|footnote|noteref)(?:\s|$)/.test(classes);
  if (isNote || (isRaised && target.test(href))) return decode(href.slice(1));
  return undefined;
}

function decode(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    // an id may contain a literal percent sign
    return id;
  }
}

/** Returns the label of a footnote from the text of its link; undefined if the text is longer than a label. */
export function noteLabel(text: string): string | undefined {
  const label = text.replace(/[[\]()\s]/g, '');
  return /^[\p{L}\p{N}*†‡§-]{1,12}$/u.test(label) ? label : undefined;
}
