/** An answer that is made once and sent often: its JSON is at hand. */
export class Prepared<Body> {
  readonly text: string;
  /** What it is the JSON of; there for the compiler. */
  declare readonly body: Body;

  constructor(text: string) {
    this.text = text;
  }
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
