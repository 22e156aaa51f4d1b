import { TEXT_LOCALES, type TextLocale } from '@keywright/contract/locale';
import { NAME_LENGTH } from '@keywright/contract/records/profile';
import { getProfile, updateProfile } from '@keywright/contract/routes/profile';
import { html } from '../../../platform/http/pages/html.ts';
import { LOCALE_NAMES } from '../../../platform/texts/locales.ts';
import { action } from './parts.ts';
import { NOTHING, type Section } from './section.ts';

/** What the user wants to be called, and reads. */
export const profile: Section = {
  async show(api, carried) {
    const { texts } = carried;
    const { name, locale } = await api.call(getProfile, NOTHING);
    return action(carried, 'save_profile', texts.text('profile.save'), {
      fields: html`<label for="name">${texts.text('profile.name')}</label>
        <input
          id="name"
          name="name"
          value="${name ?? ''}"
          autocomplete="name"
          maxlength="${NAME_LENGTH}"
        />
        <label for="locale">${texts.text('profile.locale')}</label>
        <select id="locale" name="locale">
          <option value="">${texts.text('profile.usual_locale')}</option>
          ${TEXT_LOCALES.map((one) => option(one, one === locale))}
        </select>`,
    });
  },
  actions: {
    async save_profile(api, { name = '', locale: asked = '' }) {
      const locale = TEXT_LOCALES.find((one) => one === asked) ?? null;
      const body = { name: name.trim() === '' ? null : name.trim(), locale };
      await api.call(updateProfile, { params: {}, query: {}, body });
      return { done: 'profile_saved', ...(locale && { locale }) };
    },
  },
};

function option(locale: TextLocale, isSelected: boolean) {
  return html`<option value="${locale}" lang="${locale}" ${isSelected ? html`selected` : undefined}>
    ${LOCALE_NAMES[locale]}
  </option>`;
}
