import { topic } from '../../../tenancy/after-commit.ts';
import type { WebhookId } from '@keywright/contract/ids';
import type { KeyRef } from '../../../tenancy/jobs/definition.ts';

/** Deliveries to this endpoint are due. A lost notification is made up for by the next poll. */
export const endpointDue = topic<KeyRef<WebhookId>>('endpoint due');
