import type { Redirection } from '../../../src/auth.ts';

export const REDIRECT_URI = 'http://127.0.0.1:33418/callback';

/** Returns a user who follows every link at once and returns with the response of the authorization server. */
export function user(redirectUri = REDIRECT_URI, visit = fetch): Redirection & { readonly asked: URL[] } {
  const asked: URL[] = [];
  return {
    redirectUri,
    asked,
    async authorize(url) {
      asked.push(url);
      const response = await visit(url, { redirect: 'manual' });
      await response.body?.cancel();
      const location = response.headers.get('location');
      if (location === null) throw new Error(`the authorization server answered ${response.status}`);
      return location;
    },
  };
}
