import { isFresh } from '@keywright/contract/assurance';
import { AppError, type Fail, type ErrorCode } from '@keywright/contract/errors';
import type { TextLocale } from '@keywright/contract/locale';
import { type AccountDone, type AccountSection } from '@keywright/contract/routes/account';
import { getProfile } from '@keywright/contract/routes/profile';
import { deleteSession } from '@keywright/contract/routes/sessions';
import { type Clock, epochSeconds } from '../../../platform/clock.ts';
import { type Html, html } from '../../../platform/http/pages/html.ts';
import { Page, SeeOther } from '../../../platform/http/replies.ts';
import type { Texts } from '../../../platform/texts/texts.ts';
import type { Device } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Router } from '../../../tenancy/router.ts';
import { type Tenant, pathAtIssuer } from '../../../tenancy/tenant.ts';
import type { Look } from '../../branding/brand/index.ts';
import { providerRedirectView, shell, typedProblem } from '../../branding/views/index.ts';
import type { PageLogins } from '../../oauth/authorize/index.ts';
import type { BrowserLogin, BrowserLogins } from '../../tokens/sessions/index.ts';
import {
  UserApi,
  type Carried,
  type Acted,
  type Fields,
  NOTHING,
  type Section,
  type SectionQuery,
  action,
} from './account-section.ts';
import { type AccountIcon, icon } from './account-icons.ts';
import { ACCOUNT_STYLE, ACCOUNT_SCRIPT } from './account-style.ts';
import { data } from './data-section.ts';
import { faceOf } from './picture-part.ts';
import { agents, apps, log, sessions } from './access-sections.ts';
import { addresses, overview, profile, workspaces } from './profile-sections.ts';
import { finishLinking, security } from './security-section.ts';

const SECTIONS: Readonly<Record<AccountSection, Section>> = {
  overview,
  profile,
  addresses,
  security,
  sessions,
  apps,
  agents,
  workspaces,
  log,
  data,
};

/** A request for the account page. */
interface PageRequest {
  readonly tenant: Tenant;
  readonly section: AccountSection;
  /** Of a GET. */
  readonly query?: SectionQuery;
  /** The result of a login at an identity provider. */
  readonly handoff?: string | undefined;
  readonly cookies: { readonly session?: string; readonly flow?: string };
  readonly device: Device;
  readonly token: Html;
  readonly look: Look;
}

type Response<Code extends Problem['code'] = never> =
  | SeeOther<'session' | 'flow'>
  | Page<Code, 'session' | 'flow'>;

/** The page of a user's account. It is a client of the API: each section calls routes as the user. */
export class AccountPage {
  readonly #gate: Gate;
  readonly #clock: Clock;
  readonly #browserLogins: BrowserLogins;
  readonly #pageLogins: PageLogins;
  readonly #performAs: Router['performAs'];

  constructor(
    gate: Gate,
    clock: Clock,
    browserLogins: BrowserLogins,
    pageLogins: PageLogins,
    performAs: Router['performAs'],
  ) {
    this.#gate = gate;
    this.#clock = clock;
    this.#browserLogins = browserLogins;
    this.#pageLogins = pageLogins;
    this.#performAs = performAs;
  }

  /** Shows a section, or a login page first. */
  async show(
    request: PageRequest,
    done: AccountDone | undefined,
  ): Promise<Response<Problem['code']>> {
    const login = await this.#findLogin(request);
    if (!login) return this.#logIn(request);
    const { tenant, handoff } = request;
    this.#browserLogins.noteUse(tenant, login, this.#clock.now());
    return this.#attempt(request, login, async () => {
      if (handoff === undefined) return new Page(await this.#render(request, login, { done }));
      if (handoff === '') throw new AppError('PROVIDER_REFUSED');
      await finishLinking(this.#apiOf(request, login), handoff);
      return new SeeOther(pathOf(request, { done: 'identity_linked' }));
    });
  }

