/**
 * Writes the standard error of a development instance: a banner, and a line for each request and each
 * delivery.
 */
import type { LogRecord } from '@logtape/logtape';
import type { Clock, RealTime, Timer } from '../../clock.ts';
import type { Outcome } from '../../notification/delivery/send/outcome.ts';
import type { JournalEntry } from '../journal/entry.ts';
import { type BannerParts, bannerText } from './banner.ts';
import type { Colours } from './colours.ts';
import { type Delivery, deliveryLine } from './delivery-line.ts';
import { readableLine } from './log-line.ts';
import { requestLine } from './request-line.ts';
import type { RequestDisplay } from './request-display.ts';
import { withCount, visible } from '../../validation/text.ts';

/**
 * The interval in which lines share one write, in ms. A write per line would cost more than the rest of the
 * request.
 */
const WRITE_INTERVAL_MS = 20;
/** The maximum of lines that wait for a slow reader. */
const WAITING_MAX = 2000;

export interface ScreenOptions {
  readonly clock: Clock;
  readonly realTime: RealTime;
  readonly colours: Colours;
  readonly write: (text: string) => void;
  /** Returns true while earlier output is unread. */
  readonly isFull: () => boolean;
}

export class Screen implements RequestDisplay {
  readonly #clock: Clock;
  readonly #realTime: RealTime;
  readonly #colours: Colours;
  readonly #write: (text: string) => void;
  readonly #isFull: () => boolean;
  /** Lines that become text when they are written. */
  #waiting: (() => string)[] = [];
  #droppedLines = 0;
  #timer: Timer | undefined;

  constructor({ clock, realTime, colours, write, isFull }: ScreenOptions) {
    this.#clock = clock;
    this.#realTime = realTime;
    this.#colours = colours;
    this.#write = write;
    this.#isFull = isFull;
  }

  /** Writes the first line of an instance that must create its folder. */
  preparing(data: string): void {
    this.#write(`  ${this.#colours.faint(`preparando ${visible(data)} …`)}\n`);
  }

  banner(parts: BannerParts): void {
    this.flush();
    this.#write(bannerText(parts, this.#colours));
  }

  readonly request = (entry: JournalEntry): void => this.#add(() => requestLine(entry, this.#colours));

  readonly attempt = (outcome: Outcome, delivery: Delivery): void => {
    if (outcome.kind === 'withdrawn') return;
    const at = this.#clock.now();
    this.#add(() => deliveryLine(delivery, outcome, at, this.#colours));
  };

  /** Writes a log record. Errors are written at once, because the process may end with them. */
  record(record: LogRecord): void {
    const line = readableLine(record, this.#clock.now(), this.#colours);
    if (line === undefined) return;
    this.#add(() => line);
    if (record.level === 'error' || record.level === 'fatal') this.flush();
  }

  flush(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    if (this.#waiting.length === 0) return;
    const rest =
      this.#droppedLines === 0
        ? ''
        : `… mais ${withCount(this.#droppedLines, 'linha')}, que ninguém lia a tempo\n`;
    const text = `${this.#waiting.map((line) => `${line()}\n`).join('')}${rest}`;
    this.#waiting = [];
    this.#droppedLines = 0;
    this.#write(text);
  }

  #later(): Timer {
    return this.#realTime.after(WRITE_INTERVAL_MS, () => {
      if (this.#isFull()) this.#timer = this.#later();
      else this.flush();
    });
  }

  #add(line: () => string): void {
    if (this.#waiting.length >= WAITING_MAX) {
      this.#droppedLines += 1;
      return;
    }
    this.#waiting.push(line);
    this.#timer ??= this.#later();
  }
}
