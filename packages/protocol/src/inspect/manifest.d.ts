/** What is used of this package's package.json, which lies outside of what is compiled. */
declare const manifest: { readonly version: string };
export default manifest;
