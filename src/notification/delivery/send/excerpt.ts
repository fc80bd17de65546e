/**
 * The beginning of a receiver's response, kept to explain a failure. Secrets that the response repeats are
 * masked.
 */

/** The kept size, in bytes. */
export const ANSWER_KEPT_BYTES = 4096;
/**
 * The size read, in bytes: twice the kept size, so that a secret that crosses the end of the kept part is
 * found.
 */
const READ_BYTES = 2 * ANSWER_KEPT_BYTES;

/** The replacement for a secret. */
export const MASK = '•••';
/** The minimum length of the first part of a secret that is masked when the response ends with it. */
const MASKED_BEGINNING_MIN = 4;

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

  /** Returns the masked text, or '' when no bytes arrived. */
  get text(): string {
    if (this.#bytes === 0) return '';
    const read = decode(Buffer.concat(this.#parts).subarray(0, READ_BYTES));
    const text = this.#secrets.reduce(maskSecret, read).replaceAll('\0', '\uFFFD');
    return UTF_8().decode(Buffer.from(text).subarray(0, ANSWER_KEPT_BYTES), DROP_INCOMPLETE);
  }
}

const UTF_8 = () => new TextDecoder('utf-8', { fatal: true });
/** The option that drops an incomplete character at the end. */
const DROP_INCOMPLETE = { stream: true };

/** Decodes as UTF-8, or else as windows-1252, which older programs write. */
function decode(bytes: Uint8Array): string {
  try {
    return UTF_8().decode(bytes, DROP_INCOMPLETE);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/**
 * Masks the secret in plain, JSON and URL-encoded form. Also masks a first part of the secret with which the
 * response ends.
 */
function maskSecret(text: string, secret: string): string {
  const forms = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret.toWellFormed())];
  return forms.reduce((maskedText, form) => {
    const result = maskedText.replaceAll(form, MASK);
    for (let length = form.length - 1; length >= MASKED_BEGINNING_MIN; length -= 1)
      if (result.endsWith(form.slice(0, length))) return result.slice(0, -length) + MASK;
    return result;
  }, text);
}
