import starlight from '@astrojs/starlight';
import { satteri } from '@astrojs/markdown-satteri';
import { defineConfig } from 'astro/config';
import { GROUPS, UNLISTED } from './sidebar.mjs';
import { codeClasses } from './src/docs/code-classes.ts';
import { finish } from './src/build/finish.ts';
import { type Section, navigationOf } from './src/docs/navigation.ts';
import { BASE, type Page } from './src/docs/pages.ts';
import { sitePages } from './src/docs/records.ts';

const pages = sitePages();
const navigation = navigationOf(
  pages,
  GROUPS,
  UNLISTED.map(([folder]) => folder),
);

function sidebarOf({ label, isCollapsed, items }: Section<Page>): object {
  return {
    label,
    // The group of the current page is open.
    collapsed: isCollapsed,
    items: items.map((item) =>
      'page' in item ? { label: item.label, link: `/${item.page.id}` } : sidebarOf(item),
    ),
  };
}

export default defineConfig({
  base: BASE,
  trailingSlash: 'never',
  devToolbar: { enabled: false },
  // The page of docs/guide/tenants.md is guide/tenants.html.
  build: { format: 'preserve', inlineStylesheets: 'never', assets: '_assets' },
  vite: { build: { assetsInlineLimit: 0 } },
  image: { service: { entrypoint: 'astro/assets/services/noop' } },
  markdown: {
    processor: satteri({ features: { smartPunctuation: false } }),
    shikiConfig: { theme: 'css-variables', transformers: [codeClasses as never] },
  },
  integrations: [
    starlight({
      title: 'Keywright',
      logo: { src: '../docs/images/mark.svg', alt: '' },
      favicon: '/images/mark.svg',
      credits: false,
      pagefind: false,
      expressiveCode: false,
      disable404Route: false,
      customCss: [
        '@fontsource-variable/geist/index.css',
        './src/style/theme.css',
        './src/style/code.css',
        './src/style/search.css',
      ],
      components: {
        Search: './src/components/Search.astro',
        PageTitle: './src/components/PageTitle.astro',
        MarkdownContent: './src/components/MarkdownContent.astro',
      },
      markdown: { processedDirs: ['../docs'], headingLinks: false },
      sidebar: navigation.map((section) => sidebarOf(section) as never),
      tableOfContents: { minHeadingLevel: 2, maxHeadingLevel: 3 },
    }),
    finish(pages, navigation),
  ],
});
