import { listFactors } from '@keywright/contract/routes/factors';
import { listIdentifiers } from '@keywright/contract/routes/identifiers';
import { html } from '../../../platform/http/pages/html.ts';
import { time } from './parts.ts';
import { type Section, WHOLE } from './section.ts';
import { openSessions } from './sessions.ts';

/** Who you are, what protects you, and where you are logged in. */
export const overview: Section = {
  actions: {},
  async show(api, { texts }) {
    const [{ identifiers }, factors, sessions] = await Promise.all([
      api.call(listIdentifiers, { params: {}, query: {}, body: undefined }),
      api.call(listFactors, WHOLE),
      openSessions(api, 1),
    ]);
    const strong = factors.items.filter((one) => one.confirmed_at !== null);
    const kinds = new Set(strong.map(({ type }) => type));
    const protection = kinds.has('passkey')
      ? 'overview.by_passkey'
      : kinds.has('totp')
        ? 'overview.by_second_factor'
        : 'overview.by_first_factor';
    const shown = identifiers.map(({ identifier, verified: isVerified }) => {
      const address = html`<bdi>${identifier}</bdi>`;
      const text = isVerified ? address : texts.html('overview.not_verified', { address });
      return html`<li>${text}</li>`;
    });
    const since = texts.html('overview.since', {
      time: time(api.login.authTime, texts),
      count: sessions.meta.total,
      link: { href: 'account?section=sessions' },
    });
    return html`<h2>${texts.text('overview.you')}</h2>
      <ul>
        ${shown}
      </ul>
      <h2>${texts.text('overview.protection')}</h2>
      <p>
        ${texts.text(protection)}
        <a href="account?section=security">${texts.text('account.section.security')}</a>
      </p>
      <h2>${texts.text('overview.logins')}</h2>
      <p>${since}</p>`;
  },
};
