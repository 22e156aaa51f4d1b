/** An answer whose JSON is at hand. The serializer, which leaves out what is not declared, is not asked. */
export class Prepared<Body> {
  readonly text: string;
  /** What it is the JSON of; there for the compiler. */
  declare readonly body: Body;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * An answer that plain JSON is made of sooner than by the serializer: one of several shapes, which it would find out by
 * validating the answer against each, or one with fields of any name.
 * @param body declared in every field: all of them are sent
 */
export function preparedOf<Body>(body: Body): Prepared<Body> {
  return new Prepared(JSON.stringify(body));
}

/** An answer in a form of its own, sent piece by piece as whoever asked takes it. */
export class Streamed<Body> {
  readonly contentType: string;
  readonly chunks: AsyncIterable<string>;
  /** What it is sent in place of; there for the compiler. */
  declare readonly body: Body;

  constructor(contentType: string, chunks: AsyncIterable<string>) {
    this.contentType = contentType;
    this.chunks = chunks;
  }
}
