import type { Fail } from '@keywright/contract/errors';
import type { TextLocale } from '@keywright/contract/locale';
import { type BodyOf, type OkOf, pathTo } from '@keywright/contract/route';
import {
  type createPreview,
  MAX_PREVIEW_LENGTH,
  showPreview,
} from '@keywright/contract/routes/previews';
import { type Clock, epochSeconds } from '../../../platform/clock.ts';
import { contrastReport } from '../../../platform/http/pages/contrast-report.ts';
import { type Html, toLookAt } from '../../../platform/http/pages/html.ts';
import { Page } from '../../../platform/http/replies.ts';
import { isFixed } from '../../../platform/texts/fixed.ts';
import type { TextKey } from '../../../platform/texts/keys.ts';
import { CATALOGUES } from '../../../platform/texts/load.ts';
import { parseMessage } from '../../../platform/texts/message.ts';
import { judgeText } from '../../../platform/texts/usable.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { preview as previewMail } from '../../events/messages/index.ts';
import type { Seals } from '../../oauth/codes/index.ts';
import type { FindDraftLook } from '../../branding/brand/index.ts';
import { pageOf } from './pages.ts';

const LIFETIME_SECONDS = 10 * 60;
const USUAL_LOCALE: TextLocale = 'en';

export interface PreviewDependencies {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly seals: Seals;
  readonly findDraftLook: FindDraftLook;
}

type Draft = BodyOf<typeof createPreview>;

/** What an address shows: it says so itself, and nothing is stored. */
interface Sealed extends Draft {
  /** Epoch seconds. */
  readonly exp: number;
}

const placeIn = ({ id: tenantId }: Tenant) => ({ tenantId, purpose: 'preview' }) as const;

/** An address for what was asked for, once it was found to be valid. */
export async function sealPreview(
  dependencies: PreviewDependencies,
  tenant: Tenant,
  draft: Draft,
  fail: Fail<'VALIDATION_FAILED' | 'TEXT_INVALID' | 'TEXT_FIXED' | 'TEMPLATE_INVALID'>,
): Promise<OkOf<typeof createPreview>> {
  const { seals, clock, gate } = dependencies;
  await requireText(draft, fail);
  if (draft.message) await previewMail(gate.into(tenant.id), tenant.issuer, draft.message, fail);
  const exp = epochSeconds(clock.now()) + LIFETIME_SECONDS;
  const sealed = await seals.seal({ ...draft, exp } satisfies Sealed, placeIn(tenant));
  if (sealed.length > MAX_PREVIEW_LENGTH) fail('VALIDATION_FAILED', TOO_LONG);
  const url = new URL(pathTo(showPreview, { tenant_id: tenant.id }), tenant.issuer);
  url.searchParams.set('of', sealed);
  const expires_at = new Date(exp * 1000).toISOString();
  return { url: String(url), expires_at, contrast: await contrastOf(dependencies, tenant, draft) };
}

async function contrastOf({ findDraftLook }: PreviewDependencies, tenant: Tenant, draft: Draft) {
  const { branding } = await findDraftLook(tenant, {
    locale: USUAL_LOCALE,
    branding: draft.branding,
  });
  const { primary_color: primary, secondary_color: secondary } = branding;
  return contrastReport(primary === undefined ? undefined : { primary, secondary });
}

const TOO_LONG = { errors: [{ path: '', message: 'must be shorter: it is part of an address' }] };

async function requireText(
  { text, locale = USUAL_LOCALE }: Draft,
  fail: Fail<'VALIDATION_FAILED' | 'TEXT_INVALID' | 'TEXT_FIXED'>,
): Promise<void> {
  if (!text) return;
  const catalogue = await CATALOGUES[locale]();
  if (!Object.hasOwn(catalogue, text.key)) {
    fail('VALIDATION_FAILED', {
      errors: [{ path: '/text/key', message: 'must be the key of a text' }],
    });
  }
  const key = text.key as TextKey;
  if (isFixed(key)) fail('TEXT_FIXED');
  const { objection } = judgeText(text.text, parseMessage(catalogue[key]));
  if (objection !== undefined) fail('TEXT_INVALID', { detail: `The text ${objection}.` });
}

/** The page at such an address. */
export async function openPreview(
  dependencies: PreviewDependencies,
  tenant: Tenant,
  sealed: string,
  fail: Fail<'FORM_TOO_OLD'>,
): Promise<Page> {
  const { seals, clock } = dependencies;
  const opened = (await seals.open(sealed, placeIn(tenant))) as Sealed | undefined;
  if (!opened || epochSeconds(clock.now()) >= opened.exp) return fail('FORM_TOO_OLD');
  return new Page(toLookAt(await show(dependencies, tenant, opened, fail)));
}

async function show(
  { gate, findDraftLook }: PreviewDependencies,
  tenant: Tenant,
  { page = 'login', message, locale = USUAL_LOCALE, color_scheme, branding, text }: Draft,
  fail: Fail<'FORM_TOO_OLD'>,
): Promise<Html> {
  if (message) {
    // It was valid; a domain that was proven since may forbid what it says.
    const invalid: Fail<'TEMPLATE_INVALID'> = () => fail('FORM_TOO_OLD');
    const mail = await previewMail(gate.into(tenant.id), tenant.issuer, message, invalid);
    return mail.page;
  }
  const draft = { locale, colorScheme: color_scheme, branding, text };
  const { look } = await findDraftLook(tenant, draft);
  return pageOf(page, tenant, look);
}
