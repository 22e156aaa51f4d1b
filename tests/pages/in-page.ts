// Code that tests run in pages, as strings, since it runs in a browser.

/** What is wrong with the layout of a page at the present size: each line is one finding. */
export const LAYOUT = `(() => {
  const findings = [];
  const root = document.documentElement;
  const tooWide = root.scrollWidth - root.clientWidth;
  if (tooWide > 0) findings.push(tooWide + ' pixels too wide');
  const shown = (one) => one.checkVisibility({ visibilityProperty: true });
  const about = (one) => one.outerHTML.slice(0, 120).replaceAll(/\\s+/g, ' ');
  // WCAG 2.2 §2.5.8. A link within a sentence is as high as its line.
  const isInSentence = (one) => one.localName === 'a' && [...one.parentNode.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
  for (const one of document.querySelectorAll('a[href], button, summary, select, input:not([type=hidden])')) {
    // A label is the target of its field. Fields that are hidden from screen readers are none.
    const { width, height } = (one.closest('label') ?? one).getBoundingClientRect();
    if (one.closest('[aria-hidden=true]')) continue;
    if (shown(one) && !isInSentence(one) && (width < 24 || height < 24)) findings.push('small target ' + about(one));
  }
  // A camera reads a code from the distance of a hand.
  for (const one of document.querySelectorAll('.qr')) {
    const { width, height } = one.getBoundingClientRect();
    if (shown(one) && Math.min(width, height) < 150) findings.push('small code ' + about(one));
  }
  // Text that does not fit its box is cut off, or lies on what follows.
  for (const one of document.body.querySelectorAll('*')) {
    const hasText = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
    if (!hasText || !shown(one) || getComputedStyle(one).display === 'inline') continue;
    // What is for screen readers alone, and what scrolls.
    if (one.clientWidth <= 1 || one.localName === 'textarea') continue;
    if (one.scrollHeight > one.clientHeight + 2 || one.scrollWidth > one.clientWidth + 2) findings.push('cut text ' + about(one));
  }
  // What is shortened loses its end, which depends on the direction of its text.
  for (const one of document.body.querySelectorAll('*')) {
    const { textOverflow, direction } = getComputedStyle(one);
    if (textOverflow !== 'ellipsis' || one.scrollWidth <= one.clientWidth || !shown(one)) continue;
    const [letter = ''] = /\\p{L}/u.exec(one.textContent) ?? [];
    const ofText = /\\p{Script=Arabic}|\\p{Script=Hebrew}/u.test(letter) ? 'rtl' : 'ltr';
    if (letter && ofText !== direction) findings.push('text without its start ' + about(one));
  }
  return findings;
})()`;

/** Shortens each label to a narrow character: without a font for their script, labels of any language can be as narrow. */
export const SHORT_LABELS = `(() => {
  for (const one of document.querySelectorAll('a[href], button, summary')) {
    const walk = document.createTreeWalker(one, NodeFilter.SHOW_TEXT, (text) =>
      text.data.trim() === '' ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
    for (let nth = 0; walk.nextNode(); nth++) walk.currentNode.data = nth === 0 ? 'i' : '';
  }
})()`;

/**
 * Counts in every new document of a tab what moves without an action of the user. `takeShifts` returns the sum of the layout shifts
 * since the last call (Layout Instability §4), and where the largest one moved what.
 */
export const SHIFTS = `if (top === self) (() => {
  let shifts = [];
  const about = ({ node, previousRect: from, currentRect: to }) => {
    const one = node?.nodeType === 3 ? node.parentElement : node;
    const place = ({ x, y, width, height }) => [x, y, width, height].map(Math.round).join(' ');
    return (one ? one.localName + (one.className ? '.' + one.getAttribute('class') : '') : 'gone') + ' from ' + place(from) + ' to ' + place(to);
  };
  const take = (entries) => {
    for (const one of entries) {
      if (!one.hadRecentInput) shifts.push({ value: one.value, moved: one.sources.slice(0, 2).map(about) });
    }
  };
  const observer = new PerformanceObserver((list) => take(list.getEntries()));
  observer.observe({ type: 'layout-shift', buffered: true });
  globalThis.takeShifts = () => {
    take(observer.takeRecords());
    const taken = shifts.toSorted((a, b) => b.value - a.value);
    shifts = [];
    return { sum: taken.reduce((sum, { value }) => sum + value, 0), moved: taken[0]?.moved ?? [] };
  };
})()`;

/**
 * The IDs of users, agents, sessions and delegations that a screen shows as text. An ID that is a fact has a
 * button that copies it. Code, JSON and requests of the API are exempt.
 */
export const RAW_IDS = `(() => {
  const raw = /\\b(?:user|session|service|agent):[0-7][0-9a-hjkmnp-tv-z]{25}\\b|\\bdlg_/;
  const shown = (one) => one.checkVisibility({ visibilityProperty: true });
  const findings = new Set();
  const see = (one, text) => {
    const [id] = raw.exec(text) ?? [];
    if (id === undefined || !shown(one) || one.closest('pre, code, textarea, details.call')) return;
    findings.add('raw ID ' + id.slice(0, 12) + ' in ' + (one.closest('td, dd, li, p, h1') ?? one).outerHTML.slice(0, 120));
  };
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) see(walk.currentNode.parentElement, walk.currentNode.data);
  // An ID consists of two texts.
  for (const one of document.querySelectorAll('.id')) {
    if (!one.querySelector('button')) see(one, one.textContent);
  }
  return [...findings];
})()`;

