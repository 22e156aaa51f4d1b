import type { Fail } from '@keywright/contract/errors';
import type { BodyOf, OkOf } from '@keywright/contract/route';
import type { testMessage } from '@keywright/contract/routes/messages';
import type { Caller } from '../../../../tenancy/caller.ts';
import { sendsSms } from '../../../../tenancy/channels.ts';
import type { TenantTx } from '../../../../tenancy/gate.ts';
import type { Tenant } from '../../../../tenancy/tenant.ts';
import type { QueueMessage } from '../service.ts';
import { DUMMIES, recordTest, TEST_LIFE_MS } from '../templates.ts';
import type { SmsLimits } from './limits.ts';

interface Dependencies {
  readonly queueMessage: QueueMessage;
  readonly smsLimits: SmsLimits;
}

const KINDS = ['login', 'verification'] as const;
export const DUMMY_CODE = '123456';

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
