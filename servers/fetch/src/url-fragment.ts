/** Returns a URL without its fragment. */
export function withoutFragment(url: URL | string): string {
  const text = typeof url === 'string' ? url : url.href;
  const hash = text.indexOf('#');
  return hash === -1 ? text : text.slice(0, hash);
}
