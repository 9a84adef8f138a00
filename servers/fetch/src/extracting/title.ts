interface Titles {
  /** in og:title, twitter:title or JSON-LD */
  readonly declared: string | undefined;
  /** in the title element */
  readonly tag: string | undefined;
  /** in the first h1 */
  readonly heading: string | undefined;
  readonly site: string | undefined;
}

const SEPARATOR = /(?<!\s)\s+(?:[|\-–—·•»›:]|::)\s+|(?<!\s)\s*[|»›]\s*|[|»›]\s*/;

/** Returns the title of a page without the name of its site. */
export function titleOf({ declared, tag, heading, site }: Titles): string | undefined {
  if (declared !== undefined) return withoutSite(declared, site);
  if (tag === undefined) return heading;
  if (heading !== undefined && heading.length > 8 && tag.toLowerCase().includes(heading.toLowerCase()))
    return heading;
  return withoutSite(tag, site);
}

/** Removes the site's name from either end; if the name is unknown, a short last part counts as it. */
function withoutSite(title: string, site: string | undefined): string {
  const parts = title.split(SEPARATOR).filter((part) => part !== '');
  if (parts.length < 2) return title;
  const name = site?.toLowerCase();
  const [first, last] = [parts[0]!, parts[parts.length - 1]!];
  if (last.toLowerCase() === name) return beforeLast(title, last);
  if (first.toLowerCase() === name) return title.slice(title.indexOf(parts[1]!, first.length));
  if (name !== undefined) return title;
  const rest = beforeLast(title, last);
  return last.split(/\s+/).length <= 4 && rest.length >= last.length ? rest : title;
}

function beforeLast(title: string, last: string): string {
  return title.slice(0, title.lastIndexOf(last)).replace(/(?<!\s)\s*(?:[|\-–—·•»›:]|::)\s*$/, '');
}
