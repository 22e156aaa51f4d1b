import type { Fail } from '@keywright/contract/errors';
import type { TenantId } from '@keywright/contract/ids';
import type { DataKeys } from '../../../../tenancy/data-keys.ts';
import type { Gate } from '../../../../tenancy/gate.ts';
import type { Origin } from '../../../../tenancy/caller.ts';
import { anonymous } from '../../journal/index.ts';
import { admitFeedback, isFirstReport } from '../limits.ts';
import { sealSuppression, suppressWithin } from '../suppress.ts';
import { genericReport, postmarkReport, type Report, sesReport } from './formats.ts';
import { type FeedbackBody, readNotification } from './notification.ts';
import type { Sns } from './sns.ts';
import { isFeedbackToken, isLikeToken } from './token.ts';

interface Dependencies {
  readonly gate: Gate;
  readonly dataKeys: DataKeys;
  readonly sns: Sns;
}

/** A request to the address of a tenant. */
interface Received {
  readonly tenantId: TenantId;
  readonly from: Origin;
  readonly token: string;
  readonly body: FeedbackBody;
}

type Refuse = Fail<'NOT_FOUND' | 'FEEDBACK_REFUSED' | 'TOO_MANY_MESSAGES'>;

/** Reports may be late by this much. Their ids are remembered for longer, so that none counts twice. */
const MAX_AGE_MS = 24 * 3_600_000;
const MAX_SKEW_MS = 5 * 60_000;

/** Suppresses the addresses of a report. @returns how many were not suppressed before */
export async function takeFeedback(
  { gate, dataKeys, sns }: Dependencies,
  { tenantId, from, token, body }: Received,
  fail: Refuse,
): Promise<number> {
  const by = anonymous(from);
  if (!isLikeToken(token)) fail('NOT_FOUND');
  const isRight = await dataKeys.use(tenantId, (key) => isFeedbackToken(key, tenantId, token));
  if (!isRight) fail('NOT_FOUND');
  const tenant = gate.into(tenantId);
  await tenant.transaction(async (tx) => {
    const retryAfterSeconds = await admitFeedback(tx);
    if (retryAfterSeconds !== undefined) fail('TOO_MANY_MESSAGES', { retryAfterSeconds });
  });
  const report = (await readReport(sns, body)) ?? fail('FEEDBACK_REFUSED');
  if (report === 'confirmed') return 0;
  const { id, at, reason, addresses } = report;
  if (reason === undefined) return 0;
  const sealed = await dataKeys.use(tenantId, (key) =>
    addresses.map((address) => sealSuppression(key, tenantId, address, reason)),
  );
  return tenant.transaction(async (tx) => {
    const ageMs = tx.now.getTime() - at.getTime();
    if (ageMs > MAX_AGE_MS || ageMs < -MAX_SKEW_MS) fail('FEEDBACK_REFUSED');
    if (!(await isFirstReport(tx, id))) return 0;
    let suppressed = 0;
    for (const one of sealed) if (await suppressWithin(tx, one, by)) suppressed += 1;
    return suppressed;
  });
}

/** @returns undefined for what is in no supported format, or forged */
async function readReport(sns: Sns, body: FeedbackBody): Promise<Report | 'confirmed' | undefined> {
  const notification = readNotification(body);
  if (!notification) return undefined;
  if (notification.RecordType !== undefined) return postmarkReport(notification);
  if (notification.Type === undefined) return genericReport(notification);
  if (!(await sns.isGenuine(notification))) return undefined;
  if (notification.Type === 'SubscriptionConfirmation') {
    return (await sns.confirm(notification)) ? 'confirmed' : undefined;
  }
  return sesReport(notification);
}
