import type { Fail } from '@keywright/contract/errors';
import { parseIdentifier } from '@keywright/contract/identifiers';
import type { MessageId, TenantId } from '@keywright/contract/ids';
import { TEXT_LOCALES } from '@keywright/contract/locale';
import { MESSAGE_KIND_NAMES, type MessageKind } from '@keywright/contract/messages';
import type { TemplateRecord } from '@keywright/contract/records/message';
import type { BodyOf, OkOf } from '@keywright/contract/route';
import type { previewMessage, testMessage } from '@keywright/contract/routes/messages';
import type { Caller } from '../../../tenancy/caller.ts';
import { localeOf } from '../../../platform/texts/locales.ts';
import { requireScopes } from '../../../tenancy/authorization.ts';
import type { DataKeys } from '../../../tenancy/data-keys.ts';
import type { Core } from '../../../tenancy/module.ts';
import { type Tenant, sendsSms } from '../../../tenancy/tenant.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import { once, type RepeatableRequest } from '../../../tenancy/idempotency.ts';
import { requireForText, requireMayChangeLogins } from '../../identity/roles/index.ts';
import { record } from '../journal/index.ts';
import type { RenderedPage } from './mail-rendering.ts';
import type { MessageText, NewMessage } from './message.ts';
import { admitTest, type MessageLimits } from './message-limits.ts';
import type { MessageQueue } from './message-queue.ts';
import { linkOf } from './message-secrets.ts';
import type { MessageSender } from './message-sender.ts';
import {
  deleteTemplate,
  findDomains,
  findSenderIn,
  findTemplates,
  putTemplate,
} from './message-store.ts';
import {
  type ChosenText,
  DUMMIES,
  DUMMY_CODE,
  chooseText,
  findText,
  objectionToText,
  textsWith,
  withWarningsIn,
} from './message-texts.ts';
import { accountUrlOf, brandOf } from './outgoing-message.ts';
import { unsavedEmail } from './unsaved-email.ts';

const LOCALE = /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$/;
const TEST_EXPIRES_AFTER_MS = 10 * 60_000;
/** The brand of a tenant that was just deleted. */
const NO_BRAND = { name: '', branding: {}, logo: undefined };
const SMS_TEST_KINDS = ['login', 'verification'] as const;
const NO_RECIPIENT = {
  errors: [{ path: '/to', message: 'must be an email address or a phone number' }],
};
const NO_ADDRESS = {
  errors: [{ path: '/to', message: 'must be an email address in a test of email settings' }],
};

interface TemplatePath {
  readonly kind: string;
  readonly locale: string;
}

type TestRequest = BodyOf<typeof testMessage>;
type Tested = OkOf<typeof testMessage>;
interface WithKey {
  /** For email settings that are not saved. */
  readonly dataKey: Buffer | undefined;
}

type RefuseTest = Fail<
  | 'VALIDATION_FAILED'
  | 'METHOD_NOT_READY'
  | 'DESTINATION_REFUSED'
  | 'TOO_MANY_MESSAGES'
  | 'SCOPE_NOT_HELD'
>;

/** The texts of a tenant's messages: templates, previews and tests. */
export class TemplateService {
  readonly #gate: Gate;
  readonly #queue: MessageQueue;
  readonly #sender: MessageSender;
  readonly #limits: MessageLimits;
  readonly #dataKeys: DataKeys;

  constructor(
    { gate, dataKeys }: Pick<Core, 'gate' | 'dataKeys'>,
    queue: MessageQueue,
    sender: MessageSender,
    limits: MessageLimits,
  ) {
    this.#gate = gate;
    this.#dataKeys = dataKeys;
    this.#queue = queue;
    this.#sender = sender;
    this.#limits = limits;
  }

  async get(
    tenantId: TenantId,
    path: TemplatePath,
    fail: Fail<'NOT_FOUND'>,
  ): Promise<TemplateRecord> {
    const { kind, locale } = parseTemplatePath(path, fail);
    const [templates, sender] = await this.#gate
      .into(tenantId)
      .transaction(async (tx) => [await findTemplates(tx, kind), await findSenderIn(tx)]);
    const textsOf = textsWith(sender?.texts ?? []);
    const found = (await findText(kind, locale, templates, textsOf)) ?? fail('NOT_FOUND');
    return present(tenantId, kind, found);
  }