  /** Performs the action of a section's form. */
  async submit(
    request: PageRequest,
    fields: Fields,
    fail: Fail<'FORM_TOO_OLD' | 'REQUEST_INVALID'>,
  ): Promise<Response<Problem['code']>> {
    const login = await this.#findLogin(request);
    if (!login) return this.#logIn(request);
    // The form belongs to an earlier login, possibly of another user.
    if (fields.session !== login.sessionId) fail('FORM_TOO_OLD');
    if (fields.action === 'confirm') return this.#logInAgain(request);
    const api = this.#apiOf(request, login);
    if (fields.action === 'logout') return logOut(api);
    const act = SECTIONS[request.section].actions[fields.action] ?? fail('REQUEST_INVALID');
    return this.#attempt(request, login, async () => {
      const result = await act(api, fields, this.#carriedBy(request, login));
      return this.#respond(request, login, result);
    });
  }

  /** Shows an error in the section where it occurs. */
  async #attempt(
    request: PageRequest,
    login: BrowserLogin,
    work: () => Promise<Response>,
  ): Promise<Response<Problem['code']>> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code === 'STEP_UP_REQUIRED') return this.#logInAgain(request, error);
      const problem = problemOf(error, request.look.texts);
      if (!problem) throw error;
      // Omits the query, which might have caused the error.
      const { query: _, ...rest } = request;
      const page = await this.#render(rest, login, { problem: problem.text });
      return new Page(page, { refusal: problem.code });
    }
  }

  async #respond(request: PageRequest, login: BrowserLogin, result: Acted): Promise<Response> {
    if ('isDeleted' in result) {
      const cookies = [{ name: 'session', value: undefined } as const];
      return new Page(deletedView(request.look), { cookies });
    }
    // Because of `form-action 'self'`, browsers do not follow a redirect of a form to another origin.
    if ('redirectTo' in result)
      return new Page(providerRedirectView(result.redirectTo, request.look.texts));
    if ('done' in result) return new SeeOther(pathOf(request, result));
    return new Page(await this.#render(request, login, {}, result.show));
  }

  #findLogin({ tenant, cookies }: PageRequest): Promise<BrowserLogin | undefined> {
    return this.#browserLogins.find(tenant, cookies.session, null, this.#clock.now());
  }

  #logIn(request: PageRequest): Promise<Response> {
    const { tenant, cookies } = request;
    return this.#pageLogins.start(tenant, cookies.flow, { returnTo: pathOf(request) });
  }

  /** Starts the login that a change requires: a recent login by default. */
  #logInAgain(request: PageRequest, error?: AppError): Promise<Response> {
    const { tenant, cookies } = request;
    const { acr, maxAge = tenant.config.step_up_max_age } = error?.options.stepUp ?? {};
    const requirements = { maxAge, ...(acr && { acrValues: [acr] }) };
    const returnTo = pathOf(request);
    return this.#pageLogins.start(tenant, cookies.flow, { returnTo, requirements });
  }

  /** @param once content of an action that is shown only once, instead of the section */
  async #render(
    request: PageRequest,
    login: BrowserLogin,
    result: { readonly done?: AccountDone | undefined; readonly problem?: Html | string },
    once?: Html,
  ): Promise<Html> {
    const { section, look: sectionLook, query = {} } = request;
    const carried = this.#carriedBy(request, login);
    const api = this.#apiOf(request, login);
    const [person, body] = await Promise.all([
      api.call(getProfile, NOTHING),
      once ?? SECTIONS[section].show(api, carried, query),
    ]);
    // Changing the language would replace content that is shown only once.
    const look = once ? { ...sectionLook, here: undefined } : sectionLook;
    const { identifier } = login;
    const face = faceOf(api.tenant, person, identifier);
    const { name } = person;
    return accountView({ ...carried, ...result, look, identifier, name, face }, body);
  }

  #apiOf({ tenant, device, look }: PageRequest, login: BrowserLogin): UserApi {
    const place = { tenant, device, locale: look.texts.locale };
    return new UserApi(this.#gate, this.#performAs, place, login);
  }

  #carriedBy(
    { tenant, section, token, look: { texts } }: PageRequest,
    { sessionId: session, authTime, acr }: BrowserLogin,
  ): Carried {
    const authentication = { auth_time: epochSeconds(authTime), acr };
    const demand = { maxAge: tenant.config.step_up_max_age };
    const now = this.#clock.now();
    const fresh = isFresh(authentication, demand, epochSeconds(now));
    return { section, session, token, texts, isFresh: fresh, now };
  }
}

async function logOut(api: UserApi): Promise<Response> {
  const params = { session_id: api.login.sessionId };
  await api.call(deleteSession, { params, query: {}, body: undefined });
  const cookies = [{ name: 'session', value: undefined } as const];
  return new SeeOther(pathAtIssuer(api.tenant, '/account'), cookies);
}

function pathOf(
  { tenant, section, query }: PageRequest,
  result: { readonly done?: AccountDone; readonly locale?: TextLocale } = {},
): `/${string}` {
  const search = new URLSearchParams({ section, ...fieldsOf(query), ...result }).toString();
  return `${pathAtIssuer(tenant, '/account')}?${search}`;
}

/** Returns the query fields that survive a login and a change of language. */
export function fieldsOf({ agentRequest }: SectionQuery = {}): Readonly<Record<string, string>> {
  if (!agentRequest) return {};
  const { agent, scope, days } = agentRequest;
  return { agent, scope, ...(days !== undefined && { days: String(days) }) };
}

interface AccountView extends Carried {
  readonly look: Look;
  readonly identifier: string;
  readonly name: string | null;
  readonly face: Html;
  readonly done?: AccountDone | undefined;
  readonly problem?: Html | string | undefined;
}

/** The frame of a section of the account. */
function accountView(page: AccountView, body: Html): Html {
  const { look, section, done, problem } = page;
  const { texts } = look;
  return shell(
    {
      look,
      title: texts.text(section === 'overview' ? 'account.title' : `account.section.${section}`),
      problem,
      head: ACCOUNT_STYLE,
      isTall: true,
      lead: headOf(page),
    },
    html`
      <nav class="groups" aria-label="${texts.text('account.nav')}">
        <ul>
          ${GROUPS.map((group) => groupLink(group, section, texts))}
        </ul>
        ${action(page, 'logout', texts.text('logout.submit'), { look: 'link' })}
      </nav>
      ${done === undefined ? undefined : html`<p role="status" class="done">${texts.text(`account.done.${done}`)}</p>`}
      <div class="body">${pagesOf(section, texts)}${body}</div>
      ${ACCOUNT_SCRIPT}
    `,
  );
}

