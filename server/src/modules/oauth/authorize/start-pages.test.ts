// The login page is rendered once for many requests: it must be the page that would be rendered for each.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { TEXT_LOCALES } from '@keywright/contract/locale';
import { newClient, requestOf } from '@keywright/tests/harness/code-login';
import { expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import type { TestTenant } from '@keywright/tests/harness/tenant';
import { Visitor } from '@keywright/tests/harness/visitor';
import { html } from '../../../platform/http/pages/html.ts';
import { loadTexts } from '../../../platform/texts/load.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { type LoginPage, StartPages, startView } from '../../branding/views/index.ts';
import { formInPlace } from './interaction.ts';

const HOSTILE = '<script>&" 日本';
const TENANT = { id: 'org_acme' } as Tenant;
const BRAND = {
  name: HOSTILE,
  logo: undefined,
  stylesheet: '/style.css',
  lists: '/lists.css',
  marks: '/marks.css',
  style: undefined,
  icon: undefined,
  classes: 'page card',
  isSplit: false,
  split: '/t/acme/assets/look.css?v=split',
  headline: undefined,
  subline: undefined,
  logoPosition: 'inside',
  logoHeight: 40,
  providers: { position: 'top', style: 'list' },
  identifierFirst: false,
  terms: 'https://acme.example/?a=1&b=2',
  privacy: undefined,
  support: undefined,
} as const;
const METHODS = {
  password: true,
  channels: ['email'],
  passkey: true,
  registration: true,
  names: 'optional',
  providers: [{ id: 'idp_corporate', name: HOSTILE, type: 'oidc' }],
  identifierFirst: false,
} as const;

let requests = 0;

/** A page of another request. */
async function newPage({ locale = 'en', ...fields }: Partial<LoginPage> & { locale?: string }) {
  requests += 1;
  const request = `request-${requests}`;
  const texts = await loadTexts(TEXT_LOCALES.find((candidate) => candidate === locale) ?? 'en');
  const page: LoginPage = {
    look: { brand: BRAND, texts, here: formInPlace(request) },
    request,
    token: html`<input type="hidden" name="form_token" value="token-${requests}" />`,
    tenantName: 'Acme',
    clientName: HOSTILE,
    methods: METHODS,
    ...fields,
  };
  return page;
}

function shown(pages: StartPages, tenant: Tenant, page: LoginPage): string {
  const rendered = pages.render(tenant, page);
  return 'bytes' in rendered ? rendered.bytes.toString() : rendered.html;
}

describe('the rendered login page', () => {
  test('The login page has the same bytes for the first request and for later ones as without a template', async () => {
    const pages = new StartPages();
    for (const locale of TEXT_LOCALES) {
      for (const lastUsed of [undefined, 'password', 'idp_corporate', 'idp_of_another_tenant']) {
        for (const _turn of [1, 2]) {
          const page = await newPage({ locale, lastUsed });
          assert.equal(shown(pages, TENANT, page), startView(page).html);
        }
      }
    }
  });

  test('What a user typed, a problem and a repeated login are never part of the login page of another request', async () => {
    const pages = new StartPages();
    for (const fields of [
      { identifier: 'ada@example.com' },
      { problem: 'Try again.' },
      { reauthenticates: 'ada@example.com' },
      {},
    ]) {
      const page = await newPage(fields);
      assert.equal(shown(pages, TENANT, page), startView(page).html);
    }
  });

  test('The login page names the application of the request, not another one of the tenant', async () => {
    const pages = new StartPages();
    for (const clientName of ['Invoices', 'Receipts', 'Invoices']) {
      const page = await newPage({ clientName });
      assert.match(shown(pages, TENANT, page), new RegExp(`<bdi>${clientName}</bdi>`));
    }
  });

  test('The login page of a tenant is never that of another tenant whose application has the same name', async () => {
    const pages = new StartPages();
    for (const id of ['org_acme', 'org_other', 'org_acme']) {
      const page = await newPage({});
      const look = { ...page.look, brand: { ...BRAND, name: `The sign of ${id}` } };
      assert.match(shown(pages, { id } as Tenant, { ...page, look }), new RegExp(`sign of ${id}`));
    }
  });
});

describe('a login page after a change', () => {
  let keywright: Keywright;
  let tenant: TestTenant;
  let clientId: string;

  before(async () => {
    keywright = await startKeywright({});
    tenant = await keywright.tenant('changing');
    clientId = (await newClient(tenant, { name: 'Invoices' })).id;
  });
  after(() => keywright.close());

  async function openPage(): Promise<string> {
    const browser = new Visitor(tenant, `https://id.example.com/t/${tenant.id}`);
    return (await browser.authorize(requestOf({ id: clientId }))).text;
  }

  const changes = {
    brand: () => ['PATCH', `/tenants/${tenant.id}`, { branding: { company_name: 'Zeta' } }],
    settings: () => ['PATCH', `/tenants/${tenant.id}`, { config: { allow_registration: false } }],
    texts: () => ['PUT', '/texts/en/login.title', { text: 'Zeta' }],
    application: () => ['PATCH', `/clients/${clientId}`, { name: 'Zeta' }],
  } as const satisfies Record<string, () => readonly [string, string, object]>;

  for (const [what, change] of Object.entries(changes)) {
    test(`The next login page shows a change of the ${what}`, async () => {
      await openPage();
      const earlier = countIn(await openPage());
      const [method, path, body] = change();
      const token = await tenant.adminToken();
      expectStatus(200, await tenant.request(method, path, { token, body }));
      assert.notEqual(countIn(await openPage()), earlier);
    });
  }
});

/** How often a page has the changed name, or the button that the changed setting removes. */
function countIn(page: string): number {
  return page.split(/Zeta|begin_registration/).length;
}
