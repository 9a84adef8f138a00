import { isObject } from '../jsonrpc/message.ts';
import { asksForTasks } from './methods.ts';
import { type Revision, revisions } from './revisions.ts';
import type * as t from './types.ts';

/** Returns a tool without the members that a revision does not have. */
export function projectTool(revision: Revision, tool: t.Tool): t.Tool {
  const features = revisions[revision];
  const { name, title, description, inputSchema, outputSchema, annotations, execution, icons, _meta } = tool;
  return {
    name,
    ...(features.structured && title !== undefined && { title }),
    ...(description !== undefined && { description }),
    inputSchema,
    ...(features.structured &&
      outputSchema !== undefined &&
      (takesAnyOutput(revision) || (isObject(outputSchema) && outputSchema.type === 'object')) && {
        outputSchema,
      }),
    ...(features.annotations &&
      annotations !== undefined && { annotations: titled(features.structured, annotations, title) }),
    ...(execution !== undefined && asksForTasks(revision) && { execution }),
    ...(features.icons && icons !== undefined && { icons }),
    ...(features.structured && _meta !== undefined && { _meta }),
  };
}

/** Moves the title into the annotations for revisions in which tools have no title of their own. */
function titled(
  hasTitle: boolean,
  annotations: t.ToolAnnotations,
  title: string | undefined,
): t.ToolAnnotations {
  return hasTitle || title === undefined || annotations.title !== undefined
    ? annotations
    : { title, ...annotations };
}

export function projectResource(revision: Revision, resource: t.Resource): t.Resource {
  return projectDefinition(revision, resource);
}

export function projectTemplate(revision: Revision, template: t.ResourceTemplate): t.ResourceTemplate {
  return projectDefinition(revision, template);
}

export function projectPrompt(revision: Revision, prompt: t.Prompt): t.Prompt {
  const projected = projectDefinition(revision, prompt);
  if (revisions[revision].structured || projected.arguments === undefined) return projected;
  return { ...projected, arguments: projected.arguments.map(({ title: _title, ...argument }) => argument) };
}

interface Definition {
  title?: string;
  icons?: t.Icon[];
  annotations?: t.Annotations;
  _meta?: t.MetaObject;
}

function projectDefinition<D extends Definition>(revision: Revision, definition: D): D {
  const features = revisions[revision];
  const { title, icons, annotations, _meta, ...rest } = definition;
  return {
    ...rest,
    ...(features.structured && title !== undefined && { title }),
    ...(features.icons && icons !== undefined && { icons }),
    ...(annotations !== undefined && { annotations: projectAnnotations(revision, annotations) }),
    ...(features.structured && _meta !== undefined && { _meta }),
    // only members of Definition are left out, and all of them are optional
  } as D;
}

function projectAnnotations(revision: Revision, annotations: t.Annotations): t.Annotations {
  if (revisions[revision].structured) return annotations;
  const { lastModified: _lastModified, ...rest } = annotations;
  return rest;
}

/** Returns an implementation without the members that a revision does not have. */
export function projectImplementation(revision: Revision, info: t.Implementation): t.Implementation {
  const features = revisions[revision];
  const { name, version, title, description, websiteUrl, icons } = info;
  return {
    name,
    version,
    ...(features.structured && title !== undefined && { title }),
    ...(features.icons && description !== undefined && { description }),
    ...(features.icons && websiteUrl !== undefined && { websiteUrl }),
    ...(features.icons && icons !== undefined && { icons }),
  };
}

/** Returns server capabilities without those that a revision does not have. */
export function projectCapabilities(
  revision: Revision,
  capabilities: t.ServerCapabilities,
): t.ServerCapabilities {
  const { completions, extensions, tasks, ...rest } = capabilities;
  return {
    ...rest,
    ...(revisions[revision].annotations && completions !== undefined && { completions }),
    ...(revisions[revision].era === 'stateless' && extensions !== undefined && { extensions }),
    ...(asksForTasks(revision) && tasks !== undefined && { tasks }),
  };
}

/** Returns content for a revision; blocks of types that it does not have become text or a resource. */
export function projectContent(revision: Revision, content: readonly t.ContentBlock[]): t.ContentBlock[] {
  const features = revisions[revision];
  if (features.structured) return content as t.ContentBlock[]; // nobody changes a result after this
  return content.map((later) => {
    const block = projectBlock(revision, later);
    if (block.type === 'resource_link')
      return { type: 'text', text: `${block.title ?? block.name}: ${block.uri}` };
    if (block.type === 'audio' && !features.annotations) {
      return {
        type: 'resource',
        resource: { uri: 'audio:content', mimeType: block.mimeType, blob: block.data },
      };
    }
    return block;
  });
}

function projectBlock(revision: Revision, block: t.ContentBlock): t.ContentBlock {
  const { _meta, annotations, ...rest } = block;
  const own = annotations === undefined ? {} : { annotations: projectAnnotations(revision, annotations) };
  if (rest.type !== 'resource') return { ...rest, ...own };
  const { _meta: _resourceMeta, ...resource } = rest.resource;
  return { ...rest, ...own, resource };
}

/** Returns true if structured content may be any value; before 2026-07-28 it was an object. */
function takesAnyOutput(revision: Revision): boolean {
  return revisions[revision].era === 'stateless';
}

/** Returns a tool result without the members that a revision does not have. */
export function projectToolResult(revision: Revision, result: t.CallToolResult): t.CallToolResult {
  const features = revisions[revision];
  if (features.structured) {
    if (takesAnyOutput(revision) || isObject(result.structuredContent)) return result;
    const { structuredContent: _structured, ...rest } = result;
    return rest;
  }
  const { content, isError, _meta } = result;
  return {
    content: projectContent(revision, content),
    ...(isError !== undefined && { isError }),
    ...(_meta !== undefined && { _meta }),
  };
}
