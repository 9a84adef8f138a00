/** The location of a server and the parts of its build. */
export interface ServerBuild {
  /** the folder of its package.json */
  root: string;
  /** entry modules by output name, relative to the root; `cli` becomes executable */
  entries: Readonly<Record<string, string>>;
  /** the module that exports `catalog` and imports the modules of the tools, relative to the root */
  catalog: string;
  /** packages outside of the bundle, such as native ones */
  external?: readonly string[];
  /**
   * files of packages that the server reads at run time, and folders, which end with a slash: by their names beside the
   * entries
   */
  assets?: Readonly<Record<string, string>>;
  /** the licence files of packages that have none, by package, relative to the root */
  licences?: Readonly<Record<string, string>>;
}
