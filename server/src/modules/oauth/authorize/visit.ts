import type { Clock } from '../../../platform/clock.ts';
import type { Html } from '../../../platform/http/pages/html.ts';
import type { Wishes } from '../../../platform/texts/locales.ts';
import type { Device } from '../../../tenancy/device.ts';
import type { Look } from '../../branding/brand/index.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Interaction, Interactions } from './interaction.ts';

/** What the browser sends to a page. */
export interface Visit {
  readonly tenant: Tenant;
  /** The request in progress, sealed. */
  readonly request: string;
  readonly cookies: {
    readonly session?: string;
    readonly flow?: string;
    readonly method?: string;
  };
  readonly device: Device;
  /** For the form of the page. */
  readonly token: Html;
  /** How its pages look. */
  readonly look: Look;
  readonly wishes: Wishes;
}

/** The same with a later state of the request, which the page and its form for another language carry. */
export function carrying(visit: Visit, request: string): Visit {
  const here = { action: 'continue', fields: { request } };
  return { ...visit, request, look: { ...visit.look, here } };
}

/** What the browser of this visit carries. */
export function sealFor(
  { interactions, clock }: { readonly interactions: Interactions; readonly clock: Clock },
  { tenant, cookies: { flow } }: Visit,
  interaction: Interaction,
): Promise<string> {
  if (flow === undefined) throw new Error('The request was opened without its cookie.');
  return interactions.seal(tenant.id, flow, interaction, clock.now());
}