/**
 * The sentences of a page in Arabic that are in a Latin script: at least three words, two of them in lower case. Data
 * is exempt: names are isolated, and code, JSON and quotations are marked as such.
 */
export const UNTRANSLATED = `(() => {
  const sentence = /\\p{Script=Latin}{2,}(?:[,;.’']?\\s+\\p{Script=Latin}+){2,}/gu;
  const isProse = (words) => words.split(/\\s+/).filter((word) => /^\\p{Ll}/u.test(word)).length > 1;
  const data = 'bdi, pre, code, kbd, textarea, option, iframe, details.call, .mono, [translate=no]';
  const findings = new Set();
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const { data: text, parentElement: one } = walk.currentNode;
    // An isolate (Unicode UAX #9) is a value within a sentence.
    const found = text.replaceAll(/\\u2068[^\\u2069]*\\u2069/gu, '…').match(sentence) ?? [];
    const words = found.find(isProse);
    if (words === undefined || one.closest(data) || !one.checkVisibility()) continue;
    findings.add('not translated: ' + words + ' in ' + one.outerHTML.slice(0, 120));
  }
  return [...findings];
})()`;

/**
 * What a page in Arabic shows in the words or the order of another language: the browser's own control for files, and
 * sentences that start with a name in a Latin script and are isolated as if they were that name. Data is exempt.
 */
export const MISREAD = `(() => {
  const findings = new Set();
  const shown = (one) => one.checkVisibility({ visibilityProperty: true });
  const about = (one) => one.outerHTML.slice(0, 120);
  const isTurned = (text) => /^\\P{L}*\\p{Script=Latin}/u.test(text) && /\\p{Script=Arabic}/u.test(text);
  for (const one of document.querySelectorAll('input[type=file]')) {
    if (shown(one) && one.clientWidth > 1) findings.add('words of the browser in ' + about(one));
  }
  for (const one of document.querySelectorAll('bdi:not([dir])')) {
    if (isTurned(one.textContent) && shown(one)) findings.add('turned ' + one.textContent + ' in ' + about(one));
  }
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const { data: text, parentElement: one } = walk.currentNode;
    const turned = (text.match(/\\u2068[^\\u2069]*\\u2069/gu) ?? []).find(isTurned);
    if (turned !== undefined && shown(one)) findings.add('turned ' + turned + ' in ' + about(one));
  }
  return [...findings];
})()`;

/** Replaces values that differ every time by fixed texts: times, IDs, codes and keys. */
export const STEADY = `(() => {
  const steady = (text) => text
    .replaceAll(/\\+[a-z-]+\\.[0-9]+@/g, '@')
    .replaceAll(/\\buser-[0-9a-f]{16}@/g, 'user@')
    .replaceAll(/\\b[0-9a-hjkmnp-tv-z]{26}\\b/g, '01m81e4vr3f7k2m9x5q0t6w8za')
    .replaceAll(/\\b[0-9a-f]{32}\\b/g, '0123456789abcdef0123456789abcdef')
    .replaceAll(/\\b[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}\\b/g, 'WDJB-MJHT')
    .replaceAll(/(127\\.0\\.0\\.1|example\\.com):[0-9]+/g, '$1:4000');
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) walk.currentNode.data = steady(walk.currentNode.data);
  for (const code of document.querySelectorAll('footer code')) if (/^[\\w-]{22}$/.test(code.textContent)) code.textContent = 'a-request-id';
  for (const one of document.querySelectorAll('input[value]:not([type=hidden])')) one.value = steady(one.value);
  for (const time of document.querySelectorAll('time')) time.textContent = '2026-03-14 15:09 UTC';
  for (const [index, code] of document.querySelectorAll('.codes code').entries()) code.textContent = 'k7mq-2x9f-' + String(index).padStart(4, '0');
  for (const key of document.querySelectorAll('#totp-key')) key.textContent = 'JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP';
  for (const link of document.querySelectorAll('a[href^="data:"]')) link.href = 'data:application/json,';
  for (const link of document.querySelectorAll('a[href^="otpauth:"]')) link.href = 'otpauth://totp/example';
  for (const link of document.querySelectorAll('a[href*="?request="]')) link.href = link.getAttribute('href').replace(/request=.*/, 'request=sealed');
  for (const link of document.querySelectorAll('a#leave')) link.href = steady(new URL(link.href).origin);
})()`;

/** What is wrong with how the focus is shown: WCAG 2.2 §2.4.7, §2.4.11. */
export const FOCUS_FAULT = `(() => {
  const one = document.activeElement;
  if (one === document.body || one === null) return '';
  const { outlineStyle, outlineWidth } = getComputedStyle(one);
  if (outlineStyle === 'none' || parseFloat(outlineWidth) < 2) return 'no outline: ' + one.outerHTML;
  const { top, bottom } = one.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight ? '' : 'out of sight: ' + one.outerHTML;
})()`;
