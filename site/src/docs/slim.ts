// Makes pages smaller without changing what they show.

/** A reference to a footnote, and the links back to it; only the first of several leads back. */
const FOOTNOTE = /<a href="#user-content-fn-([\w-]+)" id="user-content-fnref-([\w-]+)"[^>]*>/g;
const MORE_BACK_LINKS = / <a href="#user-content-fnref-[\w-]+-\d+"[^>]*>.*?<\/a>/g;
const BACK_LINK = /<a href="#user-content-fnref-([\w-]+)"[^>]*>/g;
/** A class that limits rules of CSS to a component of Astro. */
const SCOPE = /\bastro-[a-z0-9]{8}\b/g;
/** Between the tags of a table. */
const TABLE_SPACE = />\n<(?=\/?(?:t[dhr]|thead|tbody|table)\b)/g;
const CONTENTS = /<(?:mobile-)?starlight-toc[^]*?<\/(?:mobile-)?starlight-toc>/g;
const SIDEBAR = /<sl-sidebar-pane[^]*?<\/sl-sidebar-pane>/;
/** The label of a link, in an element that no rule needs. */
const LABEL = /<span class="[^"]*">([^<]*)<\/span><\/a>/g;
const ENTRY = /<li class="[^"]*">(?=<a )/g;

/** Shortens rendered Markdown, and puts wide tables in frames that scroll, also by keyboard. */
export function slimContent(html: string): string {
  return (
    html
      // Code has one direction in these pages, which are all in English.
      .replaceAll('<code dir="auto">', '<code>')
      .replaceAll(FOOTNOTE, '<a href="#fn-$1" id="ref-$2">')
      .replaceAll(MORE_BACK_LINKS, '')
      .replaceAll(BACK_LINK, '<a href="#ref-$1" aria-label="To $1">')
      .replaceAll('id="user-content-fn-', 'id="fn-')
      .replaceAll(TABLE_SPACE, '><')
      // A header without text names nothing.
      .replaceAll('<th></th>', '<td></td>')
      .replaceAll('<table>', '<div class="table-frame" tabindex="0"><table>')
      .replaceAll('</table>', '</table></div>')
  );
}

/** Shortens what Starlight adds to a page. */
export function slimPage(html: string, scopes: Map<string, string>): string {
  const slim = html
    .replaceAll(CONTENTS, (contents) =>
      contents.replaceAll(ENTRY, '<li>').replaceAll(LABEL, '$1</a>'),
    )
    .replace(SIDEBAR, (sidebar) => sidebar.replaceAll(LABEL, '$1</a>'));
  return shortScopes(slim, scopes);
}

/** Replaces the scopes of pages and styles by short ones. @param scopes those so far */
export function shortScopes(text: string, scopes: Map<string, string>): string {
  return text.replaceAll(SCOPE, (scope) => {
    const short = scopes.get(scope) ?? `a${scopes.size.toString(36)}`;
    scopes.set(scope, short);
    return short;
  });
}
