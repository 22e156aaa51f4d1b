import type { AppError } from '@keywright/contract/errors';
import type { TextLocale } from '@keywright/contract/locale';
import type { BodyOf } from '@keywright/contract/route';
import type { submitStep } from '@keywright/contract/routes/authorize';
import type { Device } from '../../../tenancy/device.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Interaction } from './interaction.ts';

/** What was typed into the form of a page. */
export type Fields = BodyOf<typeof submitStep>;

/** A step of a login: what was typed, and on which device, which holds the cookie of the session that it may open. */
export interface StepCall {
  readonly tenant: Tenant;
  readonly interaction: Interaction;
  readonly fields: Fields;
  readonly device: Device;
  /** The language of messages; undefined: that of the tenant. */
  readonly locale: TextLocale | undefined;
}

/** How a login continues. It is complete when the cookie of its device has a value. */
export interface Stepped {
  readonly interaction: Interaction;
  /** Of the device, once the login is over. */
  readonly deviceToken?: string | undefined;
  /** Recovery codes, which are shown only once. */
  readonly codes?: readonly string[];
  /** A message was sent, and its link leads back to this page. */
  readonly isSent?: true;
  /** An error after which the flow is kept for another try. */
  readonly refused?: AppError;
}

export type Step = (call: StepCall) => Promise<Stepped>;
