// The page that is recorded: the console at the left, and three services at the right.

export const STAGE = { width: 1120, height: 640 };
export const CONSOLE = { width: 700, height: 564 };

export interface Pane {
  readonly name: string;
  readonly verifies: string;
  /** The last requests, the newest last. */
  readonly lines: readonly { readonly at: string; readonly status: number }[];
  readonly remark: string;
  readonly tone: 'accepted' | 'rejected' | 'late';
}

export interface Scene {
  readonly caption: string;
  /** The console, as a data URL. */
  readonly picture: string;
  /** Of the pointer, within the console. */
  readonly pointer: { readonly x: number; readonly y: number } | undefined;
  readonly panes: readonly Pane[];
}

const STYLE = `
  * { box-sizing: border-box; margin: 0; }
  body { width: ${STAGE.width}px; height: ${STAGE.height}px; background: #eef1f6; color: #14181f;
    font: 17px/1.35 system-ui, sans-serif; padding: 14px; display: grid; gap: 12px;
    grid-template: 36px 1fr / ${CONSOLE.width}px 1fr; }
  h1 { grid-column: 1 / 3; font-size: 24px; line-height: 36px; }
  .console { position: relative; height: ${CONSOLE.height}px; border: 1px solid #c6ccd6; border-radius: 8px; overflow: hidden; }
  .console img { display: block; }
  .pointer { position: absolute; width: 26px; height: 26px; margin: -13px; border-radius: 50%;
    background: #f5a30088; border: 2px solid #b86e00; }
  .panes { display: grid; grid-template-rows: repeat(3, 1fr); gap: 12px; height: ${CONSOLE.height}px; }
  .pane { background: #151a22; color: #dde3ec; border-radius: 8px; padding: 10px 14px; overflow: hidden; border-left: 8px solid #2f9e63; }
  .pane.rejected { border-color: #e0574b; } .pane.late { border-color: #e8a33d; }
  h2, pre { color: #dde3ec; } h2 { font-size: 19px; }
  h2 small { font-weight: 400; color: #9aa6b8; font-size: 15px; }
  pre { font: 15px/1.4 ui-monospace, monospace; }
  .accepted { color: #5fd394; } .rejected { color: #ff8b80; } .late { color: #ffc56b; }
  .remark { font-size: 17px; font-weight: 600; margin-top: 6px; }`;

/** The document of a scene. */
export function stageOf({ caption, picture, pointer, panes }: Scene): string {
  const mark = pointer
    ? `<i class="pointer" style="left:${pointer.x}px;top:${pointer.y}px"></i>`
    : '';
  return (
    `<style>${STYLE}</style><h1>${caption}</h1>` +
    `<div class="console"><img src="${picture}" alt="">${mark}</div>` +
    `<div class="panes">${panes.map(paneOf).join('')}</div>`
  );
}

function paneOf({ name, verifies, lines, remark, tone }: Pane): string {
  const shown = lines.slice(-4).map(({ at, status }) => {
    const word = status === 200 ? '200 OK' : `${status} revoked`;
    return `${at}  GET /reports  <b class="${status === 200 ? 'accepted' : 'rejected'}">${word}</b>`;
  });
  return (
    `<div class="pane ${tone}"><h2>${name} <small>${verifies}</small></h2>` +
    `<pre>${shown.join('\n')}</pre><p class="remark ${tone}">${remark}</p></div>`
  );
}
