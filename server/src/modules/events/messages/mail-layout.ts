import type { TenantBranding } from '@keywright/contract/records/tenant';
import { Html, html, style } from '../../../platform/http/pages/html.ts';
import { COLORS } from '../../../platform/http/pages/look.ts';
import { palette } from '../../../platform/http/pages/palette.ts';
import { directionOf } from '../../../platform/texts/locales.ts';

/** The look of a tenant's emails, which matches its pages. */
export interface MailBrand {
  readonly name: string;
  /** The URLs of images, for each scheme. */
  readonly logo: { readonly light: string; readonly dark: string } | undefined;
  readonly branding: TenantBranding;
}

/** The parts of an email. Values in them are escaped, and each is in one line. */
interface MailParts {
  readonly locale: string;
  readonly brand: MailBrand;
  readonly heading: string;
  /** The line that mailboxes show next to the subject. */
  readonly preheader: string;
  readonly body: readonly Html[];
  /** Below a line, in small type. */
  readonly details: readonly Html[];
  readonly footer: readonly Html[];
}

/** An email as a page with a style sheet, and as it is sent. */
interface MailDocument {
  readonly page: Html;
  readonly html: string;
}

/**
 * Lays out an email as a table, which all email programs draw alike. Repeats attributes, because they retain those of
 * `html` or those of the first element.
 */
export function layOut(parts: MailParts): MailDocument {
  const { locale, brand, heading, preheader } = parts;
  const direction = directionOf(locale);
  const rules = rulesOf(brand);
  const sheet = Object.entries(rules).map(([name, rule]) => `.${name}{${rule}}`);
  const page = html`<!doctype html>
    <html lang="${locale}" dir="${direction}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="${schemeOf(brand)}" />
        <title>${heading}</title>
        ${style(sheet.join('\n'))}
      </head>
      <body class="canvas">
        <div lang="${locale}" dir="${direction}" class="canvas">
          <div class="preheader">${preheader}${FILLER}</div>
          ${table(
            html`<tr>
              <td align="center" class="around">
                <table ${TABLE} width="600" class="card">
                  ${rowsOf(parts)}
                </table>
                <table ${TABLE} width="600" class="below">
                  ${parts.footer.map((line) => row('footer', line))}
                </table>
              </td>
            </tr>`,
          )}
        </div>
      </body>
    </html>`;
  return { page, html: inlined(page.html, rules) };
}

/** The rows of the card. */
function rowsOf({ brand, heading, body, details }: MailParts): Html[] {
  const small = table(row('details', html`${between(details)}`));
  return [
    row('sign', signOf(brand)),
    row('top', html`<h1 class="heading">${heading}</h1>`),
    ...body.map((part) => row('part', part)),
    ...(details.length > 0 ? [row('part', small)] : []),
    row('end', html``),
  ];
}

function row(name: string, cell: Html): Html {
  return html`<tr>
    <td class="${name}">${cell}</td>
  </tr>`;
}

const TABLE = html`role="presentation" cellpadding="0" cellspacing="0" border="0"`;

function table(rows: Html): Html {
  return html`<table ${TABLE} width="100%">
    ${rows}
  </table>`;
}

/** Keeps the text of the email out of the line that mailboxes show next to the subject. */
const FILLER = new Html('&#847;&zwnj;&nbsp;'.repeat(60), []);

function between(lines: readonly Html[]): Html[] {
  return lines.map((line, index) => html`${index > 0 ? html`<br />` : undefined}${line}`);
}

/** The sender of the email: the logo, or the name next to its first letter. */
function signOf(brand: MailBrand): Html {
  const { name, logo } = brand;
  if (logo)
    return html`<img src="${logo[schemeOf(brand)]}" alt="${name}" height="32" class="logo" />`;
  const [initial = ''] = new Intl.Segmenter().segment(name);
  return html`<table ${TABLE}>
    <tr>
      <td width="32" height="32" align="center" class="initial" aria-hidden="true">
        ${initial === '' ? '' : initial.segment.toUpperCase()}
      </td>
      <td class="name"><bdi>${name}</bdi></td>
    </tr>
  </table>`;
}

/** A paragraph of the body. */
export function paragraph(lines: readonly Html[]): Html {
  return html`<p class="text">${between(lines)}</p>`;
}

/** A line in small type below an action. */
export function note(lines: readonly Html[]): Html {
  return html`<p class="note">${between(lines)}</p>`;
}

/** A code that the reader types or copies. */
export function codeBox(code: string): Html {
  return table(
    html`<tr>
      <td align="center" class="code"><bdi dir="ltr">${code}</bdi></td>
    </tr>`,
  );
}

