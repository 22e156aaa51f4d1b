import type { TenantId } from '@keywright/contract/ids';
import { topic } from './after-commit.ts';

/** The branding of this tenant has changed. */
export const brandingChanged = topic<TenantId>('branding changed');
