/** A label of a host name, in any script. */
const LABEL = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}\\p{M}_-]{0,62}[\\p{L}\\p{N}\\p{M}])?';
/** Full stops that browsers accept in host names (UTS #46 §2.3). */
const DOT = '[.\\u3002\\uff0e\\uff61]';
const HOST = new RegExp(`${LABEL}${DOT}(?:${LABEL}${DOT})*(?:\\p{L}\\p{M}*){2}`, 'u');
const OTHERS = [
  /:\/\//,
  /@/,
  /\bmailto:/i,
  /\b(?:\d{1,3}\.){3}\d{1,3}\b/,
  /\[[0-9a-f]*:[0-9a-f:.]+\]/i,
];
const VARIABLES = /\{\{\w+\}\}|\{\w+\}/g;
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

/**
 * Whether email programs could show part of the text as a link: a URL, a host name or an email address. Doubtful text
 * counts as a link. Values of variables count as letters, so that none completes a host name. Invisible characters do not
 * count, because people read the text without them.
 */
export function namesAddress(text: string): boolean {
  const plain = text.replaceAll(INVISIBLE, '').normalize('NFKC').replaceAll(VARIABLES, 'xx');
  return HOST.test(plain) || OTHERS.some((form) => form.test(plain));
}
