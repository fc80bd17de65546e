/**
 * A simulated reader: blocks of README and of the pages pasted in order into one shell, and programs started
 * next to it.
 */
import { fences } from '../support/documents.ts';

/** Returns the bash block that follows `<!-- name -->` in README or a page. */
export async function blockAfter(name: string): Promise<string> {
  const block = (await fences()).find((fence) => fence.name === name && fence.language === 'bash');
  if (block === undefined) throw new Error(`no document has a bash block after <!-- ${name} -->`);
  return block.code;
}

const END = '@@ end of block @@';

export class Terminal {
  readonly #shell: Bun.Subprocess<'pipe', 'pipe', 'pipe'>;
  readonly #output: OutputReader;
  readonly #errors: OutputReader;

  /** The shell ends with the first failing command. */
  constructor(cwd: string) {
    this.#shell = Bun.spawn(['bash', '-euo', 'pipefail', '-s'], {
      cwd,
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'pipe',
    });
    this.#errors = new OutputReader(this.#shell.stderr);
    this.#output = new OutputReader(this.#shell.stdout, this.#errors);
  }

  /** Runs a block. Returns its output. */
  async paste(block: string): Promise<{ readonly output: string; readonly errors: string }> {
    void this.#shell.stdin.write(`${block}\necho '${END}'; echo '${END}' >&2\n`);
    await this.#shell.stdin.flush();
    // The output is read first, because its failure also shows the errors of a shell that ended too early.
    const output = await this.#output.until(END);
    const errors = await this.#errors.until(END);
    return { output: output.replace(END, ''), errors: errors.replace(END, '').trim() };
  }

  async close(): Promise<void> {
    this.#shell.kill('SIGKILL');
    await this.#shell.exited;
  }
}

export interface StartedProgram {
  /** The text that the group of `ready` matched, usually the address. */
  readonly ready: string;
  /** Sends Ctrl+C. Returns the exit code. */
  interrupt(): Promise<number>;
  /** Returns the later output up to this text. */
  outputUntil(text: string): Promise<string>;
}

/** Starts a command line of a document and waits for its ready line; `ready` has one group. */
export async function startProgram(line: string, cwd: string, ready: RegExp): Promise<StartedProgram> {
  const child = Bun.spawn(['bash', '-c', `exec ${line}`], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '' },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const errors = new OutputReader(child.stderr);
  const output = new OutputReader(child.stdout, errors);
  const [, address = ''] = ready.exec(await output.until(ready)) ?? [];
  return {
    ready: address,
    interrupt: () => {
      child.kill('SIGINT');
      return child.exited;
    },
    outputUntil: (text) => output.until(text),
  };
}

/**
 * A stream as text. It reads past the awaited text, because a program ends when it writes to a closed pipe.
 */
export class OutputReader {
  #text = '';
  #isOver = false;
  #more = Promise.withResolvers<void>();

  readonly #errors: OutputReader | undefined;

  /** `errors`: a stream whose text is shown when this one ends too early. */
  constructor(stream: ReadableStream<Uint8Array>, errors?: OutputReader) {
    this.#errors = errors;
    void this.#keep(stream);
  }

  get unread(): string {
    return this.#text;
  }

  /**
   * Returns the text up to and including `mark`; throws with the received text when the stream ends without
   * it.
   */
  async until(mark: string | RegExp): Promise<string> {
    for (;;) {
      const at = typeof mark === 'string' ? this.#text.indexOf(mark) : this.#text.search(mark);
      const lineEnd = at < 0 ? -1 : this.#text.indexOf('\n', at);
      if (lineEnd >= 0) {
        const lines = this.#text.slice(0, lineEnd + 1);
        this.#text = this.#text.slice(lineEnd + 1);
        return lines;
      }
      if (this.#isOver) throw new Error(`ended before ${mark}:\n${this.#text}${this.#errors?.unread ?? ''}`);
      await this.#more.promise;
    }
  }

  async #keep(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const bytes of stream) this.#add(decoder.decode(bytes, { stream: true }));
    this.#isOver = true;
    this.#add('');
  }

  #add(text: string): void {
    this.#text += text;
    const { resolve } = this.#more;
    this.#more = Promise.withResolvers();
    resolve();
  }
}
