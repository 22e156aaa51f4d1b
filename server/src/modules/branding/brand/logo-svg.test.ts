import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checkImage } from './logo-image.ts';

const LEVELS = Array.from({ length: 30 }, (_, level) => level);
const XMLNS = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';

const svg = (content: string, attributes = '') => `<svg ${XMLNS} ${attributes}>${content}</svg>`;
const levels = (line: (level: number, next: string) => string) =>
  svg(`${LEVELS.map((level) => line(level, `l${level + 1}`)).join('')}<path id="l30" d="M0 0"/>`);

const odd = (level: number) => `a ${10 + level}`;

function objectionTo(text: string): string | undefined {
  const checked = checkImage(Buffer.from(text));
  return 'objection' in checked ? checked.objection : undefined;
}

/** Each level draws the next one twice: about a billion elements in at most 10 KiB. */
const BOMBS: Readonly<Record<string, string>> = {
  'of use': levels((i, next) => `<g id="l${i}"><use href="#${next}"/><use href="#${next}"/></g>`),
  'of use with xlink': levels(
    (i, next) => `<g id="l${i}"><use xlink:href="#${next}"/><use xlink:href='#${next}'/></g>`,
  ),
  'of use with another prefix': levels(
    (i, next) =>
      `<s:g xmlns:s="http://www.w3.org/2000/svg" id="l${i}"><s:use href="#${next}"/><s:use href="#${next}"/></s:g>`,
  ),
  'of character references': levels(
    (i, next) => `<g id="l${i}"><use href="&#35;${next}"/><use href="&#x23;${next}"/></g>`,
  ),
  'of character references within names': levels(
    (i, next) =>
      `<g id="l${i}"><use href="#&#108;${next.slice(1)}"/><use href="#l&#10;${next.slice(1)}"/></g>`,
  ),
  'of percent-encoded names': levels(
    (i, next) => `<g id="l${i}"><use href="#%6c${next.slice(1)}"/><use href="#${next}"/></g>`,
  ),
  'of symbols in a CDATA section next to them': levels(
    (i, next) =>
      `<![CDATA[<g>]]><symbol id="l${i}"><use href="#${next}"/><use href="#${next}"/></symbol>`,
  ),
  'of patterns': levels(
    (i, next) =>
      `<pattern id="l${i}"><rect fill="url(#${next})"/><rect fill="url('#${next}')"/></pattern>`,
  ),
  'of masks': levels(
    (i, next) => `<mask id="l${i}"><g mask="url(#${next})"/><g mask="url(#${next})"/></mask>`,
  ),
  'of clipping paths in style attributes': levels(
    (i, next) =>
      `<clipPath id="l${i}"><path style="clip-path:url(#${next})"/><path style="clip-path:u\\72l(#${next})"/></clipPath>`,
  ),
  'of escapes of CSS': levels(
    (i, next) =>
      `<pattern id="l${i}"><rect style="fill:url(\\23 ${next})"/><rect style="fill:url(#\\6c ${next.slice(1)})"/></pattern>`,
  ),
  'of escapes between strings that look like a comment': levels(
    (i, next) =>
      `<pattern id="l${i}"><rect style="a:'/*';fill:url(\\23 ${next});b:'*/'"/><rect style="a:'/*';fill:url(\\23 ${next})"/></pattern>`,
  ),
  'of filters': levels(
    (i, next) => `<filter id="l${i}"><feImage href="#${next}"/><feImage href="#${next}"/></filter>`,
  ),
  'of animations': levels(
    (i, next) =>
      `<g id="l${i}"><use><set attributeName="href" to="#${next}"/></use><use><animate attributeName="href" values="#x;#${next}"/></use></g>`,
  ),
  'of names with spaces': svg(
    `${LEVELS.map(
      (i) =>
        `<g id="${odd(i)}"><use href="#${odd(i + 1)}"/><use href="#a%20${odd(i + 1).slice(2)}"/></g>`,
    ).join('')}<g id="${odd(30)}"/>`,
  ),
  'of a style sheet': svg(
    `<style>${LEVELS.map((i) => `.c${i}{fill:url(#l${i + 1})}`).join('')}</style>${LEVELS.map(
      (i) => `<pattern id="l${i}"><rect class="c${i}"/><rect class="c${i}"/></pattern>`,
    ).join('')}<pattern id="l30"><rect/></pattern>`,
  ),
  'of markers, at each point of their lines': svg(
    LEVELS.slice(0, 3)
      .map(
        (i) =>
          `<marker id="l${i}"><path marker-mid="url(#l${i + 1})" d="${'1 '.repeat(500)}"/></marker>`,
      )
      .join(''),
  ),
  'of references to itself': svg('<g id="a"><use href="#a"/></g>'),
  'of an SVG within it': svg(
    `<image href="data:image/svg+xml;base64,${Buffer.from(svg('')).toString('base64')}"/>`,
  ),
  'of an SVG within its style sheet': svg(
    '<style>rect{mask:url( "data:image/svg+xml,x")}</style><rect/>',
  ),
  'of a page within it': svg(
    '<foreignObject><p xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>',
  ),
  'of a style sheet of an instruction': `<?xml-stylesheet href="data:text/css,x"?>${svg('')}`,
  'of many levels': svg(`${'<g>'.repeat(10_000)}${'</g>'.repeat(10_000)}`),
};

describe('an SVG', () => {
  for (const [what, text] of Object.entries(BOMBS)) {
    test(`An SVG is not a logo if a browser would draw endlessly: ${what}`, () => {
      assert.ok(objectionTo(text));
    });
  }

  const GOOD: Readonly<Record<string, string>> = {
    'with a gradient, as most editors write it': svg(
      '<defs><linearGradient id="a" x1="0"><stop offset="0" stop-color="#fff"/></linearGradient><linearGradient id="b" xlink:href="#a"/></defs><path fill="url(#b)" d="M0 0h1v1z"/>',
    ),
    'with a clipping path of a shape, as Illustrator writes it': svg(
      '<style type="text/css">.st0{clip-path:url(#SVGID_2_);}.st1{fill:url(#SVGID_3_);}</style><defs><rect id="SVGID_1_"/></defs><clipPath id="SVGID_2_"><use xlink:href="#SVGID_1_" style="overflow:visible;"/></clipPath><radialGradient id="SVGID_3_"><stop/></radialGradient>' +
        '<g class="st0"><path class="st1" d="M0 0"/></g>'.repeat(100),
    ),
    'with a pattern of a bitmap, as Figma writes it': svg(
      '<g id="Frame 1"><rect fill="url(#pattern0)"/></g><defs><pattern id="pattern0"><use xlink:href="#image0" transform="scale(0.01)"/></pattern><image id="image0" xlink:href="data:image/png;base64,iVBORw0KGgo="/></defs>',
    ),
    'with a mask, as Sketch writes it': svg(
      '<defs><path id="path-1" d="M0 0"/></defs><mask id="mask-2" fill="white"><use xlink:href="#path-1"/></mask><use fill="#D8D8D8" xlink:href="#path-1"/><g mask="url(#mask-2)"><path/></g>',
    ),
    'with a declaration, comments, entities and a title': `<?xml version="1.0" encoding="iso-8859-1"?><!-- a & b -->\n${svg('<title>A &amp; B &#8212; &quot;data: all&quot;</title><path d="M0 0"/>')}\n<!-- end -->`,
    'of ten thousand paths': svg('<path d="M0 0h1v1z"/>'.repeat(10_000)),
  };
  for (const [what, text] of Object.entries(GOOD)) {
    test(`An SVG ${what} is accepted as a logo`, () => assert.equal(objectionTo(text), undefined));
  }

  for (const [what, text] of Object.entries({
    'without an end': `<svg ${XMLNS}><g></svg>`,
    'with another end': `<svg ${XMLNS}><g></h></svg>`,
    'with two roots': `${svg('')}${svg('')}`,
    'with an unknown entity': svg('&nbsp;'),
    'with an attribute twice': svg('<g id="a" id="b"/>'),
    'with an attribute without quotes': svg('<g id=a/>'),
    'in another encoding': `<?xml version="1.0" encoding="utf-7"?>${svg('')}`,
  })) {
    test(`An SVG ${what} is not accepted as a logo`, () => assert.ok(objectionTo(text)));
  }

  test('An SVG is checked in time proportional to its size, whatever it consists of', () => {
    for (const part of ['<g ', '<g a="', '&#', ' a="b"', '<!--', '<![CDATA[', '\\', '%41', '#a']) {
      objectionTo(svg(part.repeat(200_000 / part.length)));
      const value = part.replaceAll(/[<"]/g, '');
      objectionTo(svg(`<g style="${value.repeat(100_000 / value.length)}"/>`));
    }
  });

  const LARGE: Readonly<Record<string, string>> = {
    'comments that do not end': svg(`<g style="${'/*a'.repeat(170_000)}"/>`),
    'comments that do not end in a style sheet': svg(`<style>${'/* '.repeat(170_000)}</style>`),
    'elements with the same ID': svg('<g id="a"/>'.repeat(47_000)),
    'references to elements with the same ID': svg(
      '<g id="a"/>'.repeat(22_000) + '<g a="#a"/>'.repeat(22_000),
    ),
  };
  for (const [what, text] of Object.entries(LARGE)) {
    test(`The largest SVG is checked without holding up other requests: ${what}`, () => {
      const start = performance.now();
      objectionTo(text);
      assert.ok(performance.now() - start < 1500);
    });
  }
});