  put(
    tenant: Tenant,
    caller: Caller,
    path: TemplatePath,
    text: MessageText,
    fail: Fail<'NOT_FOUND' | 'TEMPLATE_INVALID' | 'SCOPE_NOT_HELD'>,
  ): Promise<TemplateRecord> {
    return this.#gate.into(tenant.id).transaction(async (tx) => {
      await requireForText(tx, tenant, caller, `${text.subject}\n${text.text}`, fail);
      const { kind, locale } = parseTemplatePath(path, fail);
      await requireUsable(tx, kind, text, fail);
      await putTemplate(tx, kind, locale, text);
      await recordChange(tx, caller, kind, locale);
      return present(tx.tenantId, kind, { ...text, locale, isCustom: true });
    });
  }

  delete(tenantId: TenantId, caller: Caller, path: TemplatePath, fail: Fail<'NOT_FOUND'>) {
    return this.#gate.into(tenantId).transaction(async (tx) => {
      const { kind, locale } = parseTemplatePath(path, fail);
      if (!(await deleteTemplate(tx, kind, locale))) fail('NOT_FOUND');
      await recordChange(tx, caller, kind, locale);
      return { kind, locale, deleted: true as const };
    });
  }

  /** Renders a message as it would be sent, by email and, if the kind supports it, by text message. */
  async preview(
    tenant: Tenant,
    body: BodyOf<typeof previewMessage>,
    fail: Fail<'TEMPLATE_INVALID'>,
  ): Promise<OkOf<typeof previewMessage>> {
    const { subject, text, html } = await this.previewMail(tenant, body, fail);
    const { previewSms } = await import('./text-messages.ts');
    const sms = await previewSms(this.#gate.into(tenant.id), tenant.issuer, body);
    return { subject, text, html, ...(sms && { sms }) };
  }

  /** Renders an email without sending it. */
  async previewMail(
    { id, issuer }: Pick<Tenant, 'id' | 'issuer'>,
    { kind, locale, subject, text }: BodyOf<typeof previewMessage>,
    fail: Fail<'TEMPLATE_INVALID'>,
  ): Promise<RenderedPage> {
    const { sender, templates } = await this.#gate.into(id).transaction(async (tx) => {
      const found = await findSenderIn(tx);
      if (subject !== undefined && text !== undefined) {
        await requireUsable(tx, kind, { subject, text }, fail);
      }
      return { sender: found, templates: await findTemplates(tx, kind) };
    });
    const textsOf = textsWith(sender?.texts ?? []);
    const locales = [locale, ...(sender?.config.locales ?? [])];
    const stored = await chooseText(kind, locales, templates, textsOf);
    const shownIn = text === undefined ? stored.locale : (locale ?? stored.locale);
    const chosen = { subject: subject ?? stored.subject, text: text ?? stored.text };
    const isCustom = stored.isCustom || text !== undefined;
    const template = isCustom ? await withWarningsIn(shownIn, kind, chosen, textsOf) : chosen;
    const brand = sender ? brandOf(sender, issuer) : NO_BRAND;
    const values = {
      ...DUMMIES,
      company: brand.name,
      support_email: sender?.branding.support_email,
      identifier: 'ada@example.com',
      account_url: accountUrlOf(issuer),
      link: linkOf(sender?.config.magic_link_url ?? `${issuer}/login`, 'preview'),
    };
    const { inWords, renderMessage } = await import('./mail-rendering.ts');
    const texts = await textsOf(localeOf(shownIn) ?? TEXT_LOCALES[0]);
    const look = { kind, locale: shownIn, brand, texts };
    return renderMessage(template, await inWords(values, look.locale, textsOf), look);
  }

  /** Sends a message with placeholders instead of secrets. */
  sendTest(
    tenant: Tenant,
    caller: Caller,
    request: TestRequest,
    repeatable: RepeatableRequest | undefined,
    fail: RefuseTest,
  ): Promise<Tested> {
    const { type, identifier } =
      parseIdentifier(request.to) ?? fail('VALIDATION_FAILED', NO_RECIPIENT);
    // A caller who can only change logins must not send text messages.
    if (request.email && type !== 'email') fail('VALIDATION_FAILED', NO_ADDRESS);
    const send = (dataKey?: Buffer) =>
      once(this.#gate.into(tenant.id), repeatable, async (tx) => {
        if (request.email) await requireMayChangeLogins(tx, tenant, caller, fail);
        else requireScopes(caller, ['write:tenant']);
        const retryAfterSeconds = await admitTest(tx);
        if (retryAfterSeconds !== undefined) fail('TOO_MANY_MESSAGES', { retryAfterSeconds });
        return type === 'email'
          ? this.#sendMailTest(tx, caller, identifier, { ...request, dataKey }, fail)
          : this.#sendSmsTest(tx, tenant, caller, identifier, request, fail);
      });
    return request.email ? this.#dataKeys.use(tenant.id, send) : send();
  }

  async #sendMailTest(
    tx: TenantTx,
    caller: Caller,
    destination: string,
    { kind = 'login', locale, email: typed, dataKey }: TestRequest & WithKey,
    fail: Fail<'METHOD_NOT_READY' | 'VALIDATION_FAILED'>,
  ): Promise<Tested> {
    const sender = await findSenderIn(tx);
    if (!sender) fail('METHOD_NOT_READY');
    if (!typed && !this.#sender.canSendMail(sender)) fail('METHOD_NOT_READY');
    const { tenantId } = tx;
    const { email: stored = {} } = sender.messaging;
    const through = typed && dataKey && unsavedEmail(dataKey, { tenantId, stored, typed }, fail);
    const test = { kind, channel: 'email', destination, locale, vars: DUMMIES, through } as const;
    return this.#queueTest(tx, caller, test);
  }

  /** Sends a text message, subject to the limits of all text messages. */
  async #sendSmsTest(
    tx: TenantTx,
    tenant: Tenant,
    caller: Caller,
    destination: string,
    { kind: name = 'login', locale }: TestRequest,
    fail: Fail<
      'VALIDATION_FAILED' | 'METHOD_NOT_READY' | 'DESTINATION_REFUSED' | 'TOO_MANY_MESSAGES'
    >,
  ): Promise<Tested> {
    if (!sendsSms(tenant.config)) fail('METHOD_NOT_READY');
    const kind = SMS_TEST_KINDS.find((candidate) => candidate === name) ?? refuseKind(fail);
    const { address } = caller.from;
    const admitted = await this.#limits.admitSmsIn(tx, tenant, { destination, address });
    if (admitted.outcome === 'refused') fail('DESTINATION_REFUSED');
    if (admitted.outcome === 'wait') fail('TOO_MANY_MESSAGES', admitted);
    const vars = { ...DUMMIES, code: DUMMY_CODE };
    return this.#queueTest(tx, caller, { kind, channel: 'sms', destination, locale, vars });
  }

  async #queueTest(
    tx: TenantTx,
    caller: Caller,
    test: Pick<NewMessage, 'kind' | 'channel' | 'destination' | 'locale' | 'vars' | 'through'>,
  ): Promise<Tested> {
    const id = await this.#queue.enqueue(tx, {
      ...test,
      userId: null,
      challengeId: null,
      expiresAt: new Date(tx.now.getTime() + TEST_EXPIRES_AFTER_MS),
    });
    await recordTest(tx, caller, id, test);
    return { id, tenant_id: tx.tenantId };
  }
}

