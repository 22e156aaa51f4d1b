/** An answer that is made once and sent often: its JSON is at hand. */
export class Prepared<Body> {
  readonly text: string;
  /** What it is the JSON of; there for the compiler. */
  declare readonly body: Body;

  constructor(text: string) {
    this.text = text;
  }
}

/** @param body every field of it is sent: the serializer, which leaves out what is not declared, is not asked */
export function prepared<Body extends object>(body: Body): Prepared<Body> {
  return new Prepared<Body>(JSON.stringify(body));
}
