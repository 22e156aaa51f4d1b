import type { Fail } from '@keywright/contract/errors';
import type { TextLocale } from '@keywright/contract/locale';
import type { PreviewPage } from '@keywright/contract/preview-pages';
import type { LoginFlow } from '@keywright/contract/records/login-flow';
import { type BodyOf, type OkOf, pathTo } from '@keywright/contract/route';
import {
  type createPreview,
  MAX_PREVIEW_LENGTH,
  showPreview,
} from '@keywright/contract/routes/previews';
import { type Clock, epochSeconds } from '../../../platform/clock.ts';
import { type Html, html, toLookAt } from '../../../platform/http/pages/html.ts';
import { Page } from '../../../platform/http/replies.ts';
import { isFixed, type TextKey } from '../../../platform/texts/keys.ts';
import { CATALOGS } from '../../../platform/texts/load.ts';
import { judgeText, parseMessage } from '../../../platform/texts/message.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Look, LookService } from '../../branding/brand/index.ts';
import {
  accountView,
  codesView,
  consentView,
  deviceView,
  identifierView,
  invitationView,
  type LoginPage,
  logoutView,
  registrationView,
  startView,
  stepsView,
} from '../../branding/views/index.ts';
import type { TemplateService } from '../../events/messages/index.ts';
import { loginMethodsOf } from '../../oauth/authorize/index.ts';
import type { Seals } from '../../oauth/grants/index.ts';

const LIFETIME_SECONDS = 10 * 60;
const USUAL_LOCALE: TextLocale = 'en';

type Draft = BodyOf<typeof createPreview>;

/** What an address contains. */
interface Sealed extends Draft {
  /** Epoch seconds. */
  readonly exp: number;
}

/** Previews of pages and emails. A preview's URL contains its whole content; nothing is stored. */
export class PreviewService {
  readonly #clock: Clock;
  readonly #seals: Seals;
  readonly #looks: LookService;
  readonly #templates: TemplateService;

  constructor(clock: Clock, seals: Seals, looks: LookService, templates: TemplateService) {
    this.#clock = clock;
    this.#seals = seals;
    this.#looks = looks;
    this.#templates = templates;
  }

