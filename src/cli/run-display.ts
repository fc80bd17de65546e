/** The progress output of a run: one overwritten line on a terminal, plain lines elsewhere. */
import type { RunForm } from '../remote/run/schemas.ts';
import { withCount, visibleLines } from '../validation/text.ts';
import { LiveLine } from './live-line.ts';

/** The time between two plain lines of one state. */
const LINE_MS = 10_000;
const DEFAULT_COLUMNS = 80;

/**
 * Words for a run by its direction: its name, the state of a completed step, the state of an open one, and
 * the side on which it happens.
 */
export const RUN_WORDS = {
  send: { name: 'Envio', done: 'enviado', toDo: 'a enviar', side: 'lá' },
  fetch: { name: 'Busca', done: 'trazido', toDo: 'a trazer', side: 'aqui' },
} as const;

/** Describes the progress. Counts of zero are omitted. */
export const countsText = ({ direction, sent, adopted, skipped, refused, uncertain }: RunForm): string =>
  [
    withCount(sent, RUN_WORDS[direction].done),
    ...(adopted === 0 ? [] : [`${adopted} já ${RUN_WORDS[direction].side}`]),
    ...(skipped === 0 ? [] : [withCount(skipped, 'deixado de fora', 'deixados de fora')]),
    ...(refused === 0 ? [] : [withCount(refused, 'recusado')]),
    ...(uncertain === 0 ? [] : [withCount(uncertain, 'incerto')]),
  ].join(', ');

/** Formats `2026-01-15T10:01:00.000-03:00` for people. */
export const localMomentText = (moment: string): string => {
  const [, year, month, day, time] = /^(\d+)-(\d\d)-(\d\d)T(\d\d:\d\d:\d\d)/.exec(moment) ?? [];
  return `${day}/${month}/${year} ${time}`;
};

export class RunDisplay extends LiveLine {
  #lastText = '';
  #lastTextAt = -Infinity;
  #lastWait = '';

  /** Shows the last state on a terminal, also of a run that ended before its first progress was shown. */
  showEnd(run: RunForm): void {
    if (this.isLive) this.show(run);
  }

  show(run: RunForm): void {
    const { done, total, state, reason, restsUntil, estimatedEnd } = run;
    const isResting = state === 'resting' && restsUntil !== null;
    const waitText = isResting ? `em pausa até ${localMomentText(restsUntil)}: ${reason ?? ''}` : '';
    const endText = estimatedEnd === null ? '' : `deve terminar em ${localMomentText(estimatedEnd)}`;
    const line = [`${done} de ${withCount(total, 'passo')}`, countsText(run), waitText || endText]
      .filter((part) => part !== '')
      .join(' · ');
    if (this.isLive) return this.#draw(line);
    const isDue = waitText !== this.#lastWait || this.stopwatch() - this.#lastTextAt >= LINE_MS;
    if (!isDue || line === this.#lastText) return;
    [this.#lastText, this.#lastTextAt, this.#lastWait] = [line, this.stopwatch(), waitText];
    this.printLine(line);
  }

  /** Shortens the line: one longer than the screen could not be overwritten. */
  #draw(line: string): void {
    const { columns = DEFAULT_COLUMNS } = this.terminal;
    const text = visibleLines(line);
    const lineText = text.length < columns ? text : `${text.slice(0, columns - 2)}…`;
    this.writeOver(lineText);
  }
}