/** The person whose account it is. */
function headOf({ face, name, identifier }: AccountView): Html {
  const address = html`<span class="who"><bdi>${identifier}</bdi></span>`;
  return html`${face}<span
      >${
        name === null
          ? address
          : html`<b><bdi>${name}</bdi></b
              ><br />${address}`
      }</span
    >`;
}

interface Group {
  readonly name: 'account' | 'security' | 'devices' | 'apps' | 'data';
  readonly icon: AccountIcon;
  /** The first is opened by the link of the group. */
  readonly sections: readonly [AccountSection, ...AccountSection[]];
}

const GROUPS: readonly Group[] = [
  { name: 'account', icon: 'user', sections: ['overview', 'profile', 'addresses', 'workspaces'] },
  { name: 'security', icon: 'shield', sections: ['security', 'log'] },
  { name: 'devices', icon: 'desktop', sections: ['sessions'] },
  { name: 'apps', icon: 'apps', sections: ['apps', 'agents'] },
  { name: 'data', icon: 'lock', sections: ['data'] },
];

function groupLink(
  { name, icon: symbol, sections: [first, ...others] }: Group,
  section: AccountSection,
  texts: Texts,
) {
  const isCurrent = first === section || others.includes(section);
  const current = isCurrent
    ? html`aria-current="${first === section ? 'page' : 'true'}"`
    : undefined;
  const text = texts.text(`account.group.${name}`);
  return html`<li><a href="account?section=${first}" ${current}>${icon(symbol)}${text}</a></li>`;
}

/** The pages of a section's group. */
function pagesOf(section: AccountSection, texts: Texts): Html | undefined {
  const group = GROUPS.find(({ sections: all }) => all.includes(section));
  if (!group || group.sections.length === 1) return undefined;
  return html`<nav class="pages" aria-label="${texts.text(`account.group.${group.name}`)}">
    <ul>
      ${group.sections.map((target) => link(target, target === section, texts))}
    </ul>
  </nav>`;
}

/** Returns the page after the deletion of the account. */
function deletedView(look: Look): Html {
  const { texts } = look;
  return shell(
    { look, title: texts.text('data.deleted') },
    html`<p role="status">${texts.text('data.deleted_text')}</p>`,
  );
}

function link(to: AccountSection, isCurrent: boolean, texts: Texts): Html {
  const current = isCurrent ? html`aria-current="page"` : undefined;
  const text = texts.text(`account.section.${to}`);
  return html`<li><a href="account?section=${to}" ${current}>${text}</a></li>`;
}

/** The texts of errors that the user can resolve. */
const PROBLEMS = {
  CODE_WRONG: 'problem.code',
  CURRENT_PASSWORD_WRONG: 'account.problem.current_password',
  IDENTIFIER_TAKEN: 'account.problem.taken',
  IDENTIFIER_UNVERIFIED: 'account.problem.unverified',
  LAST_IDENTIFIER: 'account.problem.last_address',
  DEFAULT_WORKSPACE_PROTECTED: 'account.problem.default_workspace',
  LAST_LOGIN_METHOD: 'account.problem.last_login',
  IDENTITY_TAKEN: 'account.problem.identity_taken',
  PROVIDER_REFUSED: 'account.problem.provider',
  FACTOR_REQUIRED: 'account.problem.last_factor',
  FACTOR_MISSING: 'account.problem.no_factor',
  PASSKEY_REFUSED: 'account.problem.passkey',
  TOO_MANY_FACTORS: 'account.problem.too_many_factors',
  TOO_MANY_ATTEMPTS: 'account.problem.attempts',
  TOO_MANY_MESSAGES: 'account.problem.messages',
  ACCOUNT_DELETION_OFF: 'account.problem.deletion_off',
  LAST_ADMINISTRATOR: 'account.problem.last_administrator',
  TOO_BUSY: 'problem.busy',
  METHOD_NOT_READY: 'account.problem.not_ready',
  DESTINATION_REFUSED: 'account.problem.destination',
  NOT_FOUND: 'account.problem.gone',
  SCOPE_NOT_HELD: 'account.problem.not_held',
  VALIDATION_FAILED: 'problem.incomplete',
} as const;

interface Problem {
  readonly code: keyof typeof PROBLEMS;
  readonly text: Html | string;
}

/** Returns undefined for an error that the user cannot resolve. */
function problemOf({ code, options }: AppError, texts: Texts): Problem | undefined {
  if (!isShown(code)) return undefined;
  const [first] = options.errors ?? [];
  const isTyped = code === 'VALIDATION_FAILED' && first;
  const text = isTyped ? typedProblem(first.message, texts) : texts.text(PROBLEMS[code]);
  return { code, text };
}

function isShown(code: ErrorCode): code is Problem['code'] {
  return Object.hasOwn(PROBLEMS, code);
}
