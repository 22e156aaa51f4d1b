import type { Fail } from '@keywright/contract/errors';
import type { MessageId } from '@keywright/contract/ids';
import { MESSAGE_KIND_NAMES, type MessageKind } from '@keywright/contract/messages';
import type { TemplateRecord } from '@keywright/contract/records/message';
import type { BodyOf, OkOf } from '@keywright/contract/route';
import type { previewMessage, testMessage } from '@keywright/contract/routes/messages';
import type { Caller } from '../../../tenancy/caller.ts';
import { sendsSms } from '../../../tenancy/channels.ts';
import type { TenantData, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { record } from '../journal/index.ts';
import type { RenderedPage } from './mail-rendering.ts';
import type { MessageText } from './message.ts';
import type { SmsLimits } from './message-limits.ts';
import type { QueueMessage } from './message-queue.ts';
import { linkOf } from './message-secrets.ts';
import {
  findSenderIn,
  type Sender,
  deleteTemplate,
  findDomains,
  findTemplates,
  putTemplate,
} from './message-store.ts';
import { textsWith, chooseText, findText, warned, type ChosenText } from './message-texts.ts';
import { brandIn } from './outgoing-message.ts';
import { DUMMIES, DUMMY_CODE, objectionToText } from './template-rules.ts';

const LOCALE = /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$/;
const TEST_LIFE_MS = 10 * 60_000;

interface TemplatePath {
  readonly kind: string;
  readonly locale: string;
}

function parseTemplatePath(path: TemplatePath, fail: Fail<'NOT_FOUND'>) {
  const kind = MESSAGE_KIND_NAMES.find((one) => one === path.kind) ?? fail('NOT_FOUND');
  return LOCALE.test(path.locale) ? { kind, locale: path.locale } : fail('NOT_FOUND');
}

export async function getTemplate(
  tenant: TenantData,
  path: TemplatePath,
  fail: Fail<'NOT_FOUND'>,
): Promise<TemplateRecord> {
  const { kind, locale } = parseTemplatePath(path, fail);
  const [own, sender] = await tenant.transaction(async (tx) => [
    await findTemplates(tx, kind),
    await findSenderIn(tx),
  ]);
  const textsOf = textsWith(sender?.texts ?? []);
  const found = (await findText(kind, locale, own, textsOf)) ?? fail('NOT_FOUND');
  return present(tenant, kind, found);
}

function present(
  { tenantId }: Pick<TenantData, 'tenantId'>,
  kind: MessageKind,
  { locale, subject, text, isOwn }: ChosenText,
): TemplateRecord {
  return { tenant_id: tenantId, kind, locale, subject, text, is_shipped: !isOwn };
}

export async function writeTemplate(
  tx: TenantTx,
  caller: Caller,
  path: TemplatePath,
  text: MessageText,
  fail: Fail<'NOT_FOUND' | 'TEMPLATE_INVALID'>,
): Promise<TemplateRecord> {
  const { kind, locale } = parseTemplatePath(path, fail);
  await requireUsable(tx, kind, text, fail);
  await putTemplate(tx, kind, locale, text);
  await recordChange(tx, caller, kind, locale);
  return present(tx, kind, { ...text, locale, isOwn: true });
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

export async function removeTemplate(
  tx: TenantTx,
  caller: Caller,
  path: TemplatePath,
  fail: Fail<'NOT_FOUND'>,
) {
  const { kind, locale } = parseTemplatePath(path, fail);
  if (!(await deleteTemplate(tx, kind, locale))) fail('NOT_FOUND');
  await recordChange(tx, caller, kind, locale);
  return { kind, locale, deleted: true as const };
}

function recordChange(tx: TenantTx, caller: Caller, kind: MessageKind, locale: string) {
  return record(tx, caller, {
    action: 'messaging.template_changed',
    target: { kind: 'tenant', id: tx.tenantId },
    details: { kind, locale },
  });
}

/** Of a tenant that has just been deleted. */
const NOBODY = { name: '', branding: {}, logo: undefined };

/** A message as it would be sent, without sending it. */
export async function preview(
  tenant: TenantData,
  issuer: string,
  { kind, locale, subject, text }: BodyOf<typeof previewMessage>,
  fail: Fail<'TEMPLATE_INVALID'>,
): Promise<RenderedPage> {
  const { sender, own } = await tenant.transaction(async (tx) => {
    const found = await findSenderIn(tx);
    if (subject !== undefined && text !== undefined) {
      await requireUsable(tx, kind, { subject, text }, fail);
    }
    return { sender: found, own: await findTemplates(tx, kind) };
  });
  const textsOf = textsWith(sender?.texts ?? []);
  const stored = await chooseText(kind, [locale, ...localesOf(sender)], own, textsOf);
  const shownIn = text === undefined ? stored.locale : (locale ?? stored.locale);
  const chosen = { subject: subject ?? stored.subject, text: text ?? stored.text };
  const isOwn = stored.isOwn || text !== undefined;
  const template = isOwn ? await warned(kind, chosen, shownIn, textsOf) : chosen;
  const brand = sender ? brandIn(sender, issuer) : NOBODY;
  const values = {
    ...DUMMIES,
    company: brand.name,
    support_email: sender?.branding.support_email,
    identifier: 'ada@example.com',
    link: linkOf(sender?.config.magic_link_url ?? `${issuer}/login`, 'preview'),
  };
  const { renderMessage } = await import('./mail-rendering.ts');
  const { inWords } = await import('./mail-rendering.ts');
  const look = { locale: shownIn, brand };
  return renderMessage(template, await inWords(values, look.locale, textsOf), look);
}

/** Locales of a tenant, the preferred one first. */
function localesOf(sender: Sender | undefined): readonly string[] {
  return sender?.config.locales ?? [];
}

/** Sends a message with dummies in place of secrets. */
export async function sendTest(
  tx: TenantTx,
  queueMessage: QueueMessage,
  caller: Caller,
  { to, kind, locale }: BodyOf<typeof testMessage>,
  fail: Fail<'METHOD_NOT_READY'>,
  canSend: (sender: Sender) => boolean,
): Promise<OkOf<typeof testMessage>> {
  const sender = await findSenderIn(tx);
  if (!sender || !canSend(sender)) fail('METHOD_NOT_READY');
  const { id } = await queueMessage(tx, {
    kind: kind ?? 'login',
    channel: 'email',
    destination: to,
    userId: null,
    challengeId: null,
    locale,
    vars: DUMMIES,
    expiresAt: new Date(tx.now.getTime() + TEST_LIFE_MS),
  });
  await recordTest(tx, caller, id, kind ?? 'login');
  return { id, tenant_id: tx.tenantId };
}

function recordTest(tx: TenantTx, caller: Caller, id: MessageId, kind: MessageKind) {
  return record(tx, caller, {
    action: 'messaging.tested',
    target: { kind: 'message', id },
    details: { kind },
  });
}

interface Dependencies {
  readonly queueMessage: QueueMessage;
  readonly smsLimits: SmsLimits;
}

const KINDS = ['login', 'verification'] as const;

type Refuse = Fail<
  'VALIDATION_FAILED' | 'METHOD_NOT_READY' | 'DESTINATION_REFUSED' | 'TOO_MANY_MESSAGES'
>;

/** Sends a text message with a dummy in place of a code, within the limits of all text messages. */
export function createSendSmsTest({ queueMessage, smsLimits }: Dependencies) {
  return async (
    tx: TenantTx,
    tenant: Tenant,
    caller: Caller,
    { to: destination, kind: given = 'login', locale }: BodyOf<typeof testMessage>,
    fail: Refuse,
  ): Promise<OkOf<typeof testMessage>> => {
    if (!sendsSms(tenant.config)) fail('METHOD_NOT_READY');
    const kind = KINDS.find((one) => one === given) ?? refuseKind(fail);
    const { address } = caller.from;
    const admitted = await smsLimits.admitIn(tx, tenant, { destination, address });
    if (admitted.outcome === 'refused') fail('DESTINATION_REFUSED');
    if (admitted.outcome === 'wait') fail('TOO_MANY_MESSAGES', admitted);
    const { id } = await queueMessage(tx, {
      kind,
      channel: 'sms',
      destination,
      userId: null,
      challengeId: null,
      locale,
      vars: { ...DUMMIES, code: DUMMY_CODE },
      expiresAt: new Date(tx.now.getTime() + TEST_LIFE_MS),
    });
    await recordTest(tx, caller, id, kind);
    return { id, tenant_id: tx.tenantId };
  };
}

function refuseKind(fail: Fail<'VALIDATION_FAILED'>): never {
  const message = `must be ${KINDS.join(' or ')} for a phone number`;
  return fail('VALIDATION_FAILED', { errors: [{ path: '/kind', message }] });
}
