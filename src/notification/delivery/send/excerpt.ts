/** The beginning of a receiver's answer: what it said, for who looks why it refused, and never a secret that it says back. */

/** So much of it is kept. */
export const ANSWER_KEPT_BYTES = 4096;
/** As much again is read: a secret that reaches over the end of what is kept is seen whole. */
const READ_BYTES = 2 * ANSWER_KEPT_BYTES;

/** In the place of a secret. */
export const MASK = '•••';
/** The shortest beginning of a secret that is taken for one, where the answer ends in it. */
const BEGINNING = 4;

export class Excerpt {
  readonly #secrets: readonly string[];
  readonly #parts: Uint8Array[] = [];
  #bytes = 0;

  constructor(secrets: readonly string[]) {
    this.#secrets = secrets;
  }

  get isFull(): boolean {
    return this.#bytes >= READ_BYTES;
  }

  add(part: Uint8Array): void {
    if (this.isFull) return;
    this.#parts.push(part);
    this.#bytes += part.length;
  }

  /** '' where nothing came. */
  get text(): string {
    if (this.#bytes === 0) return '';
    const read = decoded(Buffer.concat(this.#parts).subarray(0, READ_BYTES));
    const said = this.#secrets.reduce(masked, read).replaceAll('\0', '\uFFFD');
    return UTF_8().decode(Buffer.from(said).subarray(0, ANSWER_KEPT_BYTES), PERHAPS_CUT);
  }
}

const UTF_8 = () => new TextDecoder('utf-8', { fatal: true });
/** A character of which only a part is there is left out. */
const PERHAPS_CUT = { stream: true };

/** What is no UTF-8 is what older programs write. */
function decoded(bytes: Uint8Array): string {
  try {
    return UTF_8().decode(bytes, PERHAPS_CUT);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** As it is, as JSON writes it, and as an address does; a beginning of it too, where no more came. */
function masked(text: string, secret: string): string {
  const forms = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret.toWellFormed())];
  return forms.reduce((so, form) => {
    const whole = so.replaceAll(form, MASK);
    for (let length = form.length - 1; length >= BEGINNING; length -= 1)
      if (whole.endsWith(form.slice(0, length))) return whole.slice(0, -length) + MASK;
    return whole;
  }, text);
}