  /** Creates the URL of a preview if the draft is valid. */
  async create(
    tenant: Tenant,
    draft: Draft,
    fail: Fail<'VALIDATION_FAILED' | 'TEXT_INVALID' | 'TEXT_FIXED' | 'TEMPLATE_INVALID'>,
  ): Promise<OkOf<typeof createPreview>> {
    await requireText(draft, fail);
    if (draft.message) await this.#templates.previewMail(tenant, draft.message, fail);
    const exp = epochSeconds(this.#clock.now()) + LIFETIME_SECONDS;
    const sealed = await this.#seals.seal({ ...draft, exp } satisfies Sealed, placeIn(tenant));
    if (sealed.length > MAX_PREVIEW_LENGTH) fail('VALIDATION_FAILED', TOO_LONG);
    const url = new URL(pathTo(showPreview, { tenant_id: tenant.id }), tenant.issuer);
    url.searchParams.set('of', sealed);
    const expires_at = new Date(exp * 1000).toISOString();
    return { url: String(url), expires_at, contrast: await this.#contrastOf(tenant, draft) };
  }

  /** Returns the page of a preview's URL. */
  async open(tenant: Tenant, sealed: string, fail: Fail<'FORM_TOO_OLD'>): Promise<Page> {
    const opened = (await this.#seals.open(sealed, placeIn(tenant))) as Sealed | undefined;
    if (!opened || epochSeconds(this.#clock.now()) >= opened.exp) return fail('FORM_TOO_OLD');
    return new Page(toLookAt(await this.#show(tenant, opened, fail)));
  }

  async #contrastOf(tenant: Tenant, draft: Draft) {
    const { contrast } = await this.#looks.findDraft(tenant, brandedBy(draft));
    return [...contrast];
  }

  async #show(tenant: Tenant, shown: Draft, fail: Fail<'FORM_TOO_OLD'>): Promise<Html> {
    const { page = 'login', message, color_scheme: colorScheme, text } = shown;
    if (message) {
      // The template was valid when the preview was created; a domain verified since may forbid its text.
      const invalid: Fail<'TEMPLATE_INVALID'> = () => fail('FORM_TOO_OLD');
      return (await this.#templates.previewMail(tenant, message, invalid)).page;
    }
    const draft = { ...brandedBy(shown), colorScheme, text };
    const { look } = await this.#looks.findDraft(tenant, draft);
    return pageOf(page, tenant, look);
  }
}

function brandedBy({ locale = USUAL_LOCALE, branding, client_id, client_branding }: Draft) {
  return { locale, branding, clientId: client_id, clientBranding: client_branding };
}

const placeIn = ({ id: tenantId }: Tenant) => ({ tenantId, purpose: 'preview' }) as const;

const TOO_LONG = {
  errors: [{ path: '', message: 'must be shorter, because it is part of a URL' }],
};

async function requireText(
  { text, locale = USUAL_LOCALE }: Draft,
  fail: Fail<'VALIDATION_FAILED' | 'TEXT_INVALID' | 'TEXT_FIXED'>,
): Promise<void> {
  if (!text) return;
  const catalog = await CATALOGS[locale]();
  if (!Object.hasOwn(catalog, text.key)) {
    fail('VALIDATION_FAILED', {
      errors: [{ path: '/text/key', message: 'must be the key of a text' }],
    });
  }
  const key = text.key as TextKey;
  if (isFixed(key)) fail('TEXT_FIXED');
  const { objection } = judgeText(text.text, parseMessage(catalog[key]));
  if (objection !== undefined) fail('TEXT_INVALID', { detail: `The text ${objection}.` });
}

const PERSON = 'ada@example.com';
const APPLICATION = 'Invoices';
const HOST = 'app.example.com';
const NOTHING = html``;

/** Renders a page as the tenant's users see it, with fictitious people and applications. */
function pageOf(page: PreviewPage, tenant: Tenant, draft: Look): Html {
  const look = withoutLinks(draft);
  const carried = { look, request: '', token: NOTHING };
  const names = { tenantName: tenant.name, clientName: APPLICATION };
  const login = { ...carried, ...names, methods: loginMethodsOf(tenant, look.brand) };
  return PAGES[page]({ look, login, tenant });
}

/** Removes the link targets, since following a link would navigate the preview's frame away. */
function withoutLinks({ brand, texts }: Look): Look {
  const nowhere = (link: string | undefined) => link && '#';
  return {
    brand: { ...brand, terms: nowhere(brand.terms), privacy: nowhere(brand.privacy) },
    texts,
  };
}

interface Shown {
  readonly look: Look;
  readonly login: LoginPage;
  readonly tenant: Tenant;
}

const PAGES: Readonly<Record<PreviewPage, (shown: Shown) => Html>> = {
  login: ({ login }) => startView(login),
  login_failed: ({ login, look }) =>
    startView({ ...login, identifier: PERSON, problem: look.texts.text('problem.incomplete') }),
  registration: ({ login }) =>
    login.methods.channels.includes('email')
      ? identifierView(login, REGISTRATION)
      : registrationView(login),
  recovery: ({ login }) => identifierView(login, RECOVERY),
  code: ({ login }) => steps(login, [{ step: 'code', channels: ['email'] }, { step: 'message' }]),
  second_factor: ({ login }) => steps(login, [{ step: 'totp' }, { step: 'recovery_code' }]),
  new_password: ({ login }) => steps(login, [{ step: 'new_password' }]),
  recovery_codes: ({ look }) => codesView({ look, codes: CODES, continueAt: '#' }),
  consent: ({ login }) =>
    consentView({
      ...login,
      identifier: PERSON,
      origin: { host: HOST },
      from: { host: HOST },
      isNewAddress: false,
      requested: ['openid', 'email', 'offline_access'].map((scope) => ({ scope })),
      granted: [{ scope: 'profile' }],
      authorizationDetails: [],
      about: { policy: null, terms: null, contacts: [] },
    }),
  accounts: ({ login }) => accountView({ ...login, identifier: PERSON }),
  device: ({ look }) => deviceView({ look, field: NOTHING, code: undefined }),
  invitation: ({
    look,
    tenant: {
      name: tenantName,
      config: { registration_name: names },
    },
  }) =>
    invitationView({
      look,
      field: NOTHING,
      token: '',
      tenantName,
      identifier: PERSON,
      inviter: 'Grace Hopper',
      names,
      name: '',
    }),
  logout: ({ login }) =>
    logoutView({ ...login, identifier: PERSON, returnsTo: undefined, isRefusedReturn: false }),
};

const REGISTRATION = {
  title: 'registration.title',
  lead: 'registration.lead_code',
  action: 'send_registration',
} as const;
const RECOVERY = {
  title: 'recovery.title',
  lead: 'recovery.lead',
  action: 'send_recovery',
} as const;
const CODES = ['ABCD-EFGH-JKMN', 'PQRS-TUVW-XYZ2', 'A2B3-C4D5-E6F7', 'G8H9-J2K3-M4N5'];

function steps(login: LoginPage, needs: LoginFlow['needs']): Html {
  return stepsView({ ...login, identifier: PERSON, needs, purpose: 'login', sentTo: 'a…@e….com' });
}
