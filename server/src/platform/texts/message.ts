import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import type { Formats } from './locales.ts';

/** An ICU message, parsed. */
export type Message = readonly MessageFormatElement[];

/** @throws SyntaxError for a text that is not an ICU message */
export function parseMessage(text: string): Message {
  // Most texts are plain, and loading the parser would delay a first page.
  if (!/[{}<'#]/.test(text)) return [{ type: TYPE.literal, value: text }];
  return parse(text, { captureLocation: false });
}

/** Converts the parts of a message for a page or for plain text. */
export interface Target<Value, Part> {
  readonly literal: (text: string) => Part;
  readonly value: (value: Value | number, name: string) => Part;
  readonly tag: (name: string, parts: readonly Part[]) => Part;
}

/** The parts of a message with its values. @throws Error if one is missing */
export function fillMessage<Value, Part>(
  message: Message,
  values: Readonly<Record<string, Value | number>>,
  formats: Formats,
  target: Target<Value, Part>,
): Part[] {
  const valueOf = (name: string) => {
    if (!Object.hasOwn(values, name)) throw new Error(`The text needs a value for ${name}.`);
    return values[name] as Value | number;
  };
  const fill = (elements: Message, counted: number): Part[] =>
    elements.flatMap((element) => {
      switch (element.type) {
        case TYPE.literal:
          return [target.literal(element.value)];
        case TYPE.argument:
          return [target.value(valueOf(element.value), element.value)];
        case TYPE.pound:
          return [target.literal(formats.number(counted))];
        case TYPE.plural: {
          const count = Number(valueOf(element.value));
          const { options, offset } = element;
          const category = formats.category(count - offset, element.pluralType);
          const branch = options[`=${count}`] ?? options[category] ?? options['other'];
          return fill(branch?.value ?? [], count - offset);
        }
        case TYPE.select: {
          const branch = element.options[String(valueOf(element.value))];
          return fill((branch ?? element.options['other'])?.value ?? [], counted);
        }
        case TYPE.tag:
          return [target.tag(element.value, fill(element.children, counted))];
        case TYPE.number:
        case TYPE.date:
        case TYPE.time:
          throw new Error('The text contains what no text of here may.');
      }
    });
  return fill(message, 0);
}

/** The placeholders of a message, and its tags, such as `b` and `link`. */
export interface Names {
  readonly placeholders: readonly string[];
  readonly tags: readonly string[];
}

/** Each once, sorted. */
export function namesIn(message: Message): Names {
  const all = partsOf(message);
  const placeholders = all.flatMap((part) => (isPlaceholder(part) ? [part.value] : []));
  const tags = all.flatMap((part) => (part.type === TYPE.tag ? [part.value] : []));
  return { placeholders: unique(placeholders), tags: unique(tags) };
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)].toSorted();
}

function isPlaceholder(part: MessageFormatElement) {
  return part.type !== TYPE.literal && part.type !== TYPE.pound && part.type !== TYPE.tag;
}

/** Returns all forms of a message. Each takes the branches at one position, and fills placeholders with letters. */
export function formsOf(message: Message): string[] {
  const most = Math.max(1, ...partsOf(message).map((part) => branchesOf(part).length));
  return Array.from({ length: most }, (_, place) => formOf(message, place));
}

function formOf(message: Message, place: number): string {
  return message.map((part) => formOfPart(part, place)).join('');
}

function formOfPart(part: MessageFormatElement, place: number): string {
  if (part.type === TYPE.literal) return part.value;
  if (part.type === TYPE.pound) return '1';
  if (part.type === TYPE.tag) return formOf(part.children, place);
  const branches = branchesOf(part);
  return branches.length === 0 ? VALUE : formOf(branches[place % branches.length] ?? [], place);
}

const VALUE = 'xx';

function branchesOf(part: MessageFormatElement): Message[] {
  return 'options' in part ? Object.values(part.options).map(({ value }) => value) : [];
}

/** Returns the parts of a message, including those within branches and tags. */
function partsOf(message: Message): MessageFormatElement[] {
  return message.flatMap((part) => {
    if (part.type === TYPE.tag) return [part, ...partsOf(part.children)];
    return [part, ...branchesOf(part).flatMap(partsOf)];
  });
}

/** The placeholders whose values are numbers. */
const NUMBERS = ['count', 'minutes'];
/** Line breaks, and characters that reverse the surrounding text (UAX #9 §2). */
const CONTROLS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;
const ADDRESS = /:\/\/|\bwww\./i;

/** A replacement text: parsed, or the reason why it cannot be used. */
export type Judged =
  | { readonly message: Message; readonly objection?: undefined }
  | { readonly objection: string };

/** @param usual the default text that it replaces */
export function judgeText(text: string, usual: Message): Judged {
  if (text.trim() === '') return { objection: 'must not be empty' };
  if (CONTROLS.test(text)) return { objection: 'must be one line without control characters' };
  if (ADDRESS.test(text)) return { objection: 'must not contain an address' };
  let message: Message;
  try {
    message = parseMessage(text);
  } catch (error) {
    return { objection: `is not a valid ICU message${placeOf(error)}` };
  }
  const objection = objectionTo(message, namesIn(usual));
  return objection === undefined ? { message } : { objection };
}

function placeOf(error: unknown): string {
  const { location } = error as { location?: { start?: { offset?: number } } };
  const offset = location?.start?.offset;
  return offset === undefined ? '' : `, from character ${offset + 1} on`;
}

function objectionTo(message: Message, names: Names): string | undefined {
  const parts = partsOf(message);
  const { placeholders, tags } = namesIn(message);
  const unknown = placeholders.find((name) => !names.placeholders.includes(name));
  if (unknown !== undefined) {
    return `must not contain {${unknown.slice(0, 64)}}${namedBelow(names.placeholders.map((placeholder) => `{${placeholder}}`))}`;
  }
  const strange = tags.find((name) => !names.tags.includes(name));
  if (strange !== undefined) {
    return `must not contain <${strange.slice(0, 64)}>${namedBelow(names.tags.map((tag) => `<${tag}>`))}`;
  }
  if (names.tags.includes('link') && !tags.includes('link')) return 'must contain <link>…</link>';
  return parts.map(objectionToPart).find((part) => part !== undefined);
}

function namedBelow(names: readonly string[]): string {
  return names.length === 0 ? '' : `: known are ${names.join(', ')}`;
}

function objectionToPart(part: MessageFormatElement): string | undefined {
  if (part.type === TYPE.literal) {
    return /[<>{}]/.test(part.value) ? 'must not contain < > { } as characters' : undefined;
  }
  if (part.type === TYPE.plural) {
    return NUMBERS.includes(part.value) ? undefined : `must not count {${part.value}}`;
  }
  const isFormatted = [TYPE.number, TYPE.date, TYPE.time].includes(part.type);
  return isFormatted && 'value' in part ? `must not format {${part.value}}` : undefined;
}
