function names(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}

export const voidTags = names(
  'area base basefont bgsound br col command embed frame hr img input keygen link meta param source track wbr',
);

/** Elements whose start ends a paragraph. */
export const blockTags = names(
  'address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li legend listing main menu nav ol p plaintext pre search section summary table ul xmp',
);

export const formattingTags = names(
  'a b big code em font i nobr s small strike strong tt u del ins sub sup mark kbd q',
);

/** Elements that limit the effect of end tags inside them. */
export const scopeTags = names('applet caption html marquee object table td template th');

/** HTML tags that end foreign content. */
export const breakoutTags = names(
  'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul var',
);

/** Integration points, where HTML begins again in foreign content. */
export const integrationTags = names('annotation-xml desc foreignobject mi mn mo ms mtext title');

export const headTags = names(
  'base basefont bgsound link meta noframes noscript script style template title head html',
);

/** Elements without text for a reader. */
export const unreadTags = names(
  'applet canvas datalist embed frame frameset head meter noembed noframes object progress rp script select style svg textarea title',
);

export const navigationTags = names('aside footer header nav');

export const headingTags = names('h1 h2 h3 h4 h5 h6');
