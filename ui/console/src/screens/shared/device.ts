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

/** Returns `Firefox, Linux`; if it is not a browser, the first word, such as `curl/8.5`. */
export function deviceOf(agent: string | null): string {
  if (agent === null || agent.trim() === '') return '–';
  const found = partsOfDevice(agent);
  return found.length === 0 ? (agent.split(' ', 1)[0] ?? agent) : found.join(', ');
}
