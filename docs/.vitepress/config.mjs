import { defineConfig } from 'vitepress';
import { fragmentOf, resolveLinks } from './links.mjs';
import { ADDRESSES, REPOSITORY, sidebar } from './pages.mjs';

export default defineConfig({
  title: 'Rootbound',
  description: 'Reference servers for the Model Context Protocol, bounded by roots',
  lang: 'en',
  srcDir: '..',
  srcExclude: [
    '.*/**',
    'test/**',
    'scripts/**',
    'bundles/**',
    '{packages,servers}/*/!(README).md',
    '{packages,servers}/*/*/**',
    'LICENSE.md',
    'CHANGELOG.md',
  ],
  rewrites: ADDRESSES,
  cacheDir: '.vitepress/cache',
  outDir: '.vitepress/dist',
  metaChunk: true,
  markdown: {
    anchor: { slugify: fragmentOf },
    config: resolveLinks,
    attrs: { disable: true },
    languageAlias: { console: 'shellsession' },
  },
  themeConfig: {
    nav: [
      { text: 'Use it', link: '/use' },
      { text: 'Operate it', link: '/operate' },
      { text: 'Build on it', link: '/build' },
      { text: 'API', link: '/api/' },
    ],
    sidebar,
    outline: [2, 3],
    search: { provider: 'local', options: { detailedView: false } },
    editLink: { pattern: `${REPOSITORY}/edit/main/:path` },
  },
});
