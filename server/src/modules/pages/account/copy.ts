import { AppError } from '@keywright/contract/errors';
import type { ExportRecord } from '@keywright/contract/records/account-export';
import { getExport, readExport, requestExport } from '@keywright/contract/routes/account-export';
import { type Html, html } from '../../../platform/http/pages/html.ts';
import type { OwnApi } from './own-api.ts';
import { action, back, type Carried, confirmFirst, time } from './parts.ts';
import { NOTHING, type Section } from './section.ts';

/** A copy of what is stored of the user. */
export async function copyPart(api: OwnApi, carried: Carried): Promise<Html> {
  const { texts, isFresh } = carried;
  return html`<h2>${texts.text('data.copy')}</h2>
    <p>${texts.text('data.copy_text')}</p>
    ${stateOf(await findCopy(api), carried)}
    ${isFresh ? undefined : confirmFirst(carried, 'account.confirm_copy')}`;
}

export const copyActions: Section['actions'] = {
  async request_copy(api) {
    await api.call(requestExport, NOTHING);
    return { done: 'copy_requested' };
  },
  async show_copy(api, _fields, carried) {
    const { texts } = carried;
    const copy = JSON.stringify(await api.call(readExport, NOTHING), undefined, 2);
    // In the page itself: no address leads to it.
    const address = `data:application/json;base64,${Buffer.from(copy).toString('base64')}`;
    return {
      show: html`<p>${texts.text('data.copy_keep')}</p>
        <p>
          <a id="copy" href="${address}" download="account.json">${texts.text('data.save_copy')}</a>
        </p>
        ${back(carried)}`,
    };
  },
};

async function findCopy(api: OwnApi): Promise<ExportRecord | undefined> {
  try {
    return await api.call(getExport, NOTHING);
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

function stateOf(copy: ExportRecord | undefined, carried: Carried): Html | undefined {
  const { texts, isFresh } = carried;
  const begin = action(carried, 'request_copy', texts.text('data.request_copy'), {
    look: 'second',
  });
  if (copy?.status === 'pending') {
    return html`<p class="hint">${texts.text('data.copy_pending')}</p>
      <p><a href="account?section=data">${texts.text('data.copy_again')}</a></p>`;
  }
  if (copy?.status === 'ready') {
    const until = time(copy.expires_at, texts);
    const show = action(carried, 'show_copy', texts.text('data.show_copy'), { look: 'second' });
    return html`<p class="hint">${texts.html('data.copy_ready', { until })}</p>
      ${isFresh ? show : undefined}`;
  }
  const failed = html`<p class="hint">${texts.text('data.copy_failed')}</p>`;
  return html`${copy && failed} ${isFresh ? begin : undefined}`;
}
