import { isFresh } from '@keywright/contract/assurance';
import { AppError, type Fail, type ErrorCode } from '@keywright/contract/errors';
import type { TextLocale } from '@keywright/contract/locale';
import {
  type AccountDone,
  type AccountSection,
  ACCOUNT_SECTIONS,
} from '@keywright/contract/routes/account';
import { deleteSession } from '@keywright/contract/routes/sessions';
import { type Clock, epochSeconds } from '../../../platform/clock.ts';
import { type Html, html, style } from '../../../platform/http/pages/html.ts';
import { Page, SeeOther } from '../../../platform/http/replies.ts';
import type { Texts } from '../../../platform/texts/texts.ts';
import type { Device } from '../../../tenancy/device.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Router } from '../../../tenancy/router.ts';
import { pathAtIssuer } from '../../../tenancy/issuer-paths.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { FindLook, Look } from '../../branding/brand/index.ts';
import { goView, shell, typedProblem } from '../../branding/views/index.ts';
import type { PageLogins } from '../../oauth/authorize/index.ts';
import type { BrowserLogin, BrowserLogins } from '../../tokens/sessions/index.ts';
import {
  type OwnApi,
  ownApi,
  type Carried,
  type Acted,
  type Fields,
  type Section,
  type Wanted,
  action,
} from './account-section.ts';
import { data } from './data-section.ts';
import { agents, apps } from './grant-sections.ts';
import { addresses, overview, profile } from './profile-sections.ts';
import { finishLinking, security } from './security-section.ts';
import { log, sessions } from './session-sections.ts';
import { workspaces } from './workspace-section.ts';

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

export interface AccountDependencies {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly browserLogins: BrowserLogins;
  readonly pageLogins: PageLogins;
  readonly findLook: FindLook;
  readonly performAs: Router['performAs'];
}

/** What the browser sends. */
interface Visit {
  readonly tenant: Tenant;
  readonly section: AccountSection;
  /** Of a GET. */
  readonly wanted?: Wanted;
  /** What a provider sent the browser back with. */
  readonly handoff?: string | undefined;
  readonly cookies: { readonly session?: string; readonly flow?: string };
  readonly device: Device;
  readonly token: Html;
  readonly look: Look;
}

type Reply<Code extends Problem['code'] = never> =
  | SeeOther<'session' | 'flow'>
  | Page<Code, 'session' | 'flow'>;

/** A section, or first a login. */
export async function show(
  dependencies: AccountDependencies,
  visit: Visit,
  done: AccountDone | undefined,
): Promise<Reply<Problem['code']>> {
  const login = await findLogin(dependencies, visit);
  if (!login) return logIn(dependencies, visit);
  const { browserLogins, clock } = dependencies;
  const { tenant, handoff } = visit;
  browserLogins.noteUse(tenant, login, clock.now());
  return attempt(dependencies, visit, login, async () => {
    if (handoff === undefined) return new Page(await pageFor(dependencies, visit, login, { done }));
    if (handoff === '') throw new AppError('PROVIDER_REFUSED');
    await finishLinking(ownApi(dependencies, placeOf(visit), login), handoff);
    return new SeeOther(pathOf(visit, { done: 'identity_linked' }));
  });
}

/** What was done in a section. What was wrong with it is said in the same one. */
export async function submit(
  dependencies: AccountDependencies,
  visit: Visit,
  fields: Fields,
  fail: Fail<'FORM_TOO_OLD' | 'REQUEST_INVALID'>,
): Promise<Reply<Problem['code']>> {
  const login = await findLogin(dependencies, visit);
  if (!login) return logIn(dependencies, visit);
  // A form of an earlier login, perhaps of somebody else.
  if (fields.session !== login.sessionId) fail('FORM_TOO_OLD');
  const { section } = visit;
  if (fields.action === 'confirm') return logInAgain(dependencies, visit);
  const api = ownApi(dependencies, placeOf(visit), login);
  if (fields.action === 'logout') return logOut(api);
  const act = SECTIONS[section].actions[fields.action] ?? fail('REQUEST_INVALID');
  return attempt(dependencies, visit, login, async () => {
    const acted = await act(api, fields, carriedBy(dependencies, visit, login));
    return after(dependencies, visit, login, acted);
  });
}

