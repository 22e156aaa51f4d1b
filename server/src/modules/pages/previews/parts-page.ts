import Type from 'typebox';
import { TextLocale } from '@keywright/contract/locale';
import { route } from '@keywright/contract/route';
import { closed } from '@keywright/contract/shape';
import { ACCOUNT_LOOK } from '../../../platform/http/pages/account-look.ts';
import { type Html, html } from '../../../platform/http/pages/html.ts';
import { Page } from '../../../platform/http/replies.ts';
import { loadTexts } from '../../../platform/texts/load.ts';
import type { Texts } from '../../../platform/texts/texts.ts';
import type { Router } from '../../../tenancy/router.ts';
import {
  aside,
  button,
  field,
  folded,
  form,
  lastUsedMark,
  providerForms,
  qrOf,
  shell,
  withIcon,
} from '../../branding/views/index.ts';
import { action, back, confirmFirst, input, list, time } from '../account/index.ts';

/** Not part of the contract: the route does not exist in production. */
const shownParts = route({
  id: 'service.parts',
  method: 'GET',
  path: '/dev/parts',
  access: 'open',
  errorForm: 'page',
  summary: 'The parts that pages are made of',
  query: closed({ locale: Type.Optional(TextLocale) }),
  ok: { kind: 'html', status: 200, policy: { styles: true } },
  errors: [],
});

export function bindParts(router: Router): void {
  router.add(shownParts, async ({ query: { locale = 'en' } }) => {
    return new Page(await partsView(await loadTexts(locale)));
  });
}

const AT = new Date('2026-01-31T12:00:00Z');
const NAMES = ['Okta', 'Microsoft', 'Google', 'GitHub', 'Apple', 'GitLab', 'Corporate'];
const ADDRESS = 'ada@example.com';

/** Renders the components of pages in each of their states. The forms lead nowhere. */
async function partsView(texts: Texts): Promise<Html> {
  return shell(
    {
      look: { texts },
      title: 'Parts',
      lead: texts.html('login.lead', { client: 'Parts' }),
      problem: texts.text('problem.incomplete'),
      head: ACCOUNT_LOOK,
    },
    html`<div class="body">
      ${part('Notes', notes(texts))} ${part('Fields', fields(texts))}
      ${part('Buttons', buttons(texts))} ${part('Providers', providers(texts))}
      ${part('Codes', await codes(texts))} ${part('Lists', lists(texts))}
      ${part('Changes of an account', changes(texts))}
    </div>`,
  );
}

function part(name: string, states: Html): Html {
  return html`<section>
    <h2 lang="en">${name}</h2>
    ${states}
  </section>`;
}

const onPage = (texts: Texts) => ({ request: '', token: html``, look: { texts } });

const onAccount = (texts: Texts) => ({
  section: 'security' as const,
  session: '',
  token: html``,
  texts,
  isFresh: true,
  now: AT,
});

function notes(texts: Texts): Html {
  return html`<p role="status" class="done">${texts.text('account.done.profile_saved')}</p>
    <p class="hint">${texts.text('security.codes_text')}</p>`;
}

/** Renders a prefilled field, a secret field and a field with a hint. */
function fields(texts: Texts): Html {
  return form(
    onPage(texts),
    html`${field({
      name: 'identifier',
      label: texts.text('field.identifier'),
      autocomplete: 'off',
      value: ADDRESS,
    })}
    ${field({
      name: 'secret',
      label: texts.text('field.password'),
      type: 'password',
      autocomplete: 'off',
    })}
    ${field({
      name: 'code',
      label: texts.text('field.code'),
      autocomplete: 'off',
      isNumeric: true,
      hint: texts.html('step.sent', { address: html`<bdi>${ADDRESS}</bdi>` }),
    })}`,
  );
}

/** Renders a page's first button, focused and marked; next to another button; and as a link. */
function buttons(texts: Texts): Html {
  const carried = onPage(texts);
  const marked = lastUsedMark(texts.text('login.passkey'), texts);
  return html`${form(carried, button('first', texts.text('action.log_in'), { isFocused: true }))}
  ${form(carried, button('second', texts.text('action.continue'), { look: 'second' }))}
  ${form(carried, button('marked', marked, { look: 'second' }))}
  ${form(carried, button('quiet', withIcon('passkey', texts.text('login.passkey')), { look: 'quiet' }))}
  ${aside(carried, 'link', texts.text('action.back_to_login'))}
  ${folded(texts.text('footer.language'), [aside(carried, 'folded', texts.text('action.start_again'))])}`;
}

/** Renders more providers than a page shows before it is unfolded. */
function providers(texts: Texts): Html {
  const all = NAMES.map((name) => ({ id: name.toLowerCase(), name, type: name.toLowerCase() }));
  return html`${providerForms(onPage(texts), all)}`;
}

async function codes(texts: Texts): Promise<Html> {
  return html`<ul class="codes">
      <li><code>ABCD-EFGH-JKMN</code></li>
      <li><code>PQRS-TUVW-XYZ2</code></li>
    </ul>
    ${await qrOf('otpauth://totp/Parts?secret=AAAAAAAA', texts.text('totp.qr'))}`;
}

function lists(texts: Texts): Html {
  const carried = onAccount(texts);
  const remove = action(carried, 'remove_factor', texts.text('addresses.remove'), {
    look: 'danger',
  });
  const used = texts.html('security.used', { added: time(AT, texts), used: time(AT, texts) });
  const items = [
    { title: 'YubiKey', lines: [used], actions: [remove] },
    { title: 'Phone', lines: [used, texts.text('account.problem.last_login')] },
  ];
  return html`${list(items, '')} ${list([], texts.text('security.no_passkey'))}`;
}

function changes(texts: Texts): Html {
  const carried = onAccount(texts);
  return html`${confirmFirst(carried, 'account.confirm_security')}
  ${action(carried, 'change_password', texts.text('security.change_password'), {
    fields: input('current', texts.text('security.current_password'), { type: 'password' }),
    look: 'second',
  })}
  ${action(carried, 'link', texts.text('addresses.verify'), { look: 'link' })} ${back(carried)}`;
}
