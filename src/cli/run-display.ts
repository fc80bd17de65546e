/** What a run says while it goes on: one line that is written over on a terminal, plain lines elsewhere. */
import type { RunForm } from '../remote/run/model.ts';
import { counted, visibleLines } from '../validation/text.ts';
import { LiveLine } from './live-line.ts';

/** Between two plain lines of one state. */
const LINE_MS = 10_000;
const DEFAULT_COLUMNS = 80;

/** A run by its direction: its name, what has become of a step that was done, what one that is not waits for, and where it is done. */
export const RUN_WORDS = {
  send: { name: 'Envio', done: 'enviado', toDo: 'a enviar', side: 'lá' },
  fetch: { name: 'Busca', done: 'trazido', toDo: 'a trazer', side: 'aqui' },
} as const;

/** How far it is; what has not happened is not said. */
export const countsTold = ({ direction, sent, adopted, skipped, refused, uncertain }: RunForm): string =>
  [
    counted(sent, RUN_WORDS[direction].done),
    ...(adopted === 0 ? [] : [`${adopted} já ${RUN_WORDS[direction].side}`]),
    ...(skipped === 0 ? [] : [counted(skipped, 'deixado de fora', 'deixados de fora')]),
    ...(refused === 0 ? [] : [counted(refused, 'recusado')]),
    ...(uncertain === 0 ? [] : [counted(uncertain, 'incerto')]),
  ].join(', ');

/** `2026-01-15T10:01:00.000-03:00` as people read it. */
export const momentTold = (moment: string): string => {
  const [, year, month, day, time] = /^(\d+)-(\d\d)-(\d\d)T(\d\d:\d\d:\d\d)/.exec(moment) ?? [];
  return `${day}/${month}/${year} ${time}`;
};

export class RunDisplay extends LiveLine {
  #said = '';
  #saidAt = -Infinity;
  #waited = '';

  show(run: RunForm): void {
    const { done, total, state, reason, restsUntil, estimatedEnd } = run;
    const isResting = state === 'resting' && restsUntil !== null;
    const waits = isResting ? `descansa até ${momentTold(restsUntil)}: ${reason ?? ''}` : '';
    const ends = estimatedEnd === null ? '' : `deve terminar em ${momentTold(estimatedEnd)}`;
    const line = [`${done} de ${counted(total, 'passo')}`, countsTold(run), waits || ends]
      .filter((part) => part !== '')
      .join(' · ');
    if (this.isLive) return this.#draw(line);
    const isNews = waits !== this.#waited || this.stopwatch() - this.#saidAt >= LINE_MS;
    if (!isNews || line === this.#said) return;
    [this.#said, this.#saidAt, this.#waited] = [line, this.stopwatch(), waits];
    this.say(line);
  }

  /** A line that is longer than the screen could not be written over. */
  #draw(line: string): void {
    const { columns = DEFAULT_COLUMNS } = this.terminal;
    const text = visibleLines(line);
    const shown = text.length < columns ? text : `${text.slice(0, columns - 2)}…`;
    this.writeOver(shown);
  }
}
