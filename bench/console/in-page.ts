// Code that measures inside the console's page. It is text because it runs in a browser.

/** Collects how long interactions take, and how the page moves (Event Timing; Layout Instability §2). */
export const OBSERVE = `
  globalThis.interactions = new Map();
  globalThis.counted = 0;
  globalThis.shifted = 0;
  new PerformanceObserver((list) => {
    for (const { interactionId, duration, name, startTime, processingStart, processingEnd } of list.getEntries()) {
      if (!interactionId || duration < (interactions.get(interactionId)?.duration ?? 0)) continue;
      const delay = Math.round(processingStart - startTime);
      const work = Math.round(processingEnd - processingStart);
      interactions.set(interactionId, { duration, what: name + ', ' + delay + ' waiting, ' + work + ' working' });
    }
  }).observe({ type: 'event', durationThreshold: 16, buffered: true });
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) shifted += value;
  }).observe({ type: 'layout-shift', buffered: true });
`;

export interface Interaction {
  readonly duration: number;
  /** The event, and the milliseconds before and during its handlers. */
  readonly what: string;
}

/** Measurements since the previous call; interactions shorter than a frame are only counted. */
export interface Taken {
  readonly interactions: readonly Interaction[];
  readonly count: number;
  readonly shifted: number;
}

export const TAKE = `(() => {
  const count = performance.interactionCount - counted;
  const taken = { interactions: [...interactions.values()], count, shifted };
  interactions.clear();
  counted += count;
  shifted = 0;
  return taken;
})()`;

/** Resolves once a screen has loaded completely and two frames of it were painted. */
export const SETTLED = `new Promise((resolve) => {
  const isLoading = () => !document.querySelector('main h1') || document.querySelector('[aria-busy=true]');
  const look = () => requestAnimationFrame(() => (isLoading() ? look() : requestAnimationFrame(() => setTimeout(resolve))));
  look();
})`;

/** Measures the milliseconds from the last event of this type until rows that all contain the text are painted. */
export const watchRows = (text: string, event: 'input' | 'keydown') => `(() => {
  let began;
  addEventListener('${event}', ({ timeStamp }) => { began = timeStamp; }, { capture: true, once: true });
  const isShown = () => {
    const rows = [...document.querySelectorAll('main tbody tr')];
    if (began === undefined || rows.length === 0 || document.querySelector('main table[aria-busy=true]')) return false;
    return rows.every((row) => row.textContent.includes(${JSON.stringify(text)}));
  };
  globalThis.rowsShown = new Promise((resolve) => {
    const look = () => requestAnimationFrame(() => (isShown() ? setTimeout(() => resolve(performance.now() - began)) : look()));
    look();
  });
})()`;
