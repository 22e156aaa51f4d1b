import type { Html } from '../../../platform/http/pages/html.ts';
import { Page } from '../../../platform/http/replies.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { Look } from '../../branding/brand/index.ts';
import { elsewhereView, endedLinkView, linkView } from '../../branding/views/index.ts';
import type { JourneyDependencies } from './dependencies.ts';
import { isOfOwnPages } from './own-login.ts';
import { situate } from './situation.ts';

interface OpenedLink {
  readonly token: string;
  /** Of the browser. */
  readonly cookie: string | undefined;
  readonly field: Html;
  readonly look: Look;
}

/**
 * The page of a link in a message. Mail scanners open links, run scripts and press buttons. Nothing changes before a
 * button is pressed that only the browser that requested the message gets.
 */
export async function showLink(
  dependencies: JourneyDependencies,
  tenant: Tenant,
  { token, cookie, field, look }: OpenedLink,
): Promise<Page<'CODE_WRONG'>> {
  const { challenges, flows, interactions, clock } = dependencies;
  const link = await challenges.find(tenant, token);
  if (!link || link.isEnded) return new Page(endedLinkView({ look }), { refusal: 'CODE_WRONG' });
  const now = clock.now();
  const page = await flows.findPage(tenant, link.flowId);
  const opened =
    page === undefined ? undefined : await interactions.open(tenant.id, cookie, page, now);
  const interaction = opened?.isTooOld === false ? opened.interaction : undefined;
  const situation = interaction && (await situate(dependencies, tenant, interaction, undefined));
  if (!interaction || !situation || cookie === undefined) {
    const { userAgent, begunAt } = link;
    return new Page(elsewhereView({ look, userAgent, begunAt, now }));
  }
  const request = await interactions.seal(tenant.id, cookie, interaction, now);
  const { sentTo = '' } = interaction.flow ?? {};
  const shown = { look, request, token: field, linkToken: token, sentTo };
  return new Page(
    linkView({
      ...shown,
      clientName: isOfOwnPages(interaction.request)
        ? look.texts.text('login.own_pages')
        : situation.client.name,
    }),
  );
}
