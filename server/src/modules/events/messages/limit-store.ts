import { giveBack } from '../../../../sql/authentication/kw_give_back.ts';
import { admitMessage } from '../../../../sql/events/kw_admit_message.ts';
import { admitSms } from '../../../../sql/events/kw_admit_sms.ts';
import { countSms as count } from '../../../../sql/events/kw_count_sms.ts';
import { pauseSms } from '../../../../sql/events/kw_pause_sms.ts';
import { callAs } from '../../../platform/db/calls.ts';
import { argumentsOf, type CountedLimit, type Subject } from '../../../tenancy/counters.ts';
import type { TenantData, TenantTx } from '../../../tenancy/gate.ts';

/** Counts a message. @returns seconds to wait, or undefined if it is admitted */
export async function countMessage(
  tenant: TenantData,
  limits: readonly CountedLimit[],
  now: Date,
): Promise<number | undefined> {
  const [row] = await tenant.call(admitMessage, { ...argumentsOf(limits), now });
  return row?.retry_after;
}

/** Counts a message within a transaction: a rollback reverts the count. */
export async function countMessageIn(
  tx: TenantTx,
  limits: readonly CountedLimit[],
): Promise<number | undefined> {
  const [row] = await callAs(tx, admitMessage, { ...argumentsOf(limits), now: tx.now });
  return row?.retry_after;
}

/** Gives back the count of a message that was not sent. */
export async function giveBackMessage(
  tenant: TenantData,
  subject: Subject,
  now: Date,
): Promise<void> {
  await tenant.call(giveBack, { subject, now });
}

/** A text message, and its limits. */
export interface SmsRequest {
  readonly country: string;
  /** The networks that requested the message: each together with the country, and each alone. */
  readonly seen: readonly Subject[];
  readonly networks: readonly Subject[];
  /** The number of countries that each network can have messages sent to in a day. */
  readonly countries: readonly number[];
  readonly limits: readonly CountedLimit[];
}

/** `isFailing`: few codes in messages to the country were used. */
export interface AdmittedSms {
  readonly retryAfterSeconds: number | undefined;
  readonly isFailing: boolean;
}

/** Counts a text message, unless it is refused. */
export async function countSmsRequest(
  data: TenantData,
  request: SmsRequest,
  now: Date,
): Promise<AdmittedSms> {
  const [row] = await data.call(admitSms, smsArguments(request, now));
  return admittedBy(row);
}

/** Counts a text message within a transaction: a rollback reverts the count. */
export async function countSmsRequestIn(tx: TenantTx, request: SmsRequest): Promise<AdmittedSms> {
  const [row] = await callAs(tx, admitSms, smsArguments(request, tx.now));
  return admittedBy(row);
}

function smsArguments({ limits, ...request }: SmsRequest, now: Date) {
  return { ...request, ...argumentsOf(limits), now };
}

function admittedBy(
  row: { readonly retry_after: number | null; readonly is_failing: boolean } | undefined,
): AdmittedSms {
  if (!row) throw new Error('A text message was not counted.');
  return { retryAfterSeconds: row.retry_after ?? undefined, isFailing: row.is_failing };
}

interface Traffic {
  readonly sent: number;
  readonly redeemed: number;
}

/** Counts messages sent to a country, or the codes in them that were used. */
export async function countSms(
  tx: TenantTx,
  country: string,
  { sent = 0, redeemed = 0 }: Partial<Traffic>,
): Promise<void> {
  await callAs(tx, count, { country, sent, redeemed });
}

/**
 * Pauses a failing country, and starts counting again from zero.
 * @returns undefined if the country is not failing, or is paused already
 */
export async function pauseCountry(
  tx: TenantTx,
  country: string,
  until: Date,
): Promise<Traffic | undefined> {
  const [row] = await callAs(tx, pauseSms, { country, until });
  return row;
}
