import type { Fail } from '@keywright/contract/errors';
import { Page } from '../../../platform/http/replies.ts';
import { tooOldView } from '../../branding/views/index.ts';
import { requireOAuth } from '../clients/index.ts';
import type { JourneyDependencies } from './dependencies.ts';
import type { EntryDependencies } from './entry.ts';
import type { Interaction } from './interaction.ts';
import { isOfOwnPages } from './own-login.ts';
import { type Situation, situate } from './situation.ts';
import { carrying, type Visit, sealFor } from './visit.ts';

/**
 * The request that a browser brings. If its page was left open for too long, the response is a page that starts again.
 * @throws AppError FORM_TOO_OLD unless the request was made in this browser
 */
export async function arrive(
  dependencies: JourneyDependencies,
  visit: Visit,
  fail: Fail<'FORM_TOO_OLD' | 'COOKIE_REFUSED' | 'REQUEST_INVALID' | 'OAUTH_OFF'>,
): Promise<Arrived | Page<'FORM_TOO_OLD'>> {
  const { interactions, clock } = dependencies;
  const { tenant, request, cookies } = visit;
  if (cookies.flow === undefined) return fail('COOKIE_REFUSED');
  const opened = await interactions.open(tenant.id, cookies.flow, request, clock.now());
  const { interaction, isTooOld } = opened ?? fail('FORM_TOO_OLD');
  // The service's own pages do not need the OpenID provider.
  if (!isOfOwnPages(interaction.request)) requireOAuth(tenant, fail);
  const asked = await asWished(dependencies, visit, interaction.request.uiLocales);
  if (isTooOld) return tooOld(dependencies, asked, interaction);
  const situation = await situate(dependencies, tenant, interaction, cookies.session);
  return { visit: asked, situation: situation ?? fail('REQUEST_INVALID') };
}

/** A request, and its visit in the language that the application requested. */
interface Arrived {
  readonly visit: Visit;
  readonly situation: Situation;
}

async function asWished(
  { findLook }: JourneyDependencies,
  visit: Visit,
  wished: readonly string[],
): Promise<Visit> {
  if (wished.length === 0) return visit;
  const wishes = { ...visit.wishes, wished };
  const look = await findLook(visit.tenant, wishes, visit.look.here);
  return { ...visit, wishes, look };
}

/** Nothing that was done before is kept. */
async function tooOld(
  dependencies: EntryDependencies,
  visit: Visit,
  { request, expected }: Interaction,
): Promise<Page<'FORM_TOO_OLD'>> {
  const again = { request, ...(expected && { expected }), done: {} };
  const sealed = await sealFor(dependencies, visit, again);
  const html = tooOldView(carrying(visit, sealed));
  return new Page(html, { refusal: 'FORM_TOO_OLD' });
}
