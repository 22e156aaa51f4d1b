/** Without characters that look alike. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const GROUPS = 4;
const GROUP_LENGTH = 5;

/** Returns a password such as `h7Kqz-Yw3fR-…`, of 115 bits, with a symbol. */
export function generatedPassword(): string {
  const groups = Array.from({ length: GROUPS }, () =>
    Array.from({ length: GROUP_LENGTH }, randomLetter).join(''),
  );
  return groups.join('-');
}

/** Values above the last multiple are replaced, so that each letter is as likely as the others. */
function randomLetter(): string {
  const limit = 256 - (256 % LETTERS.length);
  for (;;) {
    const [value = 0] = crypto.getRandomValues(new Uint8Array(1));
    if (value < limit) return LETTERS.charAt(value % LETTERS.length);
  }
}