function parseTemplatePath(path: TemplatePath, fail: Fail<'NOT_FOUND'>) {
  const kind = MESSAGE_KIND_NAMES.find((candidate) => candidate === path.kind) ?? fail('NOT_FOUND');
  return LOCALE.test(path.locale) ? { kind, locale: path.locale } : fail('NOT_FOUND');
}

async function requireUsable(
  tx: TenantTx,
  kind: MessageKind,
  text: MessageText,
  fail: Fail<'TEMPLATE_INVALID'>,
): Promise<void> {
  const objection = objectionToText(kind, text, await findDomains(tx));
  if (objection !== undefined) fail('TEMPLATE_INVALID', { detail: objection });
}

function refuseKind(fail: Fail<'VALIDATION_FAILED'>): never {
  const message = `must be ${SMS_TEST_KINDS.join(' or ')} for a phone number`;
  return fail('VALIDATION_FAILED', { errors: [{ path: '/kind', message }] });
}

function recordChange(tx: TenantTx, caller: Caller, kind: MessageKind, locale: string) {
  return record(tx, caller, {
    action: 'messaging.template_changed',
    target: { kind: 'tenant', id: tx.tenantId },
    details: { kind, locale },
  });
}

function recordTest(
  tx: TenantTx,
  caller: Caller,
  id: MessageId,
  { kind, through }: Pick<NewMessage, 'kind' | 'through'>,
) {
  return record(tx, caller, {
    action: 'messaging.tested',
    target: { kind: 'message', id },
    details: { kind, ...(through && { server: through.smtp_host }) },
  });
}

function present(
  tenantId: TenantId,
  kind: MessageKind,
  { locale, subject, text, isCustom }: ChosenText,
): TemplateRecord {
  return { tenant_id: tenantId, kind, locale, subject, text, is_shipped: !isCustom };
}
