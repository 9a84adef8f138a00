import type { Element } from 'domhandler';

/** Returns an expression for any of these words; `a+b` is the word a followed by b. */
function anyOf(...lines: string[]): RegExp {
  const words = lines.join(' ').trim().split(/\s+/).join('|').replaceAll('+', ' ');
  return new RegExp(` (?:${words}) `);
}

/** Class names and ids that content systems and themes give to elements around the content. */
const SURROUNDINGS = anyOf(
  'comments? commentlist commentary+list disqus respond reply replies kommentare? commentaires? comentarios',
  'nav navi navigation navbar subnav submenu menu menus breadcrumbs? crumbs? pagination pager paging page+links',
  'share shares sharing sharebar sharethis sharedaddy social socials sociable addthis addtoany shariff jetpack+likes follow+us followus twitter facebook',
  'related relateds relatedposts relatedlinks related+links linkbox recommended recommendations? recommend recirc recirculation popular trending more+stories most+read mostread most+popular outbrain taboola yarpp similar read+next readnext read+also next+article nextstory weiterlesen furtherarticles further+articles mehr+zum+thema',
  'byline bylines author authors autor authorbox author+box saboxplugin dateline entry+meta post+meta article+meta meta metadata postmeta postmetadata postinfo post+info article+info entry+footer entry+utility timestamp pubdate published posted+on posted post+date entry+date date datum tags tag+list taglist post+tags categories cat+links credit credits copyright read+time reading+time',
  'newsletter subscribe subscription signup sign+up promo promos promotion advert advertisement advertising anzeige werbung ads ad adsense adbox adslot banner sponsor sponsored cookie cookies consent gdpr paid+content cta',
  'sidebar side+bar rail widget widgets modal popup overlay tooltip toolbar skip+link skiplink print printfriendly login search searchform',
  'footer footnav impressum disclaimer disclosure rating ratings vote votes poll',
);
/** Class names of page builders, which call every part a widget. */
const BUILT = / (?:elementor widget|widget blog|blog1) /;
const COMMENTS = / (?:comments?|commentlist|disqus|respond|kommentare?|commentaires?|comentarios|forum) /;
const CONTENT = anyOf(
  'article+body article+content article+text articlebody articlecontent articletext entry+content post+content post+body postbody postcontent',
  'story+body storybody story+content body+text body+copy main+content page+content content+main content+body contentbody article+container post+entry',
  'blog+content text+content field+body single+content theme+content rich+text richtext',
);
const LEADS = anyOf(
  'lead leads lede intro introduction introtext standfirst teaser teaser+text teasertext excerpt summary abstract chapo chapeau sommario subtitle subheadline subhead subline dek deck perex einleitung vorspann sottotitolo bajada entradilla copete description',
);
const CAPTIONS = anyOf(
  'caption captions figcaption bildunterschrift legend bildtext img+credit image+credit photo+credit',
);

/** The kinds of content that an element's class and id name. */
interface Naming {
  readonly surroundings: boolean;
  readonly comments: boolean;
  readonly content: boolean;
  readonly lead: boolean;
  readonly caption: boolean;
}

const known = new Map<string, Naming>();
const MOST_KNOWN = 10_000;
const MOST_LENGTH = 400;

function namingOf({ attribs: { class: classes = '', id = '' } }: Element): Naming | undefined {
  if (classes === '' && id === '') return undefined;
  const names = `${classes} ${id}`.slice(0, MOST_LENGTH);
  let naming = known.get(names);
  if (naming === undefined) {
    const split = names.replace(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase();
    naming = readWords(` ${split.replace(/[^\p{L}\d]+/gu, ' ').trim()} `);
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(names, naming);
  }
  return naming;
}

/** Classifies lower-case words between spaces. */
function readWords(words: string): Naming {
  const content = CONTENT.test(words);
  return {
    surroundings: !content && SURROUNDINGS.test(words) && !BUILT.test(words),
    comments: COMMENTS.test(words),
    content,
    lead: LEADS.test(words),
    caption: CAPTIONS.test(words),
  };
}

/** Returns whether an element's names mark it as outside the content. */
export function namesSurroundings(element: Element): boolean {
  return namingOf(element)?.surroundings === true && !namesContent(element);
}

/** Returns whether an element's names mark it as comments. */
export function namesComments(element: Element): boolean {
  return element.name !== 'body' && namingOf(element)?.comments === true;
}

/** Returns whether an element's markup marks it as the main content. */
export function namesContent(element: Element): boolean {
  return element.attribs.itemprop === 'articleBody' || namingOf(element)?.content === true;
}

/** Returns whether an element's names mark it as the introduction of an article. */
export function namesLead(element: Element): boolean {
  return namingOf(element)?.lead === true;
}

/** Returns whether an element is a caption. */
export function namesCaption(element: Element): boolean {
  return element.name === 'figcaption' || namingOf(element)?.caption === true;
}
