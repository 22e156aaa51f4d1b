import { topic } from '../../../tenancy/after-commit.ts';
import type { WebhookId } from '@keywright/contract/ids';
import type { KeyRef } from '../../../tenancy/jobs/definition.ts';

/** Deliveries to this endpoint are due. The next poll makes up for a lost notification. */
export const endpointDue = topic<KeyRef<WebhookId>>('endpoint due');
