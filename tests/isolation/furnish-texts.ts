import { type Answer, type JsonBody, expectStatus } from '../harness/http.ts';

type Send = (method: string, path: string, body: object) => Promise<Answer<JsonBody>>;

/** Texts of a tenant: of a message, in a language without shipped texts, and one that replaces a text of the pages. */
export function writeTexts(slug: string, send: Send) {
  return {
    /** @returns its locale */
    async writeTemplate() {
      const body = { subject: `${slug} post`, text: 'nuqneH: {{code}}' };
      expectStatus(200, await send('PUT', '/messaging/templates/login/tlh', body));
      return 'tlh';
    },
    /** @returns its key */
    async writeText() {
      expectStatus(200, await send('PUT', '/texts/en/login.title', { text: `${slug} door` }));
      return 'login.title';
    },
  };
}
