/** Progress output: on a terminal one line is overwritten, elsewhere all lines are plain. */
import { visibleLines } from '../validation/text.ts';

export interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const ERASE_LINE = '\r\u001B[K';

export class LiveLine {
  protected readonly terminal: Terminal;
  protected readonly stopwatch: () => number;
  protected readonly isLive: boolean;
  #isWritten = false;

  constructor(terminal: Terminal, stopwatch: () => number) {
    [this.terminal, this.stopwatch] = [terminal, stopwatch];
    this.isLive = terminal.isTTY === true;
  }

  /** Writes a permanent line. */
  printLine(text: string): void {
    this.terminal.write(`${this.#isWritten ? ERASE_LINE : ''}${visibleLines(text)}\n`);
    this.#isWritten = false;
  }

  /** Overwrites the last line that this method wrote. */
  protected writeOver(text: string): void {
    this.terminal.write(`${ERASE_LINE}${text}`);
    this.#isWritten = true;
  }
}
