import { admitSms } from '../../../../sql/events/kw_admit_sms.ts';
import { countSms as count } from '../../../../sql/events/kw_count_sms.ts';
import { pauseSms } from '../../../../sql/events/kw_pause_sms.ts';
import { callAs } from '../../../platform/db/calls.ts';
import { argumentsOf, type CountedLimit, type Subject } from '../../../tenancy/counters.ts';
import type { TenantData, TenantTx } from '../../../tenancy/gate.ts';

/** A text message, and its limits. */
export interface WantedSms {
  readonly country: string;
  /** The networks that asked for it, each together with the country, and alone. */
  readonly seen: readonly Subject[];
  readonly networks: readonly Subject[];
  /** To how many countries each may have messages sent in a day. */
  readonly countries: readonly number[];
  readonly limits: readonly CountedLimit[];
}

/** `isFailing`: few codes of the messages to the country were used. */
export interface AdmittedSms {
  readonly retryAfterSeconds: number | undefined;
  readonly isFailing: boolean;
}

/** Counts a text message, unless it is refused. */
export async function countWanted(
  data: TenantData,
  wanted: WantedSms,
  now: Date,
): Promise<AdmittedSms> {
  const [row] = await data.call(admitSms, givenBy(wanted, now));
  return admittedBy(row);
}

/** The same within a transaction: not counted if that is rolled back. */
export async function countWantedIn(tx: TenantTx, wanted: WantedSms): Promise<AdmittedSms> {
  const [row] = await callAs(tx, admitSms, givenBy(wanted, tx.now));
  return admittedBy(row);
}

function givenBy({ limits, ...wanted }: WantedSms, now: Date) {
  return { ...wanted, ...argumentsOf(limits), now };
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

/** Counts messages to a country that were sent, or codes of them that were used. */
export async function countSms(
  tx: TenantTx,
  country: string,
  { sent = 0, redeemed = 0 }: Partial<Traffic>,
): Promise<void> {
  await callAs(tx, count, { country, sent, redeemed });
}

/** Pauses a failing country, and begins to count anew. @returns undefined if it is not failing, or was paused */
export async function pauseCountry(
  tx: TenantTx,
  country: string,
  until: Date,
): Promise<Traffic | undefined> {
  const [row] = await callAs(tx, pauseSms, { country, until });
  return row;
}
