import type { Texts } from '../../texts/texts.tsx';

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/\b(?:Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Returns `Firefox` and `Linux`, as far as they are known. */
export function partsOfDevice(agent: string): readonly string[] {
  return [BROWSERS, SYSTEMS].flatMap(
    (list) => list.find(([pattern]) => pattern.test(agent))?.[1] ?? [],
  );
}

/** Returns `Firefox on Linux`, or what is known of it; if it is not a browser, the first word, such as `curl/8.5`. */
export function deviceOf(agent: string, say: Texts['say']): string {
  const parts = partsOfDevice(agent);
  return parts.length === 0 ? (agent.split(' ', 1)[0] ?? agent) : deviceText(parts, say);
}

/** Returns `Firefox on Linux`, or the only part. */
export function deviceText([first = '', system]: readonly string[], say: Texts['say']): string {
  return system === undefined ? first : say('deviceOn', { browser: first, system });
}
