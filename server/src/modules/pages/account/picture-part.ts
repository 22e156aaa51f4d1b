import { MAX_PICTURE_FIELD_LENGTH } from '@keywright/contract/routes/account';
import { getPicture } from '@keywright/contract/routes/pictures';
import { initialsOf, tintOf } from '@keywright/contract/face';
import type { ProfileRecord } from '@keywright/contract/records/profile';
import { type Html, html, script } from '../../../platform/http/pages/html.ts';
import { type Tenant, pathAtIssuer } from '../../../tenancy/tenant.ts';
import { type Carried, action, card } from './account-section.ts';

type Person = Pick<ProfileRecord, 'user_id' | 'name' | 'picture'>;

/** The uploaded picture of a person, or their initials: pages load nothing from other servers. */
export function faceOf(
  tenant: Tenant,
  { user_id: id, name, picture }: Person,
  address: string,
): Html {
  const [start = ''] = getPicture.path.split(':');
  const path = picture === null ? undefined : URL.parse(picture)?.pathname;
  const isUploaded = path?.startsWith(pathAtIssuer(tenant, start)) === true;
  const shown = isUploaded ? html`<img src="${path}" alt="" />` : initialsOf(name ?? address);
  return html`<span class="face tint-${tintOf(id)}" aria-hidden="true">${shown}</span>`;
}

/** Uploads and removes the picture. The form needs a script, which makes the picture small and square. */
export function pictureCard(carried: Carried, { picture }: Person): Html {
  const { section, session, token, texts } = carried;
  const fields = { section, session, action: 'save_picture', picture: '' };
  return card(
    { icon: 'user', title: texts.text('profile.picture') },
    html`<form method="post" action="account" id="picture" hidden>
        ${token}${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
        <label class="pick"
          >${texts.text('profile.picture_file')}
          <input type="file" id="picture-file" accept="image/*"
        /></label>
      </form>
      <p role="alert" id="picture-problem" hidden>${texts.text('profile.picture_problem')}</p>
      <noscript><p class="hint">${texts.text('profile.picture_script')}</p></noscript>`,
    picture === null
      ? undefined
      : action(carried, 'remove_picture', texts.text('profile.picture_remove'), { look: 'danger' }),
    SHRINK,
  );
}

const SHRINK = script(`
{
  const [form, file, problem] = ['', '-file', '-problem'].map((end) => document.getElementById('picture' + end));
  form.hidden = false;
  file.onchange = async () => {
    problem.hidden = true;
    try {
      const image = await createImageBitmap(file.files[0]);
      const side = Math.min(image.width, image.height);
      const canvas = document.createElement('canvas');
      canvas.width = canvas.height = 256;
      const context = canvas.getContext('2d');
      context.fillStyle = '#fff';
      context.fillRect(0, 0, 256, 256);
      context.drawImage(image, (image.width - side) / 2, (image.height - side) / 2, side, side, 0, 0, 256, 256);
      const encoded = [9, 8, 6, 4, 2].map((tenths) => canvas.toDataURL('image/jpeg', tenths / 10).split(',')[1]);
      const fitting = encoded.find((text) => text.length <= ${MAX_PICTURE_FIELD_LENGTH});
      if (!fitting) throw new Error('too large');
      form.elements.picture.value = fitting;
      form.submit();
    } catch { problem.hidden = false; }
  };
}
`);
