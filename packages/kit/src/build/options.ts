/** Where a server is and what is made of it. */
export interface ServerBuild {
  /** the folder of its package.json */
  root: string;
  /** entry modules by output name, relative to the root; `cli` becomes executable */
  entries: Readonly<Record<string, string>>;
  /** the module that exports `catalog`, relative to the root */
  catalog: string;
  /** the folder of the modules that each export tools, relative to the root */
  tools: string;
  /** packages that stay outside, such as native ones */
  external?: readonly string[];
  /**
   * files of packages that are read while the server runs, and folders, which end with a slash: by the name that each
   * gets beside the entries
   */
  assets?: Readonly<Record<string, string>>;
  /** the licence files of packages that come without one, by package, relative to the root */
  licences?: Readonly<Record<string, string>>;
}
