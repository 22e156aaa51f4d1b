import { topic } from '../../../tenancy/after-commit.ts';
import type { EndpointRef } from './queue-store.ts';

/** Deliveries to this endpoint are due. Whoever misses this finds them at the next look. */
export const endpointDue = topic<EndpointRef>('endpoint due');
