import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, resolve, sep } from 'node:path';

/** Source files by path from the repository's root, each with the modules that it imports, types included. */
export type Graph = ReadonlyMap<string, readonly string[]>;

const specifier =
  /(?:^|[\s;}])(?:import|export)\s(?:[^'";]*?\sfrom\s*)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g;

/** The imports of every source file below these folders. */
export function readGraph(root: string, folders: readonly string[]): Graph {
  const graph = new Map<string, readonly string[]>();
  for (const folder of folders) {
    for (const file of sourceFiles(join(root, folder))) {
      const path = relative(root, file).split(sep).join('/');
      graph.set(path, importsOf(root, path, readFileSync(file, 'utf8')));
    }
  }
  return graph;
}

/** The source files below these folders, as paths from the repository's root. */
export function sourcesBelow(root: string, folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    sourceFiles(join(root, folder)).map((file) => relative(root, file).split(sep).join('/')),
  );
}

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
}

/**
 * All that comes with a file when it runs, also what is loaded later, each with its imports; those of types are not
 * followed.
 */
export function reachableFrom(root: string, entry: string): Graph {
  const reached = new Map<string, readonly string[]>([[entry, []]]);
  for (const file of reached.keys()) {
    // packages and JSON have nothing to follow
    if (!file.endsWith('.ts')) continue;
    const imports = importsOf(root, file, withoutTypes(readFileSync(join(root, file), 'utf8')));
    reached.set(file, imports);
    for (const target of imports) if (!reached.has(target)) reached.set(target, []);
  }
  return reached;
}

/** A module's text without what is imported and exported as a type alone. */
function withoutTypes(text: string): string {
  return text
    .replace(/(^|[\n;])(import|export) type [^'";]*? from '[^']+'/g, '$1')
    .replace(/(^|[\n;])(import|export) \{(\s*type [^,}]+,?)+\s*\} from '[^']+'/g, '$1');
}

/** Relative imports as paths from the root, others as they are. */
export function importsOf(root: string, path: string, text: string): string[] {
  // examples in doc comments import what they like
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '');
  return [...code.matchAll(specifier)].map(([, fixed, dynamic]) => {
    const target = fixed ?? dynamic!;
    if (!target.startsWith('.')) return target;
    return relative(root, resolve(root, dirname(path), target))
      .split(sep)
      .join('/');
  });
}

/** The first circle of imports, as the files along it, or undefined. */
export function findCircle(graph: Graph): string[] | undefined {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string): string[] | undefined => {
    const at = path.indexOf(file);
    if (at >= 0) return [...path.slice(at), file];
    if (done.has(file)) return undefined;
    path.push(file);
    for (const imported of graph.get(file) ?? []) {
      const circle = graph.has(imported) ? visit(imported) : undefined;
      if (circle !== undefined) return circle;
    }
    path.pop();
    done.add(file);
    return undefined;
  };
  for (const file of graph.keys()) {
    const circle = visit(file);
    if (circle !== undefined) return circle;
  }
  return undefined;
}

/** Which layer a file or package belongs to, and which layers it may import. */
export interface Layer {
  name: string;
  holds(target: string): boolean;
  mayImport: readonly string[];
}

/** Imports between layers that no rule allows, each as one line. */
export function findWrongArrows(graph: Graph, layers: readonly Layer[]): string[] {
  const layerOf = (target: string): Layer | undefined => layers.find((layer) => layer.holds(target));
  const wrong: string[] = [];
  for (const [file, imports] of graph) {
    const from = layerOf(file);
    if (from === undefined) {
      wrong.push(`${file} belongs to no layer`);
      continue;
    }
    for (const imported of imports) {
      const to = layerOf(imported);
      if (to === undefined || to === from || from.mayImport.includes(to.name)) continue;
      wrong.push(`${file} (${from.name}) imports ${imported} (${to.name})`);
    }
  }
  return wrong;
}

/** Files below a folder. */
export function below(folder: string): (target: string) => boolean {
  return (target) => target.startsWith(`${posix.normalize(folder)}/`);
}
