import assert from 'node:assert/strict';
import type { LogoRecord } from '@keywright/contract/records/logo';
import { FONTS } from '@keywright/server/platform/http/pages/fonts';
import { ASSET_ROUTES } from '@keywright/contract/routes/assets';
import { Authority } from '../harness/certificate.ts';
import type { Keywright } from '../harness/keywright.ts';
import { startReceiver } from '../harness/receiver.ts';
import type { Walk } from './walk.ts';

const SECRET = 'a-secret-of-the-service';

/** A server with a logo. */
export interface LogoSite {
  /** Of its certificate. */
  readonly ca: string;
  readonly logoUrl: string;
  readonly close: () => Promise<void>;
}

export async function startLogoSite(): Promise<LogoSite> {
  const authority = new Authority();
  const certificate = authority.issue(['127.0.0.1']);
  const site = await startReceiver((_request, response) => response.end('<svg/>'), { certificate });
  const logoUrl = `https://127.0.0.1:${site.port}/logo.svg`;
  return { ca: authority.ca, logoUrl, close: () => site.close() };
}

interface Walking {
  readonly walk: Walk['walk'];
  readonly keywright: Keywright;
  readonly site: LogoSite;
}

async function walkLogos({ walk, keywright, site }: Walking, token: string): Promise<void> {
  const home = { tenant_id: keywright.home.id };
  const body = { branding: { logo_url: site.logoUrl } };
  await walk('tenants.update', { token, params: home, body });
  const { logos } = await walk<{ logos: LogoRecord[] }>('branding.fetch_logos', { token });
  assert.equal(logos[0]?.status, 'stored');
  await walk('branding.list_logos', { token });
  const params = { digest: logos[0].sha256 ?? '', ...home };
  await walk('branding.get_logo', { params });
  await walk('branding.get_issuer_logo', { params });
  const named = { token, params: { kind: 'logo_dark' } };
  await walk('branding.put_logo', { ...named, body: { image: 'PHN2Zy8+' } });
  await walk('branding.delete_logo', named);
  const fileParams = { ...params, file: FONTS.geist.file };
  for (const route of ASSET_ROUTES) await walk(route.id, { params: fileParams });
  const previewRequest = {
    page: 'login',
    locale: 'de',
    text: { key: 'login.title', text: 'Anmelden' },
  };
  const { url } = await walk<{ url: string }>('branding.preview', { token, body: previewRequest });
  await walk('branding.show_preview', { params: home, query: new URL(url).search });
}

async function walkTexts({ walk }: Walking, token: string): Promise<void> {
  const named = { token, params: { locale: 'en', key: 'login.title' } };
  await walk('branding.list_texts', { token, params: { locale: 'en' } });
  await walk('branding.put_text', { ...named, body: { text: 'Sign in' } });
  await walk('branding.get_text', named);
  await walk('branding.delete_text', named);
}

export async function walkTenants(walking: Walking, token: string): Promise<void> {
  const { walk } = walking;
  await walkLogos(walking, token);
  await walkTexts(walking, token);
  const settings = {
    config: { custom_claims: { plan: { metadata: '/plan' }, tiers: ['a', 1, true] } },
    branding: { primary_color: '#12abEF', logo_url: 'https://a.example.com/logo.svg?v=1' },
    messaging: { email: { smtp_port: 25, smtp_password: SECRET }, sms: { auth_token: SECRET } },
  };
  const body = { name: 'Walked', domains: ['walked.example.com'], ...settings };
  const { id } = await walk<{ id: string }>('tenants.create', { token, body });
  const params = { tenant_id: id };
  await walk('tenants.list', { token });
  await walk('installation.get', { token });
  assert.ok(!JSON.stringify(await walk('tenants.get', { token, params })).includes(SECRET));
  assert.equal((await walk('tenants.dependents', { token, params }))['users'], 0);
  const { id: userId } = await walk<{ id: string }>('me.get', { token });
  const previewRequest = { user_id: userId, custom_claims: settings.config.custom_claims };
  const said = await walk('tokens.preview', { token, body: previewRequest });
  assert.equal((said['custom_claims'] as readonly object[]).length, 2);
  const change = {
    token,
    params,
    body: { config: { session_timeout: 600, audience: null }, issuer: null },
  };
  const dryRun = await walk('tenants.update', { ...change, query: '?dry_run=true' });
  assert.equal(dryRun['dry_run'], true);
  await walk('tenants.update', change);
  await walk('auth.impersonate', { token, body: { ...params, reason: 'a walk' } });
  await walk('impersonations.begin', { token, params, body: { reason: 'a walk' } });
  await walk('impersonations.list', { token });
  await walk('impersonations.end', { token, params });
  await walk('tenants.delete', { token, params });
}
