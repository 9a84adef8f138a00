/** Parses a URL, relative to a base if one is given; returns undefined if it is invalid. */
export function parseUrl(text: string, base?: URL): URL | undefined {
  return URL.canParse(text, base?.href) ? new URL(text, base) : undefined;
}

/** Returns a URL for messages: without user name and password, and shortened. */
export function displayUrl(url: URL): string {
  const href = url.username === '' && url.password === '' ? url.href : withoutCredentials(url);
  return href.length > 2048 ? `${href.slice(0, 2048)}…` : href;
}

/** Returns a host name in lower case, without brackets and final dot. */
export function bareHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
}

function withoutCredentials(url: URL): string {
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  return bare.href;
}