/** A button that also has its size where email programs ignore padding of links. */
export function buttonTo(link: string, label: Html, brand: MailBrand): Html {
  const { solid } = colorsOf(brand);
  return table(
    html`<tr>
      <td align="center" bgcolor="${solid}" class="action">
        <a href="${link}" class="button">${label}</a>
      </td>
    </tr>`,
  );
}

/** A link within a sentence. */
export function inlineLink(link: string): Html {
  return html`<a href="${link}" dir="ltr" class="link">${link}</a>`;
}

/** A code within a sentence. */
export function inlineCode(code: string): Html {
  return html`<bdi dir="ltr" class="word">${code}</bdi>`;
}

/**
 * The scheme of an email. By default it is light: email programs adapt a light email to a dark screen, and have no
 * common way to style both schemes without a style sheet.
 */
function schemeOf({ branding }: MailBrand): 'light' | 'dark' {
  return branding.color_scheme === 'dark' ? 'dark' : 'light';
}

type Rules = Readonly<Record<string, string>>;

const SANS = `-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif`;
const MONO = 'ui-monospace,Menlo,Consolas,monospace';

/** Colors in one scheme: email programs support neither custom properties nor light-dark(). */
function colorsOf(brand: MailBrand) {
  const scheme = schemeOf(brand);
  const { primary_color: primary } = brand.branding;
  const colors = primary === undefined ? COLORS : { ...COLORS, ...palette({ primary }) };
  const { bg, surface, raised, line, ink, muted, solid, link } = colors;
  return {
    // A light card is hardly visible on the background of pages.
    bg: scheme === 'light' ? raised.light : bg.dark,
    surface: surface[scheme],
    raised: raised[scheme],
    line: line[scheme],
    ink: ink[scheme],
    muted: muted[scheme],
    solid: solid[scheme],
    edge: colors['solid-edge'][scheme],
    onSolid: colors['on-solid'][scheme],
    link: link[scheme],
  };
}

/** The declarations of each class, without double quotes. The colors must be validated, because they are not escaped. */
function rulesOf(brand: MailBrand): Rules {
  const { bg, surface, raised, line, ink, muted, solid, edge, onSolid, link } = colorsOf(brand);
  const small = `font-size:13px;line-height:19px;color:${muted};overflow-wrap:anywhere`;
  return {
    canvas: `margin:0;padding:0;background-color:${bg}`,
    preheader:
      'display:none;max-height:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px;mso-hide:all',
    around: `padding:32px 16px;background-color:${bg}`,
    card: `width:100%;max-width:600px;background-color:${surface};border:1px solid ${line};border-radius:12px;border-collapse:separate;font-family:${SANS};color:${ink}`,
    sign: 'padding:28px 32px 0',
    logo: 'display:block;height:32px;max-width:100%;border:0;font-size:15px;font-weight:600',
    initial: `width:32px;height:32px;background-color:${solid};border-radius:8px;color:${onSolid};font-size:15px;font-weight:700;line-height:32px`,
    name: `padding:0 10px;font-size:15px;line-height:20px;font-weight:600;color:${ink};overflow-wrap:anywhere`,
    top: 'padding:24px 32px 0',
    heading: `margin:0;font-size:22px;line-height:28px;font-weight:600;color:${ink};overflow-wrap:anywhere`,
    part: 'padding:16px 32px 0',
    text: `margin:0;font-size:15px;line-height:22px;color:${ink};overflow-wrap:anywhere`,
    note: `margin:0;${small};text-align:center`,
    code: `padding:18px 12px;background-color:${raised};border:1px solid ${line};border-radius:10px;font-family:${MONO};font-size:30px;line-height:36px;letter-spacing:5px;font-weight:600;color:${ink}`,
    word: `font-family:${MONO};font-weight:600`,
    action: `background-color:${solid};border:1px solid ${edge};border-radius:10px`,
    button: `display:block;padding:11px 20px;border-radius:10px;color:${onSolid};font-size:15px;line-height:20px;font-weight:600;text-decoration:none`,
    link: `color:${link};overflow-wrap:anywhere`,
    details: `padding:16px 0 0;border-top:1px solid ${line};${small}`,
    end: 'height:28px;font-size:0;line-height:0',
    below: 'width:100%;max-width:600px',
    footer: `padding:12px 32px 0;font-family:${SANS};font-size:12px;line-height:18px;color:${muted};text-align:center;overflow-wrap:anywhere`,
  };
}

/** Moves the declarations into the elements, because some email programs drop style sheets. */
function inlined(text: string, rules: Rules): string {
  return text
    .replace(/<style>[^]*?<\/style>\n?/, '')
    .replaceAll(/ class="([a-z]+)"/g, (_all, name: string) => ` style="${rules[name] ?? ''}"`);
}
