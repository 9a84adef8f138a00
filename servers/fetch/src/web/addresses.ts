/** A text as an address, relative to another one if given. */
export function parseUrl(text: string, base?: URL): URL | undefined {
  return URL.canParse(text, base?.href) ? new URL(text, base) : undefined;
}

/** An address as it may be told: without user name and password, and not endless. */
export function displayUrl(url: URL): string {
  const href = url.username === '' && url.password === '' ? url.href : withoutCredentials(url);
  return href.length > 2048 ? `${href.slice(0, 2048)}…` : href;
}

/** A host name as it is compared: in lower case, without brackets and final dot. */
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
