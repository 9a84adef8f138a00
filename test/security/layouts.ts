/** A tree and a path in it, with the real path of its target. */
export interface Layout {
  readonly name: string;
  /** `a/` is a folder, `a` a file with its name as content, `a -> b` a link; `$ROOT` and `$OUTSIDE` are absolute */
  readonly holds: readonly string[];
  /** the caller's path */
  readonly path: string;
  /** the real path below the root; undefined if it is outside the root or missing */
  readonly place?: string;
  /** the real path of the last name if that is a link */
  readonly link?: string;
  /** whether the parent folder is missing */
  readonly orphan?: true;
  /** whether a file is in place of the parent folder */
  readonly inFile?: true;
  /** whether the path is invalid on every system */
  readonly unusable?: true;
}

const chain = (length: number): string[] =>
  Array.from({ length }, (_, index) => `link${index} -> ${index === 0 ? 'target' : `link${index - 1}`}`);

/**
 * The cases of Go's `root_test.go`; see README.md. Two results differ from Go on purpose: a path is normalized before
 * links are followed, as on Windows, and a link may leave the root if it comes back into it.
 */
export const layouts: readonly Layout[] = [
  { name: 'a plain name', holds: [], path: 'target', place: 'target' },
  { name: 'a name below folders', holds: ['a/b/c/'], path: 'a/b/c/target', place: 'a/b/c/target' },
  { name: 'a link', holds: ['link -> target'], path: 'link', place: 'target', link: 'link' },
  { name: 'a link to the folder above', holds: ['link -> ../'], path: 'link', link: 'link' },
  { name: 'a link two folders up', holds: ['dir/link -> ../../'], path: 'dir/link', link: 'dir/link' },
  {
    name: 'a name behind a link that ends in a slash',
    holds: ['dir/', 'link -> dir/'],
    path: 'link/target',
    place: 'dir/target',
  },
  {
    name: 'a slash behind a link',
    holds: ['link -> ../root/target'],
    path: 'link/',
    place: 'target',
    link: 'link',
  },
  {
    name: 'a chain of links up and down',
    holds: ['link -> a/b/c/target', 'a/b -> e', 'a/e -> ../f', 'f -> g/h/i', 'g/h/i -> ..', 'g/c/'],
    path: 'link',
    place: 'g/c/target',
    link: 'link',
  },
  { name: 'dots that mean here', holds: ['a/b/'], path: './a/./b/./target', place: 'a/b/target' },
  {
    name: 'dots that go up and down',
    holds: ['a/b/'],
    path: 'a/../a/b/../../a/b/../b/target',
    place: 'a/b/target',
  },
  { name: 'the folder above', holds: [], path: '../' },
  { name: 'the folder above, from below', holds: ['a/'], path: 'a/../../' },
  { name: 'dots back to the top', holds: ['a/'], path: 'a/../target', place: 'target' },
  { name: 'dots behind a link', holds: ['a -> b/c', 'b/c/'], path: 'a/../target', place: 'target' },
  { name: 'dots before a link', holds: ['a -> b/c', 'b/c/'], path: 'b/../a/target', place: 'b/c/target' },
  { name: 'a link that ends in a dot', holds: ['a -> b/.', 'b/'], path: 'a/target', place: 'b/target' },
  { name: 'a folder that is missing', holds: [], path: 'a/target', place: 'a/target', orphan: true },
  { name: 'no path', holds: [], path: '', unusable: true },
  { name: 'a link to itself', holds: ['a -> a'], path: 'a', link: 'a' },
  { name: 'out and in again by name', holds: [], path: '../root/target', place: 'target' },
  { name: 'out and in again from below', holds: ['a/'], path: 'a/../../root/target', place: 'target' },
  {
    name: 'an absolute link inside',
    holds: ['link -> $ROOT/target'],
    path: 'link',
    place: 'target',
    link: 'link',
  },
  {
    name: 'a link that leaves and comes back',
    holds: ['link -> ../root/target'],
    path: 'link',
    place: 'target',
    link: 'link',
  },
  {
    name: 'a chain that leaves and comes back',
    holds: ['link -> a/b/c/target', 'a/b -> e', 'a/e -> ../../root', 'c/'],
    path: 'link',
    place: 'c/target',
    link: 'link',
  },
  // cases of this repository
  {
    name: 'an absolute link to a file outside',
    holds: ['link -> $OUTSIDE/secret'],
    path: 'link',
    link: 'link',
  },
  {
    name: 'a relative link to a folder outside',
    holds: ['link -> ../outside/folder'],
    path: 'link',
    link: 'link',
  },
  { name: 'a name behind a link outside', holds: ['link -> ../outside'], path: 'link/secret' },
  { name: 'a folder behind a link outside', holds: ['link -> ../outside'], path: 'link/folder' },
  { name: 'a missing name behind a link outside', holds: ['link -> ../outside'], path: 'link/nothing' },
  {
    name: 'a chain that ends outside',
    holds: ['link -> a/b', 'a/b -> ../c', 'c -> ../outside/secret'],
    path: 'link',
    link: 'link',
  },
  { name: 'a dead link outside', holds: ['link -> ../outside/nothing'], path: 'link', link: 'link' },
  { name: 'a dead link far away', holds: ['link -> /nothing/at/all'], path: 'link', link: 'link' },
  { name: 'two links to each other', holds: ['a -> b', 'b -> a'], path: 'a', link: 'a' },
  { name: 'a name behind links to each other', holds: ['a -> b', 'b -> a'], path: 'a/target' },
  { name: 'a chain of 39 links', holds: chain(39), path: 'link38', place: 'target', link: 'link38' },
  { name: 'a chain of 45 links', holds: chain(45), path: 'link44', link: 'link44' },
  {
    name: 'a link in the middle, absolute and inside',
    holds: ['dir/', 'link -> $ROOT/dir'],
    path: 'link/target',
    place: 'dir/target',
  },
  {
    name: 'a link whose own dots follow a link',
    holds: ['link -> dir/up/../target', 'dir/up -> ../other/deep', 'other/deep/'],
    path: 'link',
    place: 'other/target',
    link: 'link',
  },
  {
    name: 'a link by way of a process to what is inside',
    holds: ['link -> /proc/self/root$ROOT/target'],
    path: 'link',
    place: 'target',
    link: 'link',
  },
  {
    name: 'a link by way of a process to what is outside',
    holds: ['link -> /proc/self/root$OUTSIDE'],
    path: 'link/secret',
  },
  { name: 'a link to where the process works', holds: ['link -> /proc/self/cwd'], path: 'link/package.json' },
  { name: 'a file in the middle', holds: ['file'], path: 'file/target', inFile: true },
  { name: 'a sibling whose name begins like the root', holds: [], path: '../root2/secret' },
  { name: 'an absolute path outside', holds: [], path: '$OUTSIDE/secret' },
  { name: 'an absolute path inside', holds: [], path: '$ROOT/target', place: 'target' },
  { name: 'a dot behind the name', holds: [], path: 'target/.', place: 'target' },
  { name: 'a name that no shell likes', holds: [], path: 'a?*[b]\n;$(c)%2f', place: 'a?*[b]\n;$(c)%2f' },
  { name: 'dots that are escaped', holds: ['%2e%2e/'], path: '%2e%2e/target', place: '%2e%2e/target' },
  { name: 'a name of 500 letters', holds: [], path: 'a'.repeat(500), unusable: true },
  { name: 'a path of 5,000 letters', holds: [], path: 'abcd/'.repeat(1000), unusable: true },
  { name: 'a NUL', holds: [], path: 'target\0', unusable: true },
];
