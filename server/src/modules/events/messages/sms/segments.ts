/** Characters of GSM 03.38, all but those that few texts have: others are sent as UCS-2, at 70 a message. */
const GSM = /^[\n\x20-_a-~äöüÄÖÜßéèàùìòñÑåÅøØæÆÉÇ¿¡£¥§]*$/;
/** Of these, each takes the room of two (3GPP TS 23.038 §6.2.1.1). */
const EXTENDED = /[[\\\]^{|}~]/g;

/** Characters in a message that stands alone, and in each of several (3GPP TS 23.040 §9.2.3.24.1). */
const ROOM = { gsm: [160, 153], ucs2: [70, 67] } as const;

export function isGsm(text: string): boolean {
  return GSM.test(text);
}

/** How many text messages a text is billed as. */
export function segmentsOf(text: string): number {
  const [alone, each] = isGsm(text) ? ROOM.gsm : ROOM.ucs2;
  const length = text.length + (isGsm(text) ? (text.match(EXTENDED)?.length ?? 0) : 0);
  return length <= alone ? 1 : Math.ceil(length / each);
}
