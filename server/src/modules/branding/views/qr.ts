import { type Html, html } from '../../../platform/http/pages/html.ts';

/** Light modules around the code (ISO/IEC 18004 §9.1). */
const QUIET = 4;

/**
 * A QR code in the page itself: what it contains is in no other address. It is black on white in dark schemes, too, since
 * some readers know no other way. The encoder is loaded with the first code.
 */
export async function qrOf(text: string, label: string): Promise<Html> {
  const { encode } = await import('uqr');
  const { data, size } = encode(text, { ecc: 'M', border: 0 });
  const across = size + 2 * QUIET;
  return html`<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${across} ${across}">
    <path fill="#fff" d="M0 0h${across}v${across}H0z" />
    <path stroke="#000" d="${data.map(lineOf).join('')}" />
  </svg>`;
}

/** The dark runs of a row, as strokes through its middle. */
function lineOf(row: readonly boolean[], y: number): string {
  let line = '';
  for (let x = 0; x < row.length; x += 1) {
    if (!row[x]) continue;
    const from = x;
    while (row[x + 1]) x += 1;
    line += `M${from + QUIET} ${y + QUIET}.5h${x + 1 - from}`;
  }
  return line;
}
