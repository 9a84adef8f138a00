/** The part of package.json that is used; the file is outside of the compiled sources. */
declare const manifest: { readonly version: string };
export default manifest;
