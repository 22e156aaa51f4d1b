import { type Html, html } from '../../../platform/http/pages/html.ts';
import type { Look } from '../brand/index.ts';
import { button } from './parts.ts';
import { shell } from './shell.ts';

interface DevicePage {
  readonly look: Look;
  /** Against forgery. */
  readonly field: Html;
  /** What was typed, or what the address of this page contains. */
  readonly code: string | undefined;
  readonly problem?: Html | string | undefined;
}

/** Where the code of a device is typed. Whoever follows an address with a code still compares it, and continues. */
export function deviceView({ look, field, code, problem }: DevicePage): Html {
  const { texts } = look;
  const isGiven = code !== undefined && problem === undefined;
  return shell(
    {
      look,
      title: texts.text('device.title'),
      lead: texts.text(isGiven ? 'device.lead_given' : 'device.lead'),
      problem,
    },
    html`<form method="post" action="device">
      ${field}<label for="user-code">${texts.text('device.code')}</label>
      <input
        id="user-code"
        name="user_code"
        type="text"
        autocomplete="off"
        autocapitalize="characters"
        spellcheck="false"
        required
        maxlength="32"
        dir="ltr"
        aria-describedby="user-code-hint"
        ${code === undefined ? html`autofocus` : html`value="${code}"`}
      />
      <p class="hint" id="user-code-hint">${texts.text('device.warning')}</p>
      ${button('device', texts.text('device.continue'), { id: 'device-continue' })}
    </form>`,
  );
}

/** A device that asks for a consent, as its user recognizes it. */
export interface ShownDevice {
  readonly userCode: string;
  readonly address: string;
  /** How long ago it asked, in milliseconds. */
  readonly ageMs: number;
}

/** What the consent page says of a device: whoever reads it may not be whose device it is. */
export function askingDevice({ userCode: code, address, ageMs }: ShownDevice, look: Look): Html {
  const { texts } = look;
  const minutes = Math.max(0, Math.floor(ageMs / 60_000));
  return html`<h2>${texts.text('device.asks')}</h2>
    <p>${texts.html('device.shows', { code })}</p>
    <p>${texts.html('device.begun', { minutes, address })}</p>
    <p>${texts.text('device.check')}</p>`;
}

const ENDS = {
  connected: ['device.done_title', 'device.done'],
  denied: ['device.denied_title', 'device.denied'],
  refused: ['device.denied_title', 'device.refused'],
  over: ['device.over_title', 'device.over'],
} as const;

interface DeviceEnd {
  readonly look: Pick<Look, 'texts'> & Partial<Look>;
  readonly end: keyof typeof ENDS;
}

/** What has become of the device. */
export function deviceEndView({ look, end }: DeviceEnd): Html {
  const { texts } = look;
  const [title, text] = ENDS[end];
  return shell({ look, title: texts.text(title) }, html`<p>${texts.text(text)}</p>`);
}