/** What cannot be done is said in the same section. */
async function attempt(
  dependencies: AccountDependencies,
  visit: Visit,
  login: BrowserLogin,
  work: () => Promise<Reply>,
): Promise<Reply<Problem['code']>> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'STEP_UP_REQUIRED') return logInAgain(dependencies, visit, error);
    const problem = problemOf(error, visit.look.texts);
    if (!problem) throw error;
    // Without what was asked for: it may be what is wrong.
    const { wanted: _, ...rest } = visit;
    const page = await pageFor(dependencies, rest, login, { problem: problem.text });
    return new Page(page, { refusal: problem.code });
  }
}

function placeOf({ tenant, device, look }: Visit) {
  return { tenant, device, locale: look.texts.locale };
}

async function after(
  dependencies: AccountDependencies,
  visit: Visit,
  login: BrowserLogin,
  acted: Acted,
): Promise<Reply> {
  if ('isDeleted' in acted) return gone(visit);
  // A redirect behind a form would be one of `form-action 'self'`, which browsers refuse.
  if ('leavesTo' in acted) return new Page(goView(acted.leavesTo, visit.look.texts));
  if ('done' in acted) return new SeeOther(pathOf(visit, acted));
  return new Page(await pageFor(dependencies, visit, login, {}, acted.show));
}

/** Nobody is logged in any more, whose account that was. */
async function gone({ look }: Visit): Promise<Reply> {
  const cookies = [{ name: 'session', value: undefined } as const];
  return new Page(deletedView(look), { cookies });
}

function findLogin(
  { browserLogins, clock }: AccountDependencies,
  { tenant, cookies }: Visit,
): Promise<BrowserLogin | undefined> {
  return browserLogins.find(tenant, cookies.session, null, clock.now());
}

function logIn({ pageLogins }: AccountDependencies, visit: Visit): Promise<Reply> {
  return pageLogins.start(visit.tenant, visit.cookies.flow, { returnTo: pathOf(visit) });
}

/** The login that a change asks for; by default a recent one. */
function logInAgain(
  { pageLogins }: AccountDependencies,
  visit: Visit,
  error?: AppError,
): Promise<Reply> {
  const { tenant, cookies } = visit;
  const { acr, maxAge = tenant.config.step_up_max_age } = error?.options.stepUp ?? {};
  const requirements = { maxAge, ...(acr && { acrValues: [acr] }) };
  return pageLogins.start(tenant, cookies.flow, { returnTo: pathOf(visit), requirements });
}

async function logOut(api: OwnApi): Promise<Reply> {
  const params = { session_id: api.login.sessionId };
  await api.call(deleteSession, { params, query: {}, body: undefined });
  const cookies = [{ name: 'session', value: undefined } as const];
  return new SeeOther(pathAtIssuer(api.tenant, '/account'), cookies);
}

function pathOf(
  { tenant, section, wanted }: Visit,
  told: { readonly done?: AccountDone; readonly locale?: TextLocale } = {},
): `/${string}` {
  const query = new URLSearchParams({ section, ...fieldsOf(wanted), ...told }).toString();
  return `${pathAtIssuer(tenant, '/account')}?${query}`;
}

/** What a login and a change of language have to come back with. */
export function fieldsOf({ agentRequest }: Wanted = {}): Readonly<Record<string, string>> {
  if (!agentRequest) return {};
  const { agent, scope, days } = agentRequest;
  return { agent, scope, ...(days !== undefined && { days: String(days) }) };
}

function carriedBy(
  { clock }: AccountDependencies,
  { tenant, section, token, look: { texts } }: Visit,
  { sessionId: session, authTime, acr }: BrowserLogin,
): Carried {
  const made = { auth_time: epochSeconds(authTime), acr };
  const demand = { maxAge: tenant.config.step_up_max_age };
  const now = clock.now();
  const fresh = isFresh(made, demand, epochSeconds(now));
  return { section, session, token, texts, isFresh: fresh, now };
}

