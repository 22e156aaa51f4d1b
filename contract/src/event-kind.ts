import Type, { type TProperties, type TSchema } from 'typebox';
import { TenantIdSchema } from './ids.ts';

/** An event type: its description and the schema of its data. */
export interface EventKind {
  readonly meaning: string;
  /** The data field that identifies the subject of the event. */
  readonly subject: string;
  /**
   * Whether it is one of the nine event types of the specification, which endpoints receive by default. Endpoints
   * receive the other types only if they list them.
   */
  readonly isSpecified: boolean;
  readonly data: TSchema;
}

/**
 * Defines an event type. `data` always contains the tenant and the ID of the subject. Fields can be added to a type
 * but never removed.
 */
export function kind<
  const IsSpecified extends boolean,
  const P extends TProperties,
  const Subject extends keyof P & string,
>(isSpecified: IsSpecified, meaning: string, subject: Subject, properties: P) {
  const data = Type.Object({ tenant_id: TenantIdSchema, ...properties });
  return { meaning, subject, isSpecified, data } as const satisfies EventKind;
}
