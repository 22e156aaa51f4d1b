// The site for language models: https://llmstxt.org

import { type Section, pagesIn } from './navigation.ts';
import { type Page, markdownUrlOf } from './pages.ts';

const SUMMARY =
  'Keywright is a self-hosted, multi-tenant identity and access service: logins, machine identities and tokens that every service can verify offline.';
/** Not part of the complete text: how the project is built. */
const WITHOUT_TEXT = ['Project'];

/** llms.txt: the pages with their descriptions. */
export function llmsIndex(sections: readonly Section<Page>[]): string {
  const parts = sections.map((section) => {
    const lines = pagesIn(section).map(({ id, title, description }) => {
      const about = description === '' ? '' : `: ${description}`;
      return `- [${title}](${markdownUrlOf(id)})${about}`;
    });
    return `## ${section.label}\n\n${lines.join('\n')}\n`;
  });
  return `# Keywright\n\n> ${SUMMARY}\n\n${parts.join('\n')}`;
}

/** llms-full.txt: the text of the pages. */
export function llmsFull(
  sections: readonly Section<Page>[],
  markdownOf: (page: Page) => string,
): string {
  const pages = sections.filter(({ label }) => !WITHOUT_TEXT.includes(label)).flatMap(pagesIn);
  return `# Keywright\n\n> ${SUMMARY}\n\n${pages.map(markdownOf).join('\n\n')}`;
}
