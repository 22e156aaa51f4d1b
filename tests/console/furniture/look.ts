// The branding and texts of the pages, as long and as hostile as the tenant can make them.

import { registerClient } from '../../harness/application.ts';
import { expectStatus } from '../../harness/http.ts';
import type { Keywright } from '../../harness/keywright.ts';
import type { TestTenant } from '../../harness/tenant.ts';
import { furnishMessages } from '../../isolation/furnish-messages.ts';

const PAYLOAD = `"'><img src=x onerror="globalThis.hacked=1">`;
/** A text that names an address is refused. */
const UNADDRESSED = `"'><img src=x onerror="hacked=1">`;
/** A text of a page has no brackets. */
const WORDS = `"' onfocus="globalThis.hacked=1" ${'Donaudampfschifffahrt'.repeat(8)}`;
const HEADLINE = `${UNADDRESSED} ${'Donaudampfschifffahrt'.repeat(4)}`;

/** @returns paths below the tenant, by the name of the screen */
export async function furnishLook(
  keywright: Keywright,
  tenant: TestTenant,
): Promise<Readonly<Record<string, string>>> {
  const token = await tenant.adminToken();
  const done = async (method: string, path: string, body: object) =>
    expectStatus(200, await tenant.request(method, path, { token, body }));
  const branding = {
    company_name: `${PAYLOAD}${'Donaudampfschifffahrt'.repeat(4)}`,
    primary_color: '#ffe14d',
    // No server answers there, and the reason is shown.
    logo_url: `https://127.0.0.1:1/${'logo'.repeat(40)}.svg`,
    terms_url: `https://acme.example.com/${PAYLOAD.replaceAll(' ', '')}`,
  };
  await done('PATCH', `/tenants/${tenant.id}`, { branding });
  const clientId = await registerClient(tenant, { name: `${PAYLOAD} shop` });
  const ofClient = { headline: HEADLINE, subline: UNADDRESSED, layout: 'split-end' };
  await done('PATCH', `/clients/${clientId}/branding`, { settings: ofClient });
  await done('PUT', '/texts/en/login.title', { text: WORDS });
  await done('PUT', '/messaging/templates/login/en', {
    subject: `${PAYLOAD} {{company}}`,
    text: `${PAYLOAD}\n\n{{code}} ${PAYLOAD}`,
  });
  await furnishMessages(keywright, tenant, tenant.id.slice(4));
  return {
    branding: '/branding',
    'branding of an application': `/branding?client=${clientId}`,
    'branding of a consent, dark, on a desk': '/branding?view=consent&scheme=dark&device=desk',
    texts: '/texts',
    'texts, filtered': '/texts?group=consents&locale=ar&words=nothing-has-this',
    'a text': '/texts/login.title?locale=en',
    'a fixed text': '/texts/consent.title?locale=ar',
    messages: '/messages',
    'log of messages': '/messages?tab=log',
    'addresses not written to': '/messages?tab=suppressions',
    'a message': '/messages/login?locale=en',
    'a text message': '/messages/login?locale=en&part=sms',
    'a message without a text message': '/messages/invitation?locale=en&part=sms',
    'a message, plain': '/messages/login?locale=en&part=plain',
  };
}
