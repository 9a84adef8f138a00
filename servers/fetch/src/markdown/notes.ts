import type { Attributes } from './parse.ts';

const target =
  /^#((?:user-content-)?(?:fn|footnote|_?ftn|cite_note|note|endnote)(?![a-z]{0,20}ref)[-:_.]?[\w:.%()-]*)$/i;
const back = /^#(?:user-content-)?(?:fnref|footnote-ref|_ftnref|cite_ref|noteref|endnote-ref|ref-)/i;

/** The id of the footnote that a link leads to, `back` for one that leads from a footnote to its place. */
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
    // an id may have a percent sign of its own
    return id;
  }
}

/** What a footnote is called by the text of its link; undefined where that is more than a name. */
export function noteLabel(text: string): string | undefined {
  const label = text.replace(/[[\]()\s]/g, '');
  return /^[\p{L}\p{N}*†‡§-]{1,12}$/u.test(label) ? label : undefined;
}
