export interface Origin {
  npm: {
    homepage: string;
    repository: { type: string; url: string; directory: string };
    bugs: { url: string };
  };
  registry: { repository: { url: string; source: string; subfolder: string } };
}

export interface Manifest {
  name: string;
  version: string;
  description: string;
  exports?: Record<string, unknown>;
  publishConfig: { access: string; provenance?: boolean };
  [field: string]: unknown;
}

export function publicWorkspaces(checkout: string): string[];
export function originOf(checkout: string, workspace: string): Origin;
export function copyOrigin(checkout: string): void;
export function manifestOf(checkout: string, workspace?: string): Manifest;
