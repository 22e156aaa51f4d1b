import Type, { type TProperties, type TSchema } from 'typebox';
import { TenantIdSchema } from './ids.ts';

/** A type of event: its meaning, and its data. */
export interface EventKind {
  readonly meaning: string;
  /** The field of the data that identifies the subject of the event. */
  readonly subject: string;
  /**
   * One of the nine of the specification: the default of endpoints. Others are sent only to endpoints that list them.
   */
  readonly isSpecified: boolean;
  readonly data: TSchema;
}

/** `data` always has the tenant and the id of its subject. Fields may be added to a type, never removed. */
export function kind<
  const IsSpecified extends boolean,
  const P extends TProperties,
  const Subject extends keyof P & string,
>(isSpecified: IsSpecified, meaning: string, subject: Subject, properties: P) {
  const data = Type.Object({ tenant_id: TenantIdSchema, ...properties });
  return { meaning, subject, isSpecified, data } as const satisfies EventKind;
}