async function pageFor(
  dependencies: AccountDependencies,
  visit: Visit,
  login: BrowserLogin,
  told: { readonly done?: AccountDone | undefined; readonly problem?: Html | string },
  shown?: Html,
): Promise<Html> {
  const { section, look } = visit;
  const carried = carriedBy(dependencies, visit, login);
  const api = ownApi(dependencies, placeOf(visit), login);
  const body = shown ?? (await SECTIONS[section].show(api, carried, visit.wanted ?? {}));
  // What is shown now only has no form for another language, which would lead away from it.
  const shownIn = shown ? { ...look, here: undefined } : look;
  return accountView({ ...carried, ...told, look: shownIn, identifier: login.identifier }, body);
}

/** Of the account, beside the rules of every page. */
export const ACCOUNT_STYLE = style(`
main{max-width:44rem}footer{max-width:44rem}
nav{margin-block-start:1rem}nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem;margin:0 0 1.5rem;padding:0 0 .75rem;list-style:none;border-block-end:1px solid var(--line)}@media(max-width:30rem){nav ul{gap:0 .875rem;font-size:14px}}
nav a,p>a:only-child{display:inline-block;min-width:24px}nav a{color:var(--muted)}nav a[aria-current]{color:var(--ink);font-weight:600;text-decoration:none}
.items{margin:.75rem 0;padding:0;list-style:none}.items li{padding:.75rem 0;border-block-end:1px solid var(--line)}.items form{margin-top:.25rem}
.items button{margin-top:.25rem}.empty{color:var(--muted)}
.done{padding:.75rem;border-radius:var(--corner);background:var(--ok-tint);color:var(--ok)}
select{width:100%;height:46px;padding:0 .75rem;background:var(--bg);color:inherit;border:1px solid var(--edge);border-radius:var(--corner);font:inherit}
.danger{width:auto;text-align:start;min-height:24px;padding:0;border:0;background:none;color:var(--bad);text-decoration:underline;font-weight:400}
`);

interface AccountPage extends Carried {
  readonly look: Look;
  readonly identifier: string;
  readonly done?: AccountDone | undefined;
  readonly problem?: Html | string | undefined;
}

/** A section of the account, around what it is about. */
function accountView(page: AccountPage, body: Html): Html {
  const { look, section, done, problem } = page;
  const { texts } = look;
  return shell(
    {
      look,
      title: texts.text(section === 'overview' ? 'account.title' : `account.section.${section}`),
      problem,
      head: ACCOUNT_STYLE,
      lead: html`<span class="who">${page.identifier}</span>`,
    },
    html`
      ${done === undefined ? undefined : html`<p role="status" class="done">${texts.text(`account.done.${done}`)}</p>`}
      <nav aria-label="${texts.text('account.nav')}">
        <ul>
          ${ACCOUNT_SECTIONS.map((one) => link(one, one === section, texts))}
        </ul>
      </nav>
      ${body} ${action(page, 'logout', texts.text('logout.submit'), { look: 'link' })}
    `,
  );
}

/** The account that the page was of is gone. */
function deletedView(look: Look): Html {
  const { texts } = look;
  return shell(
    { look, title: texts.text('data.deleted'), head: ACCOUNT_STYLE },
    html`<p role="status" class="done">${texts.text('data.deleted_text')}</p>`,
  );
}

function link(to: AccountSection, isCurrent: boolean, texts: Texts): Html {
  const current = isCurrent ? html`aria-current="page"` : undefined;
  const text = texts.text(`account.section.${to}`);
  return html`<li><a href="account?section=${to}" ${current}>${text}</a></li>`;
}

/** What the page says of an error that its user can do something about. */
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

/** Undefined for one that is not about what the user did. */
function problemOf({ code, options }: AppError, texts: Texts): Problem | undefined {
  if (!isTold(code)) return undefined;
  const [first] = options.errors ?? [];
  const isTyped = code === 'VALIDATION_FAILED' && first;
  const text = isTyped ? typedProblem(first.message, texts) : texts.text(PROBLEMS[code]);
  return { code, text };
}

function isTold(code: ErrorCode): code is Problem['code'] {
  return Object.hasOwn(PROBLEMS, code);
}
