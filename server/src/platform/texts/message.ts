import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import type { Formats } from './formats.ts';

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
