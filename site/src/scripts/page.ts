// Links to headings, and buttons that copy code blocks and the Markdown of the page. Without scripts, the latter is a link
// to it.

const DONE_MS = 2000;

for (const heading of document.querySelectorAll('.sl-markdown-content :is(h2, h3, h4)[id]')) {
  const link = document.createElement('a');
  link.href = `#${heading.id}`;
  link.className = 'heading-link';
  link.ariaLabel = `Link to ${heading.textContent}`;
  // The name of the heading remains its text.
  const text = document.createElement('span');
  text.id = `${heading.id}--text`;
  text.append(...heading.childNodes);
  heading.setAttribute('aria-labelledby', text.id);
  heading.append(text, link);
}

for (const block of document.querySelectorAll('.sl-markdown-content pre')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy-code';
  button.textContent = 'Copy';
  button.ariaLabel = 'Copy code';
  button.addEventListener('click', () => void copy(button, block.querySelector('code')?.innerText));
  const frame = document.createElement('div');
  frame.className = 'code-frame';
  block.replaceWith(frame);
  frame.append(block, button);
}

for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-copy-page]')) {
  link.addEventListener('click', (event) => {
    event.preventDefault();
    void fetch(link.href)
      .then((response) => response.text())
      .then((text) => copy(link, text));
  });
}

async function copy(control: HTMLElement, text = ''): Promise<void> {
  const { textContent } = control;
  await navigator.clipboard.writeText(text);
  control.textContent = 'Copied';
  setTimeout(() => (control.textContent = textContent), DONE_MS);
}
