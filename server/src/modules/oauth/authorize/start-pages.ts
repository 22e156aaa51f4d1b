import type { TenantId } from '@keywright/contract/ids';
import { FairCache } from '../../../platform/cache/fair-cache.ts';
import { type FilledPage, type Html, html } from '../../../platform/http/pages/html.ts';
import { PageTemplate } from '../../../platform/http/pages/template.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Look } from '../../branding/brand/index.ts';
import { type LoginPage, startView } from '../../branding/views/index.ts';
import { formInPlace } from './interaction.ts';

const CACHED = { max: 500, maxOfOwner: 50 };
/** With many identity providers, a page can be larger. It is then rendered for each request. */
const MAX_CACHED_BYTES = 16_384;

/** What differs between requests for the same page. */
type Slot = 'request' | 'token';

/** A page, and the state of its tenant when it was rendered: a changed tenant, brand or language is a new object. */
interface RenderedPage extends Pick<Look, 'brand' | 'texts'> {
  readonly tenant: Tenant;
  readonly template: PageTemplate<Slot>;
}

/** The first pages of logins. Most requests are for one without input or a problem, which is rendered once (ADR 42). */
export class StartPages {
  readonly #rendered = new FairCache<TenantId, string, RenderedPage>(CACHED);

  render(tenant: Tenant, page: LoginPage): Html | FilledPage {
    const { reauthenticates, identifier, problem, request, token } = page;
    const isPlain = [reauthenticates, identifier, problem].every((part) => part === undefined);
    if (!isPlain) return startView(page);
    const template = this.#templateOf(tenant, { ...page, lastUsed: lastUsedOf(page) });
    return template.insert({ request: html`${request}`, token });
  }

  #templateOf(tenant: Tenant, page: LoginPage): PageTemplate<Slot> {
    const { brand, texts } = page.look;
    const key = `${texts.locale} ${page.lastUsed ?? ''} ${page.clientName}`;
    const cached = this.#rendered.get(tenant.id, key);
    if (cached?.tenant === tenant && cached.brand === brand && cached.texts === texts) {
      return cached.template;
    }
    const template = templateOf(page);
    if (template.size <= MAX_CACHED_BYTES) {
      this.#rendered.set(tenant.id, key, { tenant, brand, texts, template });
    }
    return template;
  }
}

function templateOf(page: LoginPage): PageTemplate<Slot> {
  return new PageTemplate(['request', 'token'], (markerOf) => {
    const request = markerOf('request');
    const look = { ...page.look, here: formInPlace(request) };
    return startView({ ...page, request, token: html`${markerOf('token')}`, look });
  });
}

/** The method of the browser's cookie, unless the page has no such method: clients choose the value. */
function lastUsedOf({ lastUsed, methods: { providers } }: LoginPage): string | undefined {
  const methods = ['password', 'code', 'passkey', ...providers.map(({ id }) => id)];
  return methods.find((method) => method === lastUsed);
}
