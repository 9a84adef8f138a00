import { catalogOf } from '@rootbound/protocol';
import { comparePage } from './tools/compare-page.ts';
import { downloadTool } from './tools/download.ts';
import { fetchTool } from './tools/fetch.ts';
import { fetchMany } from './tools/fetch-many.ts';
import { findInPage } from './tools/find-in-page.ts';
import { getMetadata } from './tools/get-metadata.ts';
import { getOutline } from './tools/get-outline.ts';
import { listLinks } from './tools/list-links.ts';
import { requestTool } from './tools/request.ts';
import { screenshotTool } from './tools/screenshot.ts';

/** The tools of this server; the build replaces this module by one that lists them and loads each on its first call. */
export const catalog = catalogOf(
  [
    fetchTool,
    fetchMany,
    getOutline,
    findInPage,
    listLinks,
    getMetadata,
    comparePage,
    screenshotTool,
    downloadTool,
    requestTool,
  ],
  { outputs: 'shape' },
);
