interface Titles {
  /** for other programs */
  readonly declared: string | undefined;
  /** of the window */
  readonly tag: string | undefined;
  /** the first heading */
  readonly heading: string | undefined;
  readonly site: string | undefined;
}

const SEPARATOR = /(?<!\s)\s+(?:[|\-–—·•»›:]|::)\s+|(?<!\s)\s*[|»›]\s*|[|»›]\s*/;

/** The title of a page without the name of its site. */
export function titleOf({ declared, tag, heading, site }: Titles): string | undefined {
  if (declared !== undefined) return withoutSite(declared, site);
  if (tag === undefined) return heading;
  if (heading !== undefined && heading.length > 8 && tag.toLowerCase().includes(heading.toLowerCase()))
    return heading;
  return withoutSite(tag, site);
}

/** Cuts the site's name off either end: where it is not known, a short last part counts as one. */
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
