const secretEnds = new Set([
  'apikey',
  'credential',
  'credentials',
  'cvc',
  'cvv',
  'passcode',
  'passphrase',
  'password',
  'secret',
  'token',
]);
const secretPairs = new Set(['api key', 'access key', 'private key', 'secret key', 'card number']);

/** Returns true if the name of a field or parameter suggests a secret, such as `accessToken` or `card_number`. */
export function namesSecret(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return secretEnds.has(words.at(-1) ?? '') || secretPairs.has(words.slice(-2).join(' '));
}
